import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { merchantIdOf, systemIds } from '../../../src/base/ids.ts';
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
  startedCard,
  strangeSession,
  suspended,
} from '../../support/desks/cases.ts';
import { day_s, type LossDesk, openLossDesk, openShop, type Shop } from '../../support/desks/losses.ts';
import { fee, openOwnShop } from '../../support/desks/own-channel.ts';
import { addCardChannel, type Order } from '../../support/desks/platform.ts';
import { eventually, type Json } from '../../support/desks/service.ts';

let desk: LossDesk;
let shop: Shop;

beforeAll(async () => {
  desk = await openLossDesk();
  shop = await openShop(desk);
});
afterAll(() => desk.stop());

const ids = systemIds();

/** A paid session of an attempt that the books do not know, as after a restore, and its case. */
async function lostPayment(
  order_no: string,
  {
    merchant_no = shop.merchant_no,
    reference = `pa_${ids.ulid(new Date())}`,
    key = 'sk_live_simulated',
    amount_total = 1_060,
    payment_no = desk.card.payment_no,
  } = {},
): Promise<{ session: Session; found: Case; reference: string }> {
  const session = await strangeSession(
    desk,
    {
      client_reference_id: reference,
      'metadata[order_no]': order_no,
      ...(merchant_no === '' ? {} : { 'metadata[merchant_id]': merchantIdOf(merchant_no) ?? '' }),
    },
    key,
  );
  await pay(desk, session, { amount_total });
  const found = await eventually(
    async () => {
      const { items } = await desk.service.admin<{ items: Case[] }>('GET', '/cases?limit=100');
      // The platform's endpoint gets the events of every account.
      return items.find((known) => known.session_id === session.id && known.payment_no === payment_no);
    },
    (known) => known !== undefined,
  );
  if (found === undefined) throw new Error('no case');
  return { session, found, reference };
}

const caseNow = (found: Case): Promise<Case & { allowed_actions: string[] }> =>
  desk.service.admin('GET', `/cases/${found.case_id}`);

const settlements = ({ postings }: { postings: (Json & { posting: string })[] }) =>
  postings.filter(({ posting, leg }) => posting === 'P1' && leg === 1);

describe('D-107 an unmatched receipt that is adopted', () => {
  test('pays the expired order that its metadata names, with books, hold and notification, once', async () => {
    const order = await shop.merchant.order({
      notify_enabled: true,
      notify_url: desk.receiver.url(),
      notify_secret: 'a-secret-of-more-than-32-bytes-for-tests',
    });
    const { session, found, reference } = await lostPayment(order.order_no);
    await passTime(desk, day_s + 60);
    expect((await shop.merchant.read(order.order_no)).body.status).toBe('expired');
    // A worker may be at it already.
    const opened = await eventually(
      () => caseNow(found),
      ({ state }) => state === 'open',
    );
    expect(opened).toMatchObject({
      allowed_actions: ['adopt', 'refund', 'close'],
    });

    const { status, body } = await resolve(desk, found, 'adopt', 'restored from a backup');
    expect([status, body]).toMatchObject([
      200,
      {
        ...{ state: 'resolved', resolution: 'adopt', reason: 'restored from a backup' },
        detail: { adopted: { order_no: order.order_no, attempt_id: reference } },
      },
    ]);
    const detail = await detailOf(desk, order);
    expect(detail.order).toMatchObject({
      ...{ status: 'paid', payment_no: desk.card.payment_no, status_version: 3 },
      provider_trade_no: found.provider_payment_id ?? (await caseNow(found)).provider_payment_id,
    });
    expect(detail.attempts).toMatchObject([{ attempt_id: reference, state: 'paid_late' }]);
    expect(settlements(detail)).toHaveLength(1);
    expect((detail.money as unknown as { hold: Json | null }).hold).not.toBeNull();
    expect(await linesOf(desk, found.case_id, found)).toEqual([
      'P11 prov:CHANNEL:USD > susp:USD:CASE 1060 USD',
      'P10r susp:USD:CASE > prov:CHANNEL:USD 1060 USD',
    ]);
    expect(await suspended(desk, found)).toBe(0n);
    const told = await eventually(
      () => Promise.resolve(desk.receiver.received.map(({ body: sent }) => String(sent))),
      (all) => all.some((text) => text.includes(order.order_no) && text.includes('"paid"')),
    );
    expect(told.filter((text) => text.includes(order.order_no) && text.includes('"paid"'))).toHaveLength(1);

    expect(await resolve(desk, found, 'adopt')).toMatchObject(conflict);
    await desk.sim('POST', `/webhooks/replay`, { event_id: await completedEvent(session) });
    await passTime(desk, 61);
    expect(settlements(await detailOf(desk, order))).toHaveLength(1);
    const payment_intent = (await caseNow(found)).provider_payment_id ?? '';
    await desk.provider('/refunds', { payment_intent });
    await shop.until(order, 'refunded');
  });

  test('D-1235 its dispute is in the queue once, as the order’s, with the evidence of before', async () => {
    const order = await shop.unpaid();
    const { session, found } = await lostPayment(order.order_no);
    await passTime(desk, day_s + 60);
    await eventually(
      () => caseNow(found),
      ({ state }) => state === 'open',
    );
    const { id } = await desk.sim<{ id: string }>('POST', `/sessions/${session.id}/dispute`, {});
    const queued = async () => {
      const stages = ['to_answer', 'under_review', 'ended'].map((stage) =>
        desk.service.admin<{ items: Json[] }>('GET', `/disputes?limit=100&stage=${stage}`),
      );
      const all = (await Promise.all(stages)).flatMap(({ items }) => items);
      return all.filter(({ dispute_id }) => dispute_id === id);
    };
    const [before] = await eventually(queued, ({ length }) => length > 0);
    expect(before).toMatchObject({ merchant_no: null, order_no: null, case_id: found.case_id });
    const texts = { uncategorized_text: 'It was delivered.' };
    expect((await desk.send(`/disputes/${id}/evidence`, { texts })).status).toBe(201);

    expect((await resolve(desk, found, 'adopt')).body).toMatchObject({ resolution: 'adopt' });
    const { merchant_no } = shop;
    expect(await eventually(queued, ([one]) => one?.order_no !== null)).toMatchObject([
      { merchant_no, order_no: order.order_no, case_id: null },
    ]);
    expect(await desk.service.admin('GET', `/disputes/${id}`)).toMatchObject({
      order_no: order.order_no,
      evidence: [{ texts }],
    });
  });

  test('needs no day of waiting; the open session of the order’s attempt is closed', async () => {
    const order = await shop.unpaid();
    const asked = await startedCard(desk, order);
    const { found } = await lostPayment(order.order_no, { merchant_no: '', reference: 'of-another-system' });
    expect(await caseNow(found)).toMatchObject({ state: 'waiting', allowed_actions: ['adopt'] });
    expect((await resolve(desk, found, 'adopt')).body).toMatchObject({ resolution: 'adopt' });
    const { attempts } = await detailOf(desk, order);
    expect(attempts.map(({ state }) => state)).toEqual(['paid_late', 'open']);
    await passTime(desk, 61);
    const { items } = await eventually(
      () => desk.sim<{ items: Session[] }>('GET', '/sessions'),
      ({ items: all }) => all.some(({ id, status }) => id === asked.id && status === 'expired'),
    );
    expect(items.find(({ id }) => id === asked.id)).toMatchObject({ status: 'expired' });
    expect(settlements(await detailOf(desk, order))).toHaveLength(1);
  });

  test('R-191 takes a refund along that came before it', async () => {
    const order = await shop.unpaid();
    const { session, found } = await lostPayment(order.order_no);
    const { items } = await desk.sim<{ items: Session[] }>('GET', '/sessions');
    const payment_intent = items.find(({ id }) => id === session.id)?.payment_intent ?? '';
    await desk.sim('POST', '/webhooks/hold', { hold: true });
    await desk.provider('/refunds', { payment_intent });
    expect((await resolve(desk, found, 'adopt')).body).toMatchObject({ resolution: 'adopt' });
    expect((await shop.merchant.read(order.order_no)).body.status).toBe('refunded');
    await desk.sim('POST', '/webhooks/hold', { hold: false });
  });

  test('costs the fee of the merchant’s own channel', async () => {
    const own = await openOwnShop(desk.service, desk.cardsim, desk.platform.owner, { available: 10n ** 9n });
    const order = await own.order();
    const { merchant_no, secret_key: key } = own;
    const { found } = await lostPayment(order.order_no, {
      merchant_no,
      key,
      amount_total: 1_000,
      payment_no: own.card.payment_no,
    });
    expect(await resolve(desk, found, 'adopt')).toMatchObject({ status: 200, body: { booked: false } });
    expect((await own.merchant.read(order.order_no)).body.status).toBe('paid');
    expect((await own.reservations(order)).map(({ state }) => state)).toEqual(['captured']);

    // Another channel has been told of the session too. Its case ends, so that no money is booked twice.
    await passTime(desk, 61);
    const { items } = await eventually(
      () => desk.service.admin<{ items: Case[] }>('GET', '/cases?limit=100'),
      ({ items: all }) =>
        all.every(({ session_id, state }) => session_id !== found.session_id || state === 'resolved'),
    );
    const other = items.filter(({ session_id }) => session_id === found.session_id);
    expect(other.map(({ resolution }) => resolution).sort()).toEqual(['adopt', 'cleared']);
  });
});

test('D-1162 a receipt of the merchant’s own channel pays an order whose open session holds a fee', async () => {
  const own = await openOwnShop(desk.service, desk.cardsim, desk.platform.owner, { available: 10n ** 9n });
  const order = await own.order();
  expect((await own.start(order)).status).toBe(200);
  const { found } = await lostPayment(order.order_no, {
    ...{ merchant_no: own.merchant_no, key: own.secret_key, amount_total: 1_000 },
    payment_no: own.card.payment_no,
  });
  expect(await resolve(desk, found, 'adopt')).toMatchObject({ status: 200, body: { state: 'resolved' } });
  expect((await own.merchant.read(order.order_no)).body.status).toBe('paid');
  const states = async () => (await own.reservations(order)).map(({ state }) => state).sort();
  expect(await states()).toEqual(['captured', 'reserved']);
  await passTime(desk, 61);
  expect(await eventually(states, (all) => !all.includes('reserved'))).toEqual(['captured', 'released']);
  expect(await own.wallet()).toMatchObject({ available_ptk: (10n ** 9n - fee).toString() });
});

describe('D-107 a receipt is not adopted', () => {
  const nobody = `mp_${ids.ulid(new Date())}`;
  const cases: [string, (order: Order) => Parameters<typeof lostPayment>, RegExp][] = [
    [
      'for another amount',
      ({ order_no }) => [order_no, { amount_total: 1_059 }],
      /not what the buyer had to pay/,
    ],
    ['by an order that does not exist', () => [nobody], /names no order/],
    [
      'by another merchant’s order',
      ({ order_no }) => [order_no, { merchant_no: desk.platform.merchant_no }],
      /names no order/,
    ],
  ];
  test.each(cases)('%s', async (_, of, why) => {
    const order = await shop.unpaid();
    const { found } = await lostPayment(...of(order));
    const refused = await resolve(desk, found, 'adopt');
    expect(refused).toMatchObject(conflict);
    expect(refused.body.error_description).toMatch(why);
    expect((await shop.merchant.read(order.order_no)).body.status).toBe('pending');
    expect((await resolve(desk, found, 'refund')).body).toMatchObject({ resolution: 'refund' });
  });

  test('by an order that is paid, nor before it is paid itself, nor twice at once', async () => {
    const { order } = await shop.byCard();
    const { found } = await lostPayment(order.order_no);
    expect((await resolve(desk, found, 'adopt')).body.error_description).toMatch(/paid already/);

    const other = await shop.unpaid();
    const both = await Promise.all([lostPayment(other.order_no), lostPayment(other.order_no)]);
    const answers = await Promise.all(both.map(({ found: each }) => resolve(desk, each, 'adopt')));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(settlements(await detailOf(desk, other))).toHaveLength(1);
    for (const action of ['accept', 'void', 'absent']) {
      expect(await resolve(desk, found, action)).toMatchObject(conflict);
    }
  });

  test('without a second person above the threshold', async () => {
    const order = await shop.unpaid();
    const { found } = await lostPayment(order.order_no);
    await desk.service.admin('PUT', '/settings', { four_eyes_ptk: '1' });
    const asked = await resolve(desk, found, 'adopt');
    expect(asked).toMatchObject({ status: 202, body: { error: 'approval_pending' } });
    await desk.service.admin('PUT', '/settings', { four_eyes_ptk: '0' });
    expect((await shop.merchant.read(order.order_no)).body.status).toBe('pending');
  });
});

async function completedEvent({ id }: Session): Promise<string> {
  const { items } = await desk.sim<{ items: { id: string; data: { object: { id: string } } }[] }>(
    'GET',
    '/events',
  );
  return items.find(({ data }) => data.object.id === id)?.id ?? randomBytes(4).toString('hex');
}

test('D-206 of two platform channels of one account only one opens a case with the money', async () => {
  const { payment_no, webhook_url } = await addCardChannel(desk.service, desk.cardsim.url);
  await desk.cardsim.registerWebhook({ url: webhook_url, secret: 'whsec_simulated' });
  const { session } = await lostPayment(`mp_${ids.ulid(new Date())}`);
  const both = async () => {
    const { items } = await desk.service.admin<{ items: Case[] }>('GET', '/cases?limit=100');
    return items.filter(({ session_id }) => session_id === session.id);
  };
  expect(
    await eventually(both, (found) => found.some((known) => known.payment_no === payment_no)),
  ).toHaveLength(2);
  await passTime(desk, day_s + 60);
  const decided = await eventually(both, (found) => found.every(({ state }) => state !== 'waiting'));
  expect(decided.map(({ state, booked }) => [state, booked]).sort()).toEqual([
    ['open', true],
    ['resolved', false],
  ]);
  const cleared = decided.find(({ state }) => state === 'resolved');
  expect(cleared).toMatchObject({ resolution: 'cleared', reason: 'of another channel' });
});

test('R-143, R-145 and the books balance after all of this', () => expectBalancedBooks(desk));
