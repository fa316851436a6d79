import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { copyDistributed, sql, type Sql } from '../../../src/base/pg/index.ts';
import { checkBooks } from '../../../src/payments/facts/verify-books.ts';
import type { Finding } from '../../../src/ledger/verification/findings.ts';
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
  type Session,
  startedCard,
  strangeSession,
  suspended,
} from '../../support/desks/cases.ts';
import { type LossDesk, openLossDesk, openShop, type Shop } from '../../support/desks/losses.ts';
import { openOwnShop } from '../../support/desks/own-channel.ts';
import { checkoutOf, type Order } from '../../support/desks/platform.ts';
import { eventually } from '../../support/desks/service.ts';
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
/** Starts a card payment of which the provider never says whether it made a session. */
async function unclearStart(mode: 'hang_before' | 'status' | 'reset_after'): Promise<Order> {
  const order = await shop.unpaid();
  const fault = mode === 'status' ? { mode, status: 500 } : { mode };
  await desk.sim('POST', '/faults', { endpoint: 'sessions.create', ...fault, times: 1 });
  const checkout = checkoutOf(desk.service, order);
  const answer = await checkout.start(await checkout.methodOf('cardprov'));
  expect(answer).toMatchObject({ status: 202, body: { error: 'provider_result_pending' } });
  return order;
}

/** A second session of an order's attempt, which Paydesk did not request. */
async function secondSession(order: Order): Promise<Session> {
  const [attempt] = (await detailOf(desk, order)).attempts;
  return strangeSession(desk, await namesOf(desk, order, attempt?.attempt_id ?? ''));
}

describe('table 3.1: a second verified payment of a paid order', () => {
  /** An order whose card attempt the provider has refused. */
  async function refused(): Promise<Order> {
    const order = await shop.unpaid();
    await desk.sim('POST', '/faults', {
      endpoint: 'sessions.create',
      mode: 'status',
      status: 400,
      body: { error: { type: 'invalid_request_error', code: 'amount_too_small', message: 'No.' } },
    });
    const checkout = checkoutOf(desk.service, order);
    const answer = await checkout.start(await checkout.methodOf('cardprov'));
    expect(answer.body).toMatchObject({ error: 'provider_checkout_rejected' });
    return order;
  }

  /** An order that PTK has paid after the card was refused, and whose refused attempt is then paid after all. */
  async function paidTwice(): Promise<{ order: Order; found: Case }> {
    const order = await refused();
    const checkout = checkoutOf(desk.service, order, desk.cookie);
    const session = await secondSession(order);
    expect((await checkout.start(await checkout.methodOf('ptk'))).body).toEqual({ status: 'paid' });
    await pay(desk, session, { webhook: 'duplicate' });
    return { order, found: await caseOf(desk, order) };
  }

  test('R-228, D-082, P10: nothing of the order moves, and the money waits in suspense, once', async () => {
    const { order, found } = await paidTwice();
    expect(found).toMatchObject({
      kind: 'duplicate_payment',
      state: 'open',
      amount: '10.60',
      currency: 'USD',
      booked: true,
      detail: { why: 'the order had been paid already' },
    });
    const { attempts, order: shown } = await detailOf(desk, order);
    expect(shown).toMatchObject({ status: 'paid', status_version: 2, payment_no: desk.platform.ptk_channel });
    expect(attempts.map(({ state }) => state)).toEqual(['paid', 'paid_late']);
    expect(await linesOf(desk, order.order_no, found)).toEqual([
      'P10 prov:CHANNEL:USD > susp:USD:CASE 1060 USD',
    ]);
    await passTime(desk, 61);
    expect(await suspended(desk, found)).toBe(1_060n);
  });

  test('D-861 a payment of a refused attempt that fails after all changes nothing, and is no difference', async () => {
    const order = await refused();
    const session = await secondSession(order);
    await pay(desk, session, { async: true });
    await desk.sim('POST', `/sessions/${session.id}/settle-async`, { outcome: 'failed' });
    const { attempts } = await eventually(
      () => detailOf(desk, order),
      (shown) => shown.attempts[0]?.provider_trade_no !== null,
    );
    expect(attempts).toMatchObject([{ state: 'rejected', session_id: session.id }]);
    await expectBalancedBooks(desk);
    expect(await statusOf(order)).toBe('pending');
  });

  test('P10r is given back, and the order stays paid; it cannot be closed over, nor resolved twice', async () => {
    const { order, found } = await paidTwice();
    for (const action of ['close', 'accept', 'void', 'absent']) {
      expect(await resolve(desk, found, action)).toMatchObject(conflict);
    }
    expect((await resolve(desk, found, 'refund', 'paid twice')).body).toMatchObject({
      state: 'resolved',
      resolution: 'refund',
      reason: 'paid twice',
      refund: { status: 'succeeded', amount_minor: '1060' },
    });
    expect(await suspended(desk, found)).toBe(0n);
    for (const action of ['refund', 'close']) {
      expect(await resolve(desk, found, action)).toMatchObject(conflict);
    }
    await passTime(desk, 61);
    expect(await detailOf(desk, order)).toMatchObject({
      order: { status: 'paid' },
      refunds: [],
      complaints: [],
    });
    expect(await auditOn(desk.service, `case:${found.case_id}`, 'case.refund')).toMatchObject([
      {
        reason: 'paid twice',
        before: { state: 'open', refund: null },
        after: { refund: { status: 'pending' } },
      },
    ]);
  });

  test('through another session of the attempt that has paid it', async () => {
    const { order } = await shop.byCard();
    await pay(desk, await secondSession(order));
    const found = await caseOf(desk, order);
    expect(found).toMatchObject({ kind: 'duplicate_payment', amount: '10.60', booked: true });
    expect(await suspended(desk, found)).toBe(1_060n);
    expect(await statusOf(order)).toBe('paid');
  });

  test('where the first came through another session: the one that was asked for pays the order', async () => {
    const order = await shop.unpaid();
    const asked = await startedCard(desk, order);
    await pay(desk, await secondSession(order));
    const found = await caseOf(desk, order);
    expect(found).toMatchObject({ kind: 'mismatch', detail: { why: 'session is not what was asked for' } });
    await pay(desk, asked);
    await shop.until(order, 'paid');
    expect(await resolve(desk, found, 'accept')).toMatchObject(conflict);
    expect((await resolve(desk, found, 'refund')).body.state).toBe('resolved');
    expect(await suspended(desk, found)).toBe(0n);
    expect(await statusOf(order)).toBe('paid');
  });

  test('D-860 where both were paid wrongly: the attempt has the payment of its own session', async () => {
    const order = await shop.unpaid();
    const asked = await startedCard(desk, order);
    await pay(desk, await secondSession(order));
    const { provider_payment_id } = await caseOf(desk, order);
    await pay(desk, asked, { amount_total: 500 });
    const { attempts, cases } = await eventually(
      () => detailOf(desk, order),
      // A page reads attempts and cases one after the other.
      (shown) => shown.cases.length === 2 && shown.attempts[0]?.provider_trade_no !== null,
    );
    const own = cases.find((found) => found.provider_payment_id !== provider_payment_id);
    expect(own).toMatchObject({ session_id: asked.id, amount: '5.00' });
    expect(attempts).toMatchObject([{ state: 'mismatch', provider_trade_no: own?.provider_payment_id }]);
  });

  test('where the other one was accepted: the one that was asked for is followed, and its payment found', async () => {
    const order = await shop.unpaid();
    const asked = await startedCard(desk, order);
    await pay(desk, asked, { async: true, webhook: 'none' });
    const other = await secondSession(order);
    await pay(desk, other);
    expect((await resolve(desk, await caseOf(desk, order), 'accept')).body.state).toBe('resolved');
    expect(await statusOf(order)).toBe('paid');
    await desk.sim('POST', `/sessions/${asked.id}/settle-async`, { outcome: 'succeeded', webhook: 'none' });
    await passTime(desk, 61);
    const { cases } = await eventually(
      () => detailOf(desk, order),
      (shown) => shown.cases.length === 2,
    );
    const second = cases.find(({ kind }) => kind === 'duplicate_payment');
    expect(second).toMatchObject({ session_id: asked.id, amount: '10.60', booked: true });
    expect(await statusOf(order)).toBe('paid');
  });

  test('where the other one was accepted: the requested one is closed, so that no buyer pays it', async () => {
    const order = await shop.unpaid();
    const asked = await startedCard(desk, order);
    await pay(desk, await secondSession(order));
    await resolve(desk, await caseOf(desk, order), 'accept');
    await passTime(desk, 61);
    // The service's own worker may be at it.
    await eventually(
      () => desk.sim<{ items: Session[] }>('GET', '/sessions'),
      ({ items }) => items.find(({ id }) => id === asked.id)?.['status'] === 'expired',
    );
    expect((await detailOf(desk, order)).cases).toHaveLength(1);
  });

  test('an unpaid session that was not requested has no effect', async () => {
    const order = await shop.unpaid();
    const asked = await startedCard(desk, order);
    const other = await secondSession(order);
    await desk.provider(`/checkout/sessions/${other.id}/expire`, {});
    await passTime(desk, 61);
    expect(await detailOf(desk, order)).toMatchObject({ attempts: [{ state: 'open' }], cases: [] });
    await pay(desk, asked);
    await shop.until(order, 'paid');
  });

  test('P5 into the merchant’s own account is on record, and closed with a reason or given back from there', async () => {
    const own = await openOwnShop(desk.service, desk.cardsim, desk.platform.owner, { available: 10n ** 9n });
    const order = await own.order();
    await own.start(order);
    await own.pay(order);
    await eventually(
      () => own.merchant.read(order.order_no),
      ({ body }) => body.status === 'paid',
    );
    const [attempt] = (await detailOf(desk, order)).attempts;
    const names = await namesOf(desk, order, attempt?.attempt_id ?? '');
    await pay(desk, await strangeSession(desk, names, own.secret_key));
    const found = await caseOf(desk, order);
    expect(found).toMatchObject({ kind: 'duplicate_payment', amount: '10.60', booked: false });
    expect((await resolve(desk, found, 'close', 'the merchant returns it')).body).toMatchObject({
      state: 'resolved',
      resolution: 'close',
      refund: null,
    });
    expect((await own.reservations(order)).map(({ state }) => state)).toEqual(['captured']);
  });

  test('P5 the same, given back from there: nothing of the platform’s moves', async () => {
    const own = await openOwnShop(desk.service, desk.cardsim, desk.platform.owner, { available: 10n ** 9n });
    const order = await own.order();
    await own.start(order);
    const [attempt] = (await detailOf(desk, order)).attempts;
    const names = await namesOf(desk, order, attempt?.attempt_id ?? '');
    await pay(desk, await strangeSession(desk, names, own.secret_key));
    const found = await caseOf(desk, order);
    expect(found).toMatchObject({ kind: 'mismatch', booked: false });
    await own.pay(order);
    await eventually(
      () => own.merchant.read(order.order_no),
      ({ body }) => body.status === 'paid',
    );
    expect((await resolve(desk, found, 'refund')).body).toMatchObject({
      state: 'resolved',
      refund: { status: 'succeeded', amount_minor: '1060' },
    });
    expect(await linesOf(desk, order.order_no, found)).toEqual([]);
  });
});

describe('R-234 a creation that stays unknown', () => {
  test('D-087, D-094 answers 202, keeps the order pending, then in review, with a case that resolves itself once the look-up is conclusive', async () => {
    const order = await unclearStart('status');
    expect(await detailOf(desk, order)).toMatchObject({ order: { status: 'pending' }, cases: [] });
    await desk.sim('POST', '/faults', { endpoint: 'sessions.create', mode: 'status', status: 500, times: 9 });
    await desk.sim('POST', '/faults', { endpoint: 'sessions.list', mode: 'status', status: 500, times: 99 });
    await passTime(desk, 3_700);
    const found = await caseOf(desk, order);
    expect(found).toMatchObject({ kind: 'unknown_creation', state: 'open', booked: false });
    expect(await statusOf(order)).toBe('review');
    await desk.sim('DELETE', '/faults');
    for (let minute = 0; minute < 4; minute++) await passTime(desk, 61);
    expect(await statusOf(order)).toBe('expired');
    const { attempts, cases } = await detailOf(desk, order);
    expect(attempts.map(({ state }) => state)).toEqual(['absent']);
    expect(cases).toMatchObject([
      { state: 'resolved', resolution: 'cleared', reason: 'the attempt is absent' },
    ]);
    expect(await resolve(desk, found, 'absent')).toMatchObject(conflict);
  });

  test('resolves itself where the session is found and paid', async () => {
    const order = await unclearStart('reset_after');
    await desk.sim('POST', '/faults', { endpoint: 'sessions.create', mode: 'status', status: 500, times: 9 });
    await desk.sim('POST', '/faults', { endpoint: 'sessions.list', mode: 'status', status: 500, times: 99 });
    const session = await sessionOfOrder(order);
    await pay(desk, session, { webhook: 'none' });
    await passTime(desk, 3_700);
    const found = await caseOf(desk, order);
    await desk.sim('DELETE', '/faults');
    await passTime(desk, 61);
    await shop.until(order, 'paid');
    expect(await caseOf(desk, order)).toMatchObject({
      case_id: found.case_id,
      resolution: 'cleared',
      reason: 'the attempt is paid',
    });
  });

  test('D-093 the administrator decides earlier, with a reason; a payment that comes after all counts', async () => {
    const order = await unclearStart('reset_after');
    await desk.sim('POST', '/faults', { endpoint: 'sessions.create', mode: 'status', status: 500, times: 9 });
    await desk.sim('POST', '/faults', { endpoint: 'sessions.list', mode: 'status', status: 500, times: 9 });
    await passTime(desk, 3_700);
    const found = await caseOf(desk, order);
    expect(await resolve(desk, found, 'absent', ' ')).toMatchObject({
      status: 400,
      body: { error: 'invalid_request', field: 'reason' },
    });
    for (const action of ['refund', 'accept', 'void', 'close']) {
      expect(await resolve(desk, found, action)).toMatchObject(conflict);
    }
    expect(
      (await resolve(desk, found, 'absent', 'the provider has confirmed it by telephone')).body,
    ).toMatchObject({
      state: 'resolved',
      resolution: 'absent',
    });
    expect(await statusOf(order)).toBe('expired');
    expect((await detailOf(desk, order)).attempts).toMatchObject([{ state: 'absent' }]);
    await desk.sim('DELETE', '/faults');
    await pay(desk, await sessionOfOrder(order));
    await shop.until(order, 'paid');
    expect((await detailOf(desk, order)).attempts).toMatchObject([{ state: 'paid_late' }]);
  });
});

const sessionOfOrder = async ({ order_no }: Order): Promise<Session> => {
  const { items } = await desk.sim<{ items: Session[] }>('GET', '/sessions');
  const found = items.find(({ metadata }) => metadata.order_no === order_no);
  if (found === undefined) throw new Error('no session');
  return found;
};

describe('R-378 what an operator sees', () => {
  test('what was asked of the provider, what came back, in order', async () => {
    const order = await unclearStart('status');
    await passTime(desk, 61);
    const session = await sessionOfOrder(order);
    await pay(desk, session);
    await shop.until(order, 'paid');
    const [attempt] = (await detailOf(desk, order)).attempts;
    expect(attempt?.detail.history).toMatchObject([
      { asked: 'create the session', seen: expect.stringMatching(/^unclear: .*500/) as string },
      { asked: 'create the session', seen: 'open' },
      { asked: 'look up the session', seen: 'paid' },
    ]);
  });

  test('cases are listed newest first, by state and by kind, page by page', async () => {
    const list = (query: string) =>
      desk.service.admin<{ items: Case[]; next_cursor?: string }>('GET', `/cases${query}`);
    const { items } = await list('?limit=100');
    const ids = items.map(({ case_id }) => case_id);
    expect(ids.length).toBeGreaterThan(5);
    expect(ids).toEqual([...ids].sort().reverse());
    const first = await list('?limit=2');
    const second = await list(`?limit=2&cursor=${first.next_cursor ?? ''}`);
    expect([...first.items, ...second.items].map(({ case_id }) => case_id)).toEqual(ids.slice(0, 4));
    const some = await list('?limit=100&kind=duplicate_payment&state=resolved');
    expect(some.items.length).toBeGreaterThan(0);
    expect(some.items).toEqual(
      items.filter(({ kind, state }) => kind === 'duplicate_payment' && state === 'resolved'),
    );
  });

  test.each(['state=lost', 'limit=0', 'cursor=x'])('a list by %s is refused', async (query) => {
    const headers = { authorization: 'Bearer test-administration-key' };
    const answer = await desk.service.send('GET', `/admin/v1/cases?${query}`, { headers });
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
  });

  test.each<[string, unknown, unknown]>([
    ['an unknown action', 'forgive', 'why'],
    ['no action', undefined, 'why'],
    ['no reason', 'close', undefined],
    ['an empty reason', 'close', '  '],
  ])('a decision with %s is refused', async (_, action, reason) => {
    const { items } = await desk.service.admin<{ items: Case[] }>('GET', '/cases?limit=1');
    const answer = await desk.send(`/cases/${items[0]?.case_id ?? ''}/resolution`, { action, reason });
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
  });

  test('a decision on a case that is none is refused', async () => {
    const answer = await desk.send('/cases/ca_1/resolution', { action: 'close', reason: 'why' });
    expect(answer).toMatchObject({ status: 404, body: { error: 'not_found' } });
  });

  test('D-076 a partial refund is a case that is closed with a reason', async () => {
    const { order, payment_id } = await shop.byCard();
    await desk.provider('/refunds', { payment_intent: payment_id, amount: '100' });
    const found = await caseOf(desk, order);
    expect(found).toMatchObject({ kind: 'partial_refund', state: 'open', amount: '1.00', booked: false });
    expect(await resolve(desk, found, 'refund')).toMatchObject(conflict);
    expect((await resolve(desk, found, 'close', 'goodwill')).body).toMatchObject({ state: 'resolved' });
  });
});

describe('verify-ledger finds', () => {
  class Undo extends Error {}

  /** What the check says of suspense after some damage, which is undone again. */
  async function findingsAfter(damage: Sql): Promise<string[]> {
    let found: Finding[] = [];
    const work = beside(desk.service, (db) =>
      db.transaction(async (tx) => {
        await tx.query(damage);
        await copyDistributed(tx);
        ({ findings: found } = await checkBooks(tx, null));
        throw new Undo();
      }),
    );
    await expect(work).rejects.toThrow(Undo);
    return found.filter(({ kind }) => kind === 'suspense_amount').map(({ words }) => words);
  }

  test.each<[string, (found: Case) => Sql, RegExp]>([
    [
      'a case that was resolved over its money',
      ({ case_id }) => sql`UPDATE payment_cases SET state = 'resolved', resolution = 'close', reason = 'x',
        resolved_at = opened_at WHERE case_id = ${case_id}`,
      /^case ca_\w+ is resolved, and 1060 minor units of USD wait in suspense under it$/,
    ],
    [
      'an open case whose money is gone',
      ({ case_id }) => sql`UPDATE ledger_balances SET balance = 0 WHERE ref = ${case_id}`,
      /^case ca_\w+ is open, and 0 minor units of USD wait in suspense under it$/,
    ],
    [
      'money of no case',
      ({ case_id }) => sql`DELETE FROM payment_cases WHERE case_id = ${case_id}`,
      /^1060 minor units of USD wait in suspense under ca_\w+, and there is no such case$/,
    ],
    [
      'money in another currency than came in',
      ({ case_id }) => sql`UPDATE payment_cases SET currency = 'EUR' WHERE case_id = ${case_id}`,
      /^case ca_\w+ is open, and 1060 minor units of USD wait in suspense under it$/,
    ],
  ])('%s', async (_, damage, words) => {
    const { items } = await desk.service.admin<{ items: Case[] }>(
      'GET',
      '/cases?kind=duplicate_payment&state=open',
    );
    const open = items.find(({ booked }) => booked === true);
    if (open === undefined) throw new Error('no case with money');
    expect(await findingsAfter(damage(open))).toEqual([expect.stringMatching(words)]);
  });
});

test('R-143, R-145 and the books balance after all of this', () => expectBalancedBooks(desk));
