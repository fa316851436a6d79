import { CaseAnswer } from '@paydesk/contract';
import { Check } from 'typebox/value';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  conflict,
  type Case,
  caseOf,
  detailOf,
  expectBalancedBooks,
  linesOf,
  namesOf,
  passTime,
  pay,
  resolve,
  sessionOf,
  startedCard,
  strangeSession,
  suspended,
  refuseNextRefund,
} from '../../support/desks/cases.ts';
import { day_s, type LossDesk, openLossDesk, openShop, type Shop } from '../../support/desks/losses.ts';
import { openOwnShop } from '../../support/desks/own-channel.ts';
import { checkoutOf, type Order } from '../../support/desks/platform.ts';
import { eventually, type Json } from '../../support/desks/service.ts';
import { sql } from '../../../src/base/pg/index.ts';
import { auditOn, beside } from '../../support/desks/wallets.ts';

let desk: LossDesk;
let shop: Shop;

beforeAll(async () => {
  desk = await openLossDesk();
  shop = await openShop(desk);
});
afterAll(() => desk.stop());
beforeEach(() => desk.sim('DELETE', '/faults'));

const statusOf = async (order: Order) => (await shop.merchant.read(order.order_no)).body.status;

/** An order whose buyer has paid something else than was asked for. */
async function paidWrongly(options: Record<string, unknown>): Promise<{ order: Order; found: Case }> {
  const order = await shop.unpaid();
  await pay(desk, await startedCard(desk, order), options);
  return { order, found: await caseOf(desk, order) };
}

/** The amounts of the refunds of a case's payment, in the provider's records. */
async function returnedOf(found: Case): Promise<number[]> {
  const answer = await fetch(
    `${desk.cardsim.url}/v1/refunds?payment_intent=${found.provider_payment_id ?? ''}`,
    {
      headers: { authorization: 'Bearer sk_live_simulated' },
    },
  );
  const { data } = (await answer.json()) as { data: { amount: number }[] };
  return data.map(({ amount }) => amount);
}

/** An order whose session was made for another amount. */
async function madeWrongly(): Promise<{ order: Order; found: Case }> {
  const order = await shop.unpaid();
  await desk.sim('POST', '/faults', { endpoint: 'sessions.create', mode: 'amount', amount_total: 1 });
  const checkout = checkoutOf(desk.service, order);
  const { status, body } = await checkout.start(await checkout.methodOf('cardprov'));
  expect([status, body]).toMatchObject([409, { error: 'provider_result_mismatch' }]);
  return { order, found: await caseOf(desk, order) };
}

const allowedOn = async ({ case_id }: Case) =>
  (await desk.service.admin<{ allowed_actions: string[] }>('GET', `/cases/${case_id}`)).allowed_actions;

describe('R-231, table 3.1 mismatched receipt: one that is not what was asked for', () => {
  test.each([
    ['less', { amount_total: 500 }, 'amount', '5.00', 'USD', 500n],
    ['more', { amount_total: 2_000 }, 'amount', '20.00', 'USD', 2_000n],
    ['another currency', { currency: 'jpy' }, 'currency', '1060', 'JPY', 1_060n],
  ])(
    'D-083, D-105, P11: %s is kept apart as it is, and the order is not paid',
    async (_, options, what, amount, currency, minor) => {
      const { order, found } = await paidWrongly(options);
      expect(Check(CaseAnswer, found)).toBe(true);
      expect(found).toMatchObject({
        kind: 'mismatch',
        state: 'open',
        order_no: order.order_no,
        payment_no: desk.card.payment_no,
        amount,
        amount_minor: minor.toString(),
        currency,
        booked: true,
        detail: {
          why: `${what} is not what was asked for`,
          asked: { amount: '1060', currency: 'USD' },
          seen: { amount: minor.toString(), currency, paid: true },
        },
      });
      expect(await linesOf(desk, order.order_no, found)).toEqual([
        `P11 prov:CHANNEL:${currency} > susp:${currency}:CASE ${minor} ${currency}`,
      ]);
      expect(await suspended(desk, found)).toBe(minor);
      const { attempts } = await detailOf(desk, order);
      expect(attempts.map(({ state }) => state)).toEqual(['mismatch']);
      expect(await statusOf(order)).toBe('pending');
    },
  );

  test('R-217, D-096, D-104 the buyer is told, and may choose no other method', async () => {
    const { order } = await paidWrongly({ amount_total: 500 });
    const checkout = checkoutOf(desk.service, order, desk.cookie);
    expect((await checkout.state()).body.attempt).toMatchObject({ state: 'mismatch' });
    const answers = [
      await checkout.start(await checkout.methodOf('cardprov')),
      await checkout.start(await checkout.methodOf('ptk')),
    ];
    expect(answers).toMatchObject([
      { status: 409, body: { error: 'provider_result_mismatch' } },
      { status: 409, body: { error: 'payment_conflict' } },
    ]);
  });

  test('table 3.1 told again and again it is booked once, and past the deadline the order is in review', async () => {
    const order = await shop.unpaid();
    const { id } = await startedCard(desk, order);
    await desk.sim('POST', `/sessions/${id}/pay`, { amount_total: 500, webhook: 'duplicate' });
    const found = await caseOf(desk, order);
    await passTime(desk, 3_700);
    await passTime(desk, 61);
    expect(await statusOf(order)).toBe('review');
    expect(await suspended(desk, found)).toBe(500n);
    expect((await detailOf(desk, order)).cases).toHaveLength(1);
  });
});

describe('an answer that disagrees, of which nothing is paid', () => {
  test('table 3.2 is a case without money, and R-217 the operator sees what was asked and what came back', async () => {
    const { order, found } = await madeWrongly();
    expect(found).toMatchObject({
      kind: 'mismatch',
      state: 'open',
      booked: false,
      detail: { seen: { amount: '1' } },
    });
    expect(found).not.toHaveProperty('amount');
    expect(await linesOf(desk, order.order_no, found)).toEqual([]);
    const { attempts } = await detailOf(desk, order);
    expect(attempts[0]?.detail.history).toMatchObject([
      { asked: 'create the session', seen: 'mismatch: amount' },
    ]);
  });

  test('that is paid later without a webhook is found, and booked in the same case', async () => {
    const { order, found } = await madeWrongly();
    await pay(desk, await sessionOf(desk, order), { webhook: 'none' });
    await passTime(desk, 61);
    const after = await caseOf(desk, order, ({ booked }) => booked === true);
    expect(after).toMatchObject({ case_id: found.case_id, state: 'open', amount: '0.01', booked: true });
    expect(await suspended(desk, found)).toBe(1n);
  });

  test.each(['before the deadline', 'in review'])(
    'D-104 is voided %s once the provider has closed the session: the attempt is closed, and the order expires',
    async (when) => {
      const { order, found } = await madeWrongly();
      if (when === 'in review') {
        await passTime(desk, 3_700);
        expect(await statusOf(order)).toBe('review');
      }
      const { status, body } = await resolve(desk, found, 'void', 'a slip of the provider');
      expect([status, body]).toMatchObject([
        200,
        { state: 'resolved', resolution: 'void', reason: 'a slip of the provider' },
      ]);
      expect((await sessionOf(desk, order)).status).toBe('expired');
      const { attempts } = await detailOf(desk, order);
      expect(attempts.map(({ state }) => state)).toEqual(['closed']);
      if (when === 'before the deadline') await passTime(desk, 3_700);
      await passTime(desk, 61);
      await passTime(desk, 61);
      expect(await statusOf(order)).toBe('expired');
      expect((await detailOf(desk, order)).cases).toHaveLength(1);
      expect(await auditOn(desk.service, `case:${found.case_id}`, 'case.void')).toMatchObject([
        { reason: 'a slip of the provider', before: { state: 'open' }, after: { state: 'resolved' } },
      ]);
    },
  );

  test('is not voided while the provider does not confirm that the session is closed', async () => {
    const { order, found } = await madeWrongly();
    await desk.sim('POST', '/faults', { endpoint: 'sessions.expire', mode: 'status', status: 500 });
    expect(await resolve(desk, found, 'void')).toMatchObject(conflict);
    expect((await caseOf(desk, order)).state).toBe('open');
  });

  test('D-102 is voided where its asynchronous payment failed for good, and not while that is under way', async () => {
    const { order, found } = await madeWrongly();
    const session = await sessionOf(desk, order);
    await pay(desk, session, { async: true, webhook: 'none' });
    expect(await resolve(desk, found, 'void')).toMatchObject(conflict);
    await desk.sim('POST', `/sessions/${session.id}/settle-async`, { outcome: 'failed' });
    expect((await resolve(desk, found, 'void')).body).toMatchObject({
      state: 'resolved',
      resolution: 'void',
    });
    expect((await detailOf(desk, order)).attempts).toMatchObject([{ state: 'closed' }]);
  });

  test('that was paid meanwhile is not voided: its money is booked instead', async () => {
    const { order, found } = await madeWrongly();
    await pay(desk, await sessionOf(desk, order), { webhook: 'none' });
    expect(await resolve(desk, found, 'void')).toMatchObject(conflict);
    expect(await caseOf(desk, order)).toMatchObject({ state: 'open', booked: true });
    expect(await resolve(desk, found, 'void')).toMatchObject(conflict);
  });
});

/** Pays a session that Paydesk did not request, in the name of an attempt, and gives the case about it. */
async function payAnother(order: Order): Promise<Case> {
  const [attempt] = (await detailOf(desk, order)).attempts;
  const names = await namesOf(desk, order, attempt?.attempt_id ?? '');
  await pay(desk, await strangeSession(desk, names));
  return caseOf(desk, order, ({ booked }) => booked === true);
}

const expire = async (order: Order) =>
  desk.provider(`/checkout/sessions/${(await sessionOf(desk, order)).id}/expire`, {});

test('D-903 an attempt whose session is voided waits for the decision about a receipt of another session', async () => {
  const order = await shop.unpaid();
  await startedCard(desk, order);
  const receipt = await payAnother(order);
  await desk.sim('POST', '/faults', { endpoint: 'sessions.retrieve', mode: 'amount', amount_total: 1 });
  await expire(order);
  const { cases } = await eventually(
    () => detailOf(desk, order),
    (shown) => shown.cases.length === 2,
  );
  const unpaid = cases.find(({ case_id }) => case_id !== receipt.case_id) as Case;
  expect((await resolve(desk, unpaid, 'void')).body).toMatchObject({ resolution: 'void' });
  const stateOf = async () => [await statusOf(order), (await detailOf(desk, order)).attempts[0]?.state];
  await passTime(desk, 3_700);
  await passTime(desk, 61);
  expect(await stateOf()).toEqual(['review', 'mismatch']);
  expect((await resolve(desk, receipt, 'refund')).body).toMatchObject({ state: 'resolved' });
  expect(await stateOf()).toEqual(['expired', 'closed']);
});

test('D-904 news of the wrong session whose case has received the money of another one opens no second case', async () => {
  const { order, found } = await madeWrongly();
  expect(await payAnother(order)).toMatchObject({ case_id: found.case_id });
  await expire(order);
  const { items } = await desk.sim<{ items: { id: string; type: string; data: Json }[] }>('GET', '/events');
  const { id } = await sessionOf(desk, order);
  const ended = items.find(
    ({ type, data }) => type.endsWith('.expired') && JSON.stringify(data).includes(id),
  );
  const outcome = await eventually(
    () =>
      beside(desk.service, (db) =>
        db.query<{ outcome: string }>(sql`SELECT outcome FROM card_webhooks
          WHERE provider_event_id = ${ended?.id ?? ''} AND outcome IS NOT NULL`),
      ),
    (rows) => rows.length > 0,
  );
  expect(outcome).toEqual([{ outcome: 'mismatch: attempt mismatch' }]);
  expect((await resolve(desk, found, 'refund')).body).toMatchObject({ state: 'resolved' });
});

describe('table 3.2 mismatch → paid or closed: accepting a receipt', () => {
  test('P1 out of suspense: what covers the total pays the order, and the rest waits and goes back', async () => {
    const { order, found } = await paidWrongly({ amount_total: 2_000 });
    const { status, body } = await resolve(desk, found, 'accept', 'the buyer agrees');
    expect([status, body]).toMatchObject([200, { state: 'open', detail: { accepted: 'the buyer agrees' } }]);
    expect((await shop.merchant.read(order.order_no)).body).toMatchObject({
      status: 'paid',
      payment_amount: '10.60',
      provider_trade_no: found.provider_payment_id,
    });
    expect(await linesOf(desk, order.order_no, found)).toEqual([
      'P11 prov:CHANNEL:USD > susp:USD:CASE 2000 USD',
      'P1 susp:USD:CASE > inc:buyer_fee:USD 60 USD',
      'P1 susp:USD:CASE > fx:USD 1000 USD',
    ]);
    expect(await suspended(desk, found)).toBe(940n);
    expect(await resolve(desk, found, 'accept')).toMatchObject(conflict);

    expect((await resolve(desk, found, 'refund', 'too much')).body).toMatchObject({
      state: 'resolved',
      resolution: 'refund',
      refund: { status: 'succeeded', amount_minor: '940' },
    });
    expect(await suspended(desk, found)).toBe(0n);
    // What went back was not the order's: it stays as it was paid.
    await passTime(desk, 61);
    expect(await detailOf(desk, order)).toMatchObject({
      order: { status: 'paid' },
      refunds: [],
      complaints: [],
    });
    expect((await detailOf(desk, order)).cases).toHaveLength(1);
  });

  test('D-078 lost to a dispute as a whole, the rest is gone as well, and the order is charged back', async () => {
    const { order, found } = await paidWrongly({ amount_total: 2_000 });
    await resolve(desk, found, 'accept', 'the buyer agrees');
    await desk.sim('POST', `/sessions/${found.session_id ?? ''}/dispute`, { outcome: 'lost' });
    await shop.until(order, 'chargeback');
    const { cases } = await detailOf(desk, order);
    expect(cases.find(({ case_id }) => case_id === found.case_id)).toMatchObject({
      state: 'resolved',
      resolution: 'cleared',
      reason: 'charged back at the provider',
    });
    expect(await suspended(desk, found)).toBe(0n);
  });

  test('D-078 lost to a dispute that Paydesk did not learn of, both are found to be lost when the rest is refused', async () => {
    const { order, found } = await paidWrongly({ amount_total: 2_000 });
    await resolve(desk, found, 'accept', 'the buyer agrees');
    await desk.sim('POST', '/webhooks/hold', { hold: true });
    await desk.sim('POST', `/sessions/${found.session_id ?? ''}/dispute`, { outcome: 'lost' });
    const { body } = await resolve(desk, found, 'refund', 'too much');
    expect(body).toMatchObject({ state: 'resolved', resolution: 'cleared' });
    expect(await suspended(desk, found)).toBe(0n);
    expect(await statusOf(order)).toBe('chargeback');
    // The webhooks bring nothing new.
    await desk.sim('POST', '/webhooks/hold', { hold: false });
    await passTime(desk, 61);
    expect(await detailOf(desk, order)).toMatchObject({ complaints: [{ status: 'confirmed' }] });
    expect(await statusOf(order)).toBe('chargeback');
  });

  test.each(['told by a webhook', 'found when the rest is refused'])(
    'D-665 when the order was refunded, a dispute about the rest takes the rest, %s',
    async (how) => {
      const { order, found } = await paidWrongly({ amount_total: 2_000 });
      await resolve(desk, found, 'accept', 'the buyer agrees');
      await desk.service.admin('POST', `/collection-orders/${order.order_no}/refunds`, {
        reason: 'returned',
      });
      await shop.until(order, 'refunded');
      if (how !== 'told by a webhook') await desk.sim('POST', '/webhooks/hold', { hold: true });
      await desk.sim('POST', `/sessions/${found.session_id ?? ''}/dispute`, { outcome: 'lost' });
      if (how !== 'told by a webhook') await resolve(desk, found, 'refund', 'too much');
      expect(await caseOf(desk, order, ({ state }) => state === 'resolved')).toMatchObject({
        resolution: 'cleared',
        detail: { last: 'charged back at the provider' },
      });
      expect(await suspended(desk, found)).toBe(0n);
      await desk.sim('POST', '/webhooks/hold', { hold: false });
      await passTime(desk, 61);
      // The order's own part was refunded before, and nobody is asked about the dispute again.
      expect(await statusOf(order)).toBe('refunded');
      expect((await detailOf(desk, order)).cases).toHaveLength(1);
    },
  );

  test('D-205 takes a part that has gone back already along at once', async () => {
    const { order, found } = await paidWrongly({ amount_total: 1_061 });
    await desk.sim('POST', '/webhooks/hold', { hold: true });
    await desk.provider('/refunds', { payment_intent: found.provider_payment_id ?? '', amount: '400' });
    await resolve(desk, found, 'accept');
    expect(await detailOf(desk, order)).toMatchObject({
      order: { status: 'paid' },
      refunds: [{ status: 'partial', amount: '4.00' }],
    });
    await desk.sim('POST', '/webhooks/hold', { hold: false });
  });

  test('D-111 in review, and refunded in full afterwards like any order', async () => {
    const { order, found } = await paidWrongly({ amount_total: 1_061 });
    await passTime(desk, 3_700);
    expect(await statusOf(order)).toBe('review');
    await resolve(desk, found, 'accept');
    expect(await statusOf(order)).toBe('paid');
    expect((await shop.refund(order)).body).toMatchObject({ status: 'succeeded', amount: '10.60' });
    expect(await statusOf(order)).toBe('refunded');
    expect(await suspended(desk, found)).toBe(1n);
  });

  test.each([
    ['less than the total', { amount_total: 1_059 }],
    ['another currency', { currency: 'eur' }],
  ])('%s is refused, and nothing moves', async (_, options) => {
    const { order, found } = await paidWrongly(options);
    expect(await resolve(desk, found, 'accept')).toMatchObject(conflict);
    expect(await statusOf(order)).toBe('pending');
    expect((await caseOf(desk, order)).state).toBe('open');
  });
});

describe('giving a receipt back', () => {
  test('P10r under its own key, once; the attempt is closed, and the order expires', async () => {
    const { order, found } = await paidWrongly({ amount_total: 500 });
    await passTime(desk, 3_700);
    const answers = await Promise.all([resolve(desk, found, 'refund'), resolve(desk, found, 'refund')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await caseOf(desk, order)).toMatchObject({ state: 'resolved', refund: { status: 'succeeded' } });
    expect(await linesOf(desk, order.order_no, found)).toEqual([
      'P11 prov:CHANNEL:USD > susp:USD:CASE 500 USD',
      'P10r susp:USD:CASE > prov:CHANNEL:USD 500 USD',
    ]);
    expect(await suspended(desk, found)).toBe(0n);
    const { attempts, money } = await detailOf(desk, order);
    expect(attempts.map(({ state }) => state)).toEqual(['closed']);
    expect(money.totals).toMatchObject([{ total: 'returned_unused', amount: '5.00' }]);
    expect(await statusOf(order)).toBe('expired');
    const { items } = await desk.sim<{ items: Record<string, unknown>[] }>('GET', '/requests');
    const keys = items.map(({ idempotency_key }) => idempotency_key);
    expect(keys.filter((key) => key === `case_${found.case_id}`)).toHaveLength(1);
    // News of the same payment opens no further case.
    await passTime(desk, 61);
    expect((await detailOf(desk, order)).cases).toHaveLength(1);
  });

  test('D-091 an unclear answer is asked for again under the same key', async () => {
    const { order, found } = await paidWrongly({ amount_total: 500 });
    await desk.sim('POST', '/webhooks/hold', { hold: true });
    await desk.sim('POST', '/faults', { endpoint: 'refunds.create', mode: 'reset_after' });
    expect((await resolve(desk, found, 'refund')).body).toMatchObject({
      state: 'open',
      refund: { status: 'pending' },
    });
    expect(await resolve(desk, found, 'refund')).toMatchObject(conflict);
    await desk.sim('POST', '/webhooks/hold', { hold: false });
    await passTime(desk, 61);
    await caseOf(desk, order, ({ state }) => state === 'resolved');
    expect(await suspended(desk, found)).toBe(0n);
  });

  test('a refusal for certain sets the case free for another try, under another key', async () => {
    const { order, found } = await paidWrongly({ amount_total: 500 });
    const error = { type: 'invalid_request_error', code: 'charge_disputed', message: 'No.' };
    await desk.sim('POST', '/faults', {
      endpoint: 'refunds.create',
      mode: 'status',
      status: 400,
      body: { error },
    });
    const { body } = await resolve(desk, found, 'refund');
    expect(body).toMatchObject({ state: 'open', resolution: null, refund: null });
    expect(body.detail.last).toContain('charge_disputed');
    expect(await suspended(desk, found)).toBe(500n);
    expect((await resolve(desk, found, 'refund')).body).toMatchObject({ state: 'resolved' });
    expect((await caseOf(desk, order)).refund?.status).toBe('succeeded');
  });

  test('D-668, P10b after its refund was refused, it can be paid back by bank, once', async () => {
    const { order, found } = await paidWrongly({ amount_total: 500 });
    expect(await resolve(desk, found, 'repay', 'by bank')).toMatchObject(conflict);
    expect((await allowedOn(found)).includes('repay')).toBe(false);
    await refuseNextRefund(desk);
    await resolve(desk, found, 'refund');
    expect((await allowedOn(found)).includes('repay')).toBe(true);
    const { status, body } = await resolve(desk, found, 'repay', 'by bank');
    expect([status, body]).toMatchObject([200, { state: 'resolved', resolution: 'repay', refund: null }]);
    expect(await suspended(desk, found)).toBe(0n);
    expect(await linesOf(desk, order.order_no, found)).toEqual([
      'P11 prov:CHANNEL:USD > susp:USD:CASE 500 USD',
      'P10b susp:USD:CASE > bank:USD 500 USD',
    ]);
    const { attempts, money } = await detailOf(desk, order);
    expect(money.totals).toMatchObject([{ total: 'returned_unused', amount: '5.00' }]);
    // The attempt no longer waits, and the order can be paid again.
    expect(attempts).toMatchObject([{ state: 'closed' }]);
    expect(await resolve(desk, found, 'repay')).toMatchObject(conflict);
    expect(await resolve(desk, found, 'refund')).toMatchObject(conflict);
  });

  test('made in the provider’s dashboard, it resolves the case by itself', async () => {
    const { order, found } = await paidWrongly({ amount_total: 500 });
    await desk.provider('/refunds', { payment_intent: found.provider_payment_id ?? '' });
    const after = await caseOf(desk, order, ({ state }) => state === 'resolved');
    expect(after).toMatchObject({ resolution: 'refund', reason: 'confirmed by the provider' });
    expect(await suspended(desk, found)).toBe(0n);
  });

  test('lost to a dispute, it is gone as well', async () => {
    const { order, found } = await paidWrongly({ amount_total: 500 });
    await desk.sim('POST', `/sessions/${found.session_id ?? ''}/dispute`, { outcome: 'lost' });
    const after = await caseOf(desk, order, ({ state }) => state === 'resolved');
    expect(after).toMatchObject({ resolution: 'cleared', reason: 'charged back at the provider' });
    expect(await suspended(desk, found)).toBe(0n);
  });

  test('lost to a dispute that Paydesk did not learn of, it is found to be lost when it is refused', async () => {
    const { order, found } = await paidWrongly({ amount_total: 500 });
    await desk.sim('POST', '/webhooks/hold', { hold: true });
    await desk.sim('POST', `/sessions/${found.session_id ?? ''}/dispute`, { outcome: 'lost' });
    const { body } = await resolve(desk, found, 'refund');
    expect(body).toMatchObject({ state: 'resolved', resolution: 'cleared' });
    expect(await suspended(desk, found)).toBe(0n);
    await desk.sim('POST', '/webhooks/hold', { hold: false });
    expect((await caseOf(desk, order)).detail.last).toBe('charged back at the provider');
  });
});

test('P5 into the merchant’s own account: on record, accepted and its fee taken, and nothing in suspense', async () => {
  const own = await openOwnShop(desk.service, desk.cardsim, desk.platform.owner, { available: 10n ** 9n });
  const order = await own.order();
  await own.start(order);
  await own.pay(order, { amount_total: 1_100 });
  const found = await caseOf(desk, order);
  expect(found).toMatchObject({ kind: 'mismatch', amount: '11.00', booked: false });
  expect(await resolve(desk, found, 'close')).toMatchObject(conflict);
  expect((await resolve(desk, found, 'accept')).body).toMatchObject({
    state: 'resolved',
    resolution: 'accept',
  });
  expect((await own.merchant.read(order.order_no)).body.status).toBe('paid');
  expect(await own.reservations(order)).toMatchObject([{ state: 'captured' }]);
});

test('D-726 on the merchant’s own account, a receipt whose refund the provider refuses is closed, and its attempt with it', async () => {
  const own = await openOwnShop(desk.service, desk.cardsim, desk.platform.owner, { available: 10n ** 9n });
  const order = await own.order();
  await own.start(order);
  await own.pay(order, { currency: 'eur' });
  const found = await caseOf(desk, order);
  expect(found).toMatchObject({ kind: 'mismatch', booked: false });
  expect(await resolve(desk, found, 'close')).toMatchObject(conflict);
  await desk.sim('POST', `/sessions/${found.session_id ?? ''}/dispute`, {});
  await caseOf(desk, order, ({ detail }) => detail.last === 'disputed at the provider: open');
  await resolve(desk, found, 'refund');
  expect((await caseOf(desk, order)).detail.last).toContain('charge_disputed');
  expect((await resolve(desk, found, 'close', 'settled with the buyer')).body).toMatchObject({
    state: 'resolved',
    resolution: 'close',
  });
  expect((await detailOf(desk, order)).attempts).toMatchObject([{ state: 'closed' }]);
  expect(await own.reservations(order)).toMatchObject([{ state: 'released' }]);
});

test('R-143, R-145 and the books balance after all of this', () => expectBalancedBooks(desk));

// The last of the file: two days later the prices are too old for new orders.
test('D-378 a refund is made once, also when the provider has forgotten the request', async () => {
  const [rest, part] = await Promise.all([
    paidWrongly({ amount_total: 1_560 }),
    paidWrongly({ amount_total: 3_180 }),
  ]);
  await resolve(desk, rest.found, 'accept', 'the buyer agrees');
  await resolve(desk, part.found, 'accept', 'the buyer agrees');
  await desk.sim('POST', '/webhooks/hold', { hold: true });
  await desk.sim('POST', '/faults', { endpoint: 'refunds.create', mode: 'reset_after', times: 2 });
  expect((await resolve(desk, rest.found, 'refund')).body.refund).toMatchObject({ status: 'pending' });
  expect((await shop.refund(part.order)).body.status).toBe('pending');

  await desk.sim('PUT', '/clock', { advance_seconds: 2 * day_s });
  await passTime(desk, 2 * day_s);
  await caseOf(desk, rest.order, ({ state }) => state === 'resolved');
  await shop.until(part.order, 'refunded');
  expect(await returnedOf(rest.found)).toEqual([500]);
  expect(await returnedOf(part.found)).toEqual([1_060]);
  expect(await suspended(desk, rest.found)).toBe(0n);
  await desk.sim('POST', '/webhooks/hold', { hold: false });
});
