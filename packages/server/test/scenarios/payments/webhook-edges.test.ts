import { signatureHeader } from '@paydesk/cardsim';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../../src/base/pg/index.ts';
import { merchantIdOf } from '../../../src/base/ids.ts';
import {
  conflict,
  type Case,
  detailOf,
  expectBalancedBooks,
  linesOf,
  passTime,
  pay,
  resolve,
  type Session,
  sessionOf,
  startedCard,
  strangeSession,
  suspended,
} from '../../support/desks/cases.ts';
import { day_s, type LossDesk, openLossDesk, openShop, type Shop } from '../../support/desks/losses.ts';
import { openOwnShop } from '../../support/desks/own-channel.ts';
import { addCardChannel, checkoutOf, type Order } from '../../support/desks/platform.ts';
import { eventually, type Json, request } from '../../support/desks/service.ts';
import { beside } from '../../support/desks/wallets.ts';

let desk: LossDesk;
let shop: Shop;

beforeAll(async () => {
  desk = await openLossDesk();
  shop = await openShop(desk);
});
afterAll(() => desk.stop());
beforeEach(() => desk.sim('DELETE', '/faults'));

const statusOf = async (order: Order) => (await shop.merchant.read(order.order_no)).body.status;

/** Sends a webhook of our own making, signed as the provider would. */
async function send(type: string, object: Json): Promise<{ id: string; status: number }> {
  const id = `evt_${randomBytes(9).toString('hex')}`;
  const body = JSON.stringify({ id, object: 'event', type, created: 1, livemode: true, data: { object } });
  return { id, ...(await sendRaw(body)) };
}

async function sendRaw(
  body: string,
  to = { url: desk.card.webhook_url, secret: 'whsec_simulated' },
): Promise<{ status: number }> {
  const signature = signatureHeader(body, to.secret, Math.floor(Date.now() / 1_000));
  const { status } = await request(to.url, 'POST', {
    raw: body,
    headers: { 'content-type': 'application/json', 'stripe-signature': signature },
  });
  return { status };
}

/** What came of a webhook, once it was processed. */
const outcomeOf = async (id: string): Promise<string> => {
  const rows = await eventually(
    () =>
      beside(desk.service, (db) =>
        db.query<{ outcome: string | null }>(
          sql`SELECT outcome FROM card_webhooks WHERE provider_event_id = ${id} AND due_at IS NULL`,
        ),
      ),
    ([row]) => row?.outcome != null,
  );
  return rows[0]?.outcome ?? '';
};

const casesNow = async (): Promise<Case[]> =>
  (await desk.service.admin<{ items: Case[] }>('GET', '/cases?limit=100')).items;

/** The case of an unknown session. */
const unmatched = async ({ id }: Session, done: (found: Case) => boolean = () => true): Promise<Case> => {
  const found = await eventually(
    async () => (await casesNow()).find(({ session_id }) => session_id === id),
    (known) => known !== undefined && done(known),
  );
  if (found === undefined) throw new Error('no case');
  return found;
};

/** What a payment has done to an order: its state, how often it was settled, and how often that was told. */
async function settledOnce(order: Order): Promise<void> {
  const { order: shown, postings, attempts, cases } = await detailOf(desk, order);
  expect(shown).toMatchObject({ status: 'paid', status_version: 2 });
  expect(postings.filter(({ posting, leg }) => posting === 'P1' && leg === 1)).toHaveLength(1);
  expect([attempts.map(({ state }) => state), cases]).toEqual([['paid'], []]);
}

describe('D-802 a merchant who signs webhooks of its own channel', () => {
  test('opens at most a hundred cases with the sessions that it names, and stops no other channel', async () => {
    const own = await openOwnShop(desk.service, desk.cardsim, desk.platform.owner);
    const secret = own.secret_key.replace('sk_live', 'whsec');
    const name = (id: string) => {
      const object = { object: 'checkout.session', id, client_reference_id: 'pa_of_nobody' };
      const event = { id: `evt_${id}`, type: 'checkout.session.completed', data: { object } };
      return sendRaw(JSON.stringify(event), { url: own.card.webhook_url, secret });
    };
    const names = Array.from({ length: 100 }, (_, i) => `cs_live_named${i}`);
    await Promise.all(names.map(name));
    for (const id of names) expect(await outcomeOf(`evt_${id}`)).toContain('is waiting');
    await name('cs_live_named_more');
    expect(await outcomeOf('evt_cs_live_named_more')).toBe(
      'too many unmatched receipts of the merchant’s own account',
    );
    const session = await strangeSession(desk, { client_reference_id: 'pa_of_nobody' });
    await pay(desk, session);
    expect(await unmatched(session)).toMatchObject({ state: 'waiting' });
  });
});

const unfollowed = 'x'.repeat(256);

describe('D-671 what cannot be a name at the provider', () => {
  test.each([
    ['id', { id: 'evt_\0' }],
    ['id', { id: `evt_${unfollowed}` }],
    ['id', { id: 'evt_\ud800' }],
    ['type', { type: 'charge\0' }],
    ['type', { type: unfollowed }],
  ])('a signed event with the %s of %j is refused', async (_, members) => {
    const event = { id: 'evt_unnamed', type: 'charge.refunded', data: { object: { object: 'charge' } } };
    expect((await sendRaw(JSON.stringify({ ...event, ...members }))).status).toBe(400);
  });

  const session = { object: 'checkout.session', id: 'cs_live_unnamed' };
  test.each<[Json, string]>([
    [{ ...session, id: 'cs_\0' }, 'no session named'],
    [{ ...session, id: `cs_${unfollowed}` }, 'no session named'],
    [{ ...session, id: 7 }, 'no session named'],
    [{ object: 'refund', payment_intent: 'pi_\0' }, 'no payment named'],
    [{ object: 'dispute', id: 'dp_\0' }, 'no dispute named'],
  ])('the object %j of an event is not followed', async (object, outcome) => {
    const { id, status } = await send('a.test', object);
    expect(status).toBe(200);
    expect(await outcomeOf(id)).toBe(outcome);
  });

  test('a reference of a session that is none finds no attempt', async () => {
    const { id } = await send('checkout.session.completed', {
      ...session,
      client_reference_id: 'pa_\0',
      metadata: { merchant_id: '00000000-0000-4000-8000-000000000000', order_no: { no: 'text' } },
    });
    expect(await outcomeOf(id)).toMatch(/^unmatched: ca_\w+ is waiting$/);
  });
});

describe('in every order and number of webhooks, one payment settles once', () => {
  test('R-229, D-108 before the answer to the creation', async () => {
    const order = await shop.unpaid();
    const checkout = checkoutOf(desk.service, order);
    const method = await checkout.methodOf('cardprov');
    await desk.sim('POST', '/faults', { endpoint: 'sessions.create', mode: 'delay', delay_ms: 400 });
    const starting = checkout.start(method);
    const session = await eventually(
      () => sessionOf(desk, order).catch(() => null),
      (found) => found !== null,
    );
    if (session === null) throw new Error('no session');
    await pay(desk, session, { webhook: 'early' });
    await shop.until(order, 'paid');
    await starting;
    await settledOnce(order);
  });

  test('R-228 twice, and repeated later', async () => {
    const order = await shop.unpaid();
    await pay(desk, await startedCard(desk, order), { webhook: 'duplicate' });
    await shop.until(order, 'paid');
    const { items } = await desk.sim<{ items: { id: string }[] }>('GET', '/events');
    await desk.sim('POST', '/webhooks/replay', { event_id: items.at(-1)?.id, times: 3 });
    await desk.service.admin('POST', '/jobs/reconcile/run');
    await settledOnce(order);
  });

  test('R-230, D-109 an asynchronous success overtakes its beginning', async () => {
    const order = await shop.unpaid();
    const session = await startedCard(desk, order);
    await desk.sim('POST', '/webhooks/hold', { hold: true, reverse: true });
    await pay(desk, session, { async: true });
    await desk.sim('POST', `/sessions/${session.id}/settle-async`, { outcome: 'succeeded' });
    await desk.sim('POST', '/webhooks/hold', { hold: false, reverse: true });
    await shop.until(order, 'paid');
    await desk.service.admin('POST', '/jobs/reconcile/run');
    await settledOnce(order);
  });

  test('D-103 what a signed body claims is not believed: an open session is not paid', async () => {
    const order = await shop.unpaid();
    const session = await startedCard(desk, order);
    const { id, status } = await send('checkout.session.completed', {
      ...session,
      status: 'complete',
      payment_status: 'paid',
      amount_total: 1_060,
    });
    expect(status).toBe(200);
    expect(await outcomeOf(id)).toBe('open: attempt open');
    expect(await statusOf(order)).toBe('pending');
    await pay(desk, session);
    await shop.until(order, 'paid');
    await settledOnce(order);
  });

  test.each([
    ['payment_link.created', { object: 'payment_link', id: 'plink_1' }],
    ['checkout.session.completed', { object: 'checkout.session' }],
    ['customer.created', { object: 'customer', id: 'cus_1', metadata: { order_no: 'mp_1' } }],
    ['something.unknown', { object: 'constructor', id: 'x_1' }],
  ])(
    'D-106 %s of nothing that is followed is acknowledged and on record, and no case',
    async (type, object) => {
      const before = await casesNow();
      const { id, status } = await send(type, object);
      expect(status).toBe(200);
      expect(['about nothing that is followed', 'no session named']).toContain(await outcomeOf(id));
      expect(await casesNow()).toEqual(before);
    },
  );
});

test('D-1163 news of the charge of a declined card waits for nothing', async () => {
  const order = await shop.unpaid();
  const { url } = await startedCard(desk, order);
  const card = {
    ...{ method: 'card', cardNumber: '4000000000009995', cardExpiry: '12 / 40', cardCvc: '123' },
    email: 'ada@example.com',
  };
  const page = await fetch(String(url), { method: 'POST', body: new URLSearchParams(card) });
  expect(page.status).toBe(402);
  const { payment_intent } = await sessionOf(desk, order);
  expect(payment_intent).toMatch(/^pi_/);
  const { id } = await send('charge.failed', { object: 'charge', id: 'ch_declined', payment_intent });
  expect(await outcomeOf(id)).toBe('of a payment that is not made');
});

test('D-101, D-102 an asynchronous payment is under way until it fails: nothing else can be chosen, and the order expires', async () => {
  const order = await shop.unpaid();
  await pay(desk, await startedCard(desk, order), { async: true });
  const checkout = checkoutOf(desk.service, order, desk.cookie);
  const stateIs = (state: string) =>
    eventually(
      () => checkout.state(),
      ({ body }) => body.attempt?.state === state,
    );
  await stateIs('processing');
  const method = await checkout.methodOf('cardprov');
  expect(await checkout.start(method)).toMatchObject({
    status: 202,
    body: { error: 'provider_result_pending' },
  });
  const { id } = await sessionOf(desk, order);
  await desk.sim('POST', `/sessions/${id}/settle-async`, { outcome: 'failed' });
  await stateIs('failed');
  for (const provider of ['cardprov', 'ptk'] as const) {
    const answer = await checkout.start(await checkout.methodOf(provider));
    expect(answer).toMatchObject({ status: 409, body: { error: 'payment_conflict' } });
  }
  expect(await statusOf(order)).toBe('pending');
  await passTime(desk, 3_700);
  await passTime(desk, 61);
  expect((await shop.merchant.read(order.order_no)).body).toMatchObject({
    status: 'expired',
    status_version: 3,
  });
});

describe('R-225, D-196 a link outlives its order by an hour', () => {
  async function shortLived(): Promise<{ order: Order; session: Session }> {
    const order = await shop.merchant.order({ expires_in: 60 });
    const session = await startedCard(desk, order);
    const created = Number(session.created);
    expect(Number(session.expires_at) - created).toBeGreaterThanOrEqual(3_659);
    return { order, session };
  }

  test('R-206, D-087, D-088 it is closed actively at the deadline, which nothing moves: review, then expired', async () => {
    const { order } = await shortLived();
    await passTime(desk, 61);
    await passTime(desk, 61);
    expect((await sessionOf(desk, order)).status).toBe('expired');
    expect((await shop.merchant.read(order.order_no)).body).toMatchObject({
      status: 'expired',
      status_version: 3,
      expires_at: order.expires_at,
    });
  });

  test('R-206 a payment through it in review moves the order to paid, and not its deadline', async () => {
    const { order, session } = await shortLived();
    await desk.sim('POST', '/faults', {
      endpoint: 'sessions.expire',
      mode: 'status',
      status: 500,
      times: 99,
    });
    await passTime(desk, 61);
    expect(await statusOf(order)).toBe('review');
    await pay(desk, session);
    expect(await shop.until(order, 'paid')).toMatchObject({
      expires_at: order.expires_at,
      status_version: 3,
    });
  });
});

test('R-174 a session issued before the grant was revoked is paid, verified and settled', async () => {
  const secret_key = `sk_test_${randomBytes(4).toString('hex')}`;
  const channel = await addCardChannel(desk.service, desk.cardsim.url, {
    test_mode: true,
    supported_currencies: ['USD'],
    config: { api_base: desk.cardsim.url, secret_key, webhook_secret: 'whsec_test' },
  });
  await desk.cardsim.registerWebhook({ url: channel.webhook_url, secret: 'whsec_test', account: secret_key });
  const grants = `/channels/${channel.payment_no}/debug-grants`;
  const { user_id } = desk.platform.buyer;
  await desk.service.admin('PUT', grants, { merchants: [shop.merchant_no], users: [user_id] });
  const order = await shop.merchant.order({ payment_no: channel.payment_no });
  const checkout = checkoutOf(desk.service, order, desk.cookie);
  const method = await checkout.methodOf('cardprov');
  expect((await checkout.start(method)).status).toBe(200);
  await desk.service.admin('PUT', grants, { merchants: [], users: [] });
  expect((await checkout.start(method)).body).toMatchObject({ error: 'payment_debug_access_denied' });
  await pay(desk, await sessionOf(desk, order));
  expect(await shop.until(order, 'paid')).toMatchObject({ test_mode: true });
});

test('R-160 the directory gives the same answer for every query', async () => {
  const read = (query: string) => shop.merchant.get<{ items: Json[] }>(`/merchant-payment-channels${query}`);
  const { body } = await read('');
  expect(body.items.length).toBeGreaterThan(0);
  for (const query of ['?amount=5.00&currency=JPY', '?limit=0', '?payment_no=x', '?cursor=x']) {
    expect(await read(query)).toMatchObject({ status: 200, body });
  }
});

describe('R-232, D-107 an unknown session', () => {
  test('waits as a case in the platform’s book, moves no order, and opens after a day with its money booked', async () => {
    const before = await shop.unpaid();
    const session = await strangeSession(desk);
    await pay(desk, session, { webhook: 'duplicate' });
    const found = await unmatched(session);
    expect(found).toMatchObject({
      kind: 'unmatched_receipt',
      state: 'waiting',
      merchant_no: null,
      payment_no: desk.card.payment_no,
      booked: false,
    });
    expect(found).not.toHaveProperty('order_no');
    expect(await resolve(desk, found, 'close')).toMatchObject(conflict);
    await passTime(desk, day_s - 600);
    expect((await unmatched(session)).state).toBe('waiting');
    await passTime(desk, 601);
    const open = await unmatched(session, ({ state }) => state === 'open');
    expect(open).toMatchObject({
      amount: '10.60',
      currency: 'USD',
      booked: true,
      detail: { seen: { paid: true } },
    });
    expect(await linesOf(desk, found.case_id, found)).toEqual([
      'P11 prov:CHANNEL:USD > susp:USD:CASE 1060 USD',
    ]);
    expect(await suspended(desk, found)).toBe(1_060n);
    expect((await detailOf(desk, before)).order.status_version).toBeLessThanOrEqual(2);

    expect(await resolve(desk, open, 'close')).toMatchObject(conflict);
    expect((await resolve(desk, open, 'refund')).body).toMatchObject({
      state: 'resolved',
      refund: { status: 'succeeded', amount_minor: '1060' },
    });
    expect(await suspended(desk, found)).toBe(0n);
  });

  test('settles as any other once its attempt is known, and the case resolves itself', async () => {
    const order = await shop.merchant.order({ expires_in: 3_600 });
    await startedCard(desk, order);
    const attempt_id = `pa_${randomBytes(8).toString('hex')}`;
    const merchant_id = merchantIdOf(shop.merchant_no) ?? '';
    const session = await strangeSession(desk, {
      client_reference_id: attempt_id,
      'metadata[order_no]': order.order_no,
      'metadata[merchant_id]': merchant_id,
    });
    await pay(desk, session);
    expect((await unmatched(session)).state).toBe('waiting');
    // As if the attempt had not been stored until now.
    await beside(desk.service, (db) =>
      db.query(
        sql`UPDATE payment_attempts SET attempt_id = ${attempt_id}, session_id = ${session.id},
            request = jsonb_set(request, '{attempt_id}', to_jsonb(${attempt_id}::text))
          WHERE merchant_id = ${merchant_id} AND order_no = ${order.order_no}`,
      ),
    );
    await passTime(desk, 61);
    await shop.until(order, 'paid');
    const found = await unmatched(session, ({ state }) => state === 'resolved');
    expect(found).toMatchObject({ resolution: 'cleared', reason: 'paid: attempt paid', booked: false });
  });

  test('is still open without money if it was never paid, and is closed when it can no longer be paid', async () => {
    const session = await strangeSession(desk);
    const { id } = await send('checkout.session.async_payment_failed', session);
    expect(await outcomeOf(id)).toMatch(/^unmatched: ca_.* is waiting$/);
    await passTime(desk, day_s + 60);
    const found = await unmatched(session, ({ state }) => state === 'open');
    expect(found).toMatchObject({ booked: false, detail: { seen: { status: 'open', paid: false } } });
    expect(await resolve(desk, found, 'refund')).toMatchObject(conflict);
    expect(await resolve(desk, found, 'close')).toMatchObject(conflict);
    await desk.provider(`/checkout/sessions/${session.id}/expire`, {});
    expect((await resolve(desk, found, 'close', 'not ours')).body).toMatchObject({
      state: 'resolved',
      resolution: 'close',
      reason: 'not ours',
    });
  });

  test('opens also while the provider cannot be asked; its money is booked as soon as it can', async () => {
    const session = await strangeSession(desk);
    await pay(desk, session);
    await unmatched(session);
    await desk.sim('POST', '/faults', {
      endpoint: 'sessions.retrieve',
      mode: 'status',
      status: 500,
      times: 999,
    });
    await passTime(desk, day_s + 60);
    const found = await unmatched(session, ({ state }) => state === 'open');
    expect(found.booked).toBe(false);
    expect(found.detail.last).toContain('500');
    expect(await resolve(desk, found, 'close')).toMatchObject(conflict);
    await desk.sim('DELETE', '/faults');
    await passTime(desk, 3_601);
    const booked = await unmatched(session, (known) => known.booked === true);
    expect(await suspended(desk, booked)).toBe(1_060n);
  });

  test.each([
    ['', {}],
    [', with a number of its own', { 'metadata[order_no]': '1001' }],
    [', for another merchant', { 'metadata[order_no]': '1001', 'metadata[merchant_id]': 'other' }],
  ])('D-804 opens no case if a merchant sells something else through its own account%s', async (_, names) => {
    const own = await openOwnShop(desk.service, desk.cardsim, desk.platform.owner);
    const session = await strangeSession(desk, names, own.secret_key);
    await pay(desk, session);
    await eventually(
      () =>
        beside(desk.service, (db) =>
          db.query(sql`SELECT 1 FROM card_webhooks WHERE payment_no = ${own.card.payment_no}
            AND outcome = 'of the merchant’s own account'`),
        ),
      (rows) => rows.length > 0,
    );
    expect((await casesNow()).some(({ payment_no }) => payment_no === own.card.payment_no)).toBe(false);
  });
});

describe('D-803 a refund and a dispute of another sale', () => {
  /** The outcomes of all webhooks of a channel about refunds and disputes. */
  const outcomesOf = async (payment_no: string, count: number): Promise<string[]> => {
    const rows = await eventually(
      () =>
        beside(desk.service, (db) =>
          db.query<{ type: string; outcome: string; due: boolean }>(
            sql`SELECT type, outcome, due_at IS NOT NULL AS due FROM card_webhooks
              WHERE payment_no = ${payment_no} AND type SIMILAR TO '(charge|refund).%' AND outcome IS NOT NULL`,
          ),
        ),
      (found) => found.length >= count,
    );
    expect(rows.filter(({ due }) => due)).toEqual([]);
    return [...new Set(rows.map(({ outcome }) => outcome))];
  };

  test('of the merchant’s own account are not waited for', async () => {
    const own = await openOwnShop(desk.service, desk.cardsim, desk.platform.owner);
    const names = { 'metadata[order_no]': 'WC-1001', 'metadata[merchant_id]': 'other' };
    for (const params of [{}, names]) {
      const session = await strangeSession(desk, params, own.secret_key);
      const { payment_intent } = await pay(desk, session);
      await desk.sim('POST', `/sessions/${session.id}/dispute`, { outcome: 'won' });
      await request(`${desk.cardsim.url}/v1/refunds`, 'POST', {
        raw: new URLSearchParams({ payment_intent: payment_intent ?? '' }).toString(),
        headers: {
          authorization: `Bearer ${own.secret_key}`,
          'content-type': 'application/x-www-form-urlencoded',
        },
      });
    }
    expect(await outcomesOf(own.card.payment_no, 8)).toEqual(['of no session of ours']);
  });

  test('of another channel with the same account are that channel’s', async () => {
    const { payment_no, webhook_url } = await addCardChannel(desk.service, desk.cardsim.url);
    const account = 'sk_live_simulated';
    await desk.cardsim.registerWebhook({ url: webhook_url, secret: 'whsec_simulated', account });
    const { order, payment_id } = await shop.byCard();
    await desk.provider('/refunds', { payment_intent: payment_id });
    await shop.until(order, 'refunded');
    expect(await outcomesOf(payment_no, 2)).toEqual(['of another channel']);
  });
});

test('R-143, R-145 and the books balance after all of this', () => expectBalancedBooks(desk));
