import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type Attempt,
  type Case,
  detailOf,
  expectBalancedBooks,
  namesOf,
  passTime,
  pay,
  resolve,
  type Session,
  sessionOf,
  strangeSession,
} from '../../support/desks/cases.ts';
import { type LossDesk, openLossDesk } from '../../support/desks/losses.ts';
import { fee, openOwnShop, type OwnShop } from '../../support/desks/own-channel.ts';
import type { Order } from '../../support/desks/platform.ts';
import { eventually } from '../../support/desks/service.ts';

const funds = 10n ** 9n;

let desk: LossDesk;

beforeAll(async () => {
  desk = await openLossDesk();
});
afterAll(() => desk.stop());
beforeEach(() => desk.sim('DELETE', '/faults'));

interface Waiting {
  own: OwnShop;
  order: Order;
  /** The session that the waiting attempt requested. Its payment is under way. */
  asked: Session;
  found: Case;
}

const attemptsOf = async (order: Order): Promise<Attempt[]> => (await detailOf(desk, order)).attempts;

/** Pays a session that Paydesk did not request, in the name of an attempt. */
async function payAnother(own: OwnShop, order: Order, { attempt_id }: Attempt): Promise<void> {
  const names = await namesOf(desk, order, attempt_id);
  const price = { 'line_items[0][price_data][unit_amount]': '1000' };
  await pay(desk, await strangeSession(desk, { ...names, ...price }, own.secret_key));
}

/** An order whose first attempt was refused, and whose second attempt is open, with its fee reserved. */
async function refusedThenStarted(own: OwnShop) {
  const order = await own.order();
  await desk.sim('POST', '/faults', {
    endpoint: 'sessions.create',
    mode: 'status',
    status: 400,
    body: { error: { type: 'invalid_request_error', code: 'amount_too_small', message: 'No.' } },
    times: 1,
  });
  expect((await own.start(order)).body).toMatchObject({ error: 'provider_checkout_rejected' });
  expect((await own.start(order)).status).toBe(200);
  const [second, refused] = await attemptsOf(order);
  if (refused === undefined || second === undefined) throw new Error('two attempts were expected');
  return { order, refused, second };
}

const paid = (own: OwnShop, order: Order) =>
  eventually(
    () => own.merchant.read(order.order_no),
    ({ body }) => body.status === 'paid',
  );

/** The first case of an order of which this is true, once it is there. */
async function caseWhere(order: Order, isMeant: (found: Case) => boolean): Promise<Case> {
  const { cases } = await eventually(
    () => detailOf(desk, order),
    (shown) => shown.cases.some(isMeant),
  );
  return cases.find(isMeant) as Case;
}

/**
 * An order on a merchant's own channel, whose refused attempt was paid after all. Its second attempt waits: the payment
 * of its own session is under way, and another session of it was paid.
 */
async function waitingBehindDuplicate(): Promise<Waiting> {
  const own = await openOwnShop(desk.service, desk.cardsim, desk.platform.owner, { available: funds });
  const { order, refused, second } = await refusedThenStarted(own);
  const asked = await sessionOf(desk, order);
  await pay(desk, asked, { async: true, webhook: 'none' });
  await payAnother(own, order, refused);
  await paid(own, order);
  await payAnother(own, order, second);
  const found = await caseWhere(order, ({ kind }) => kind === 'duplicate_payment');
  expect(found).toMatchObject({ state: 'open', attempt_id: second.attempt_id, booked: false });
  return { own, order, asked, found };
}

/** What the merchant has paid, and what the attempts of the order hold: both newest first. */
async function moneyOf({ own, order }: Waiting) {
  const postings = await own.postings(order);
  return {
    attempts: (await attemptsOf(order)).map(({ state }) => state),
    fees: (await own.reservations(order)).map(({ state }) => state),
    wallet: await own.wallet(),
    given_back: postings.filter((line) => line.startsWith('P4c')).length,
  };
}

const waits = {
  attempts: ['mismatch', 'paid_late'],
  fees: ['reserved', 'captured_late'],
  wallet: { available_ptk: (funds - 2n * fee).toString(), fee_reserved_ptk: fee.toString() },
  // The fee of the refused attempt, before its payment came.
  given_back: 1,
};

const ended = {
  attempts: ['closed', 'paid_late'],
  fees: ['released', 'captured_late'],
  wallet: { available_ptk: (funds - fee).toString() },
  given_back: 2,
};

const settle = (session: Session, outcome: 'succeeded' | 'failed') =>
  desk.sim('POST', `/sessions/${session.id}/settle-async`, { outcome });

describe('D-670 an attempt that waits behind a duplicate payment', () => {
  test.each(['close', 'refund'])('ends with a %s, and its fee is given back once', async (action) => {
    const waiting = await waitingBehindDuplicate();
    expect(await moneyOf(waiting)).toEqual(waits);
    expect((await resolve(desk, waiting.found, action)).body).toMatchObject({
      state: 'resolved',
      resolution: action,
    });
    expect(await moneyOf(waiting)).toEqual(ended);
    for (const again of ['close', 'refund']) {
      expect((await resolve(desk, waiting.found, again)).status).toBe(409);
    }
    await settle(waiting.asked, 'failed');
    await passTime(desk, 3_700);
    expect(await moneyOf(waiting)).toEqual(ended);
    expect((await waiting.own.merchant.read(waiting.order.order_no)).body.status).toBe('paid');
  });

  test.each(['close', 'refund'])(
    'is put to a person again if its own payment comes after a %s',
    async (action) => {
      const waiting = await waitingBehindDuplicate();
      await resolve(desk, waiting.found, action);
      await settle(waiting.asked, 'succeeded');
      const { cases } = await eventually(
        () => detailOf(desk, waiting.order),
        (shown) => shown.cases.length > 1,
      );
      const own = cases.find(({ case_id }) => case_id !== waiting.found.case_id);
      expect(own).toMatchObject({ kind: 'duplicate_payment', state: 'open', session_id: waiting.asked.id });
      expect(await moneyOf(waiting)).toMatchObject({ wallet: ended.wallet, given_back: 2 });
      expect((await resolve(desk, own as Case, action)).body).toMatchObject({ state: 'resolved' });
      expect(await moneyOf(waiting)).toMatchObject({ wallet: ended.wallet, given_back: 2 });
    },
  );

  test('keeps waiting while a case about its own request is open, and ends with that case', async () => {
    const own = await openOwnShop(desk.service, desk.cardsim, desk.platform.owner, { available: funds });
    const { order, refused, second } = await refusedThenStarted(own);
    await payAnother(own, order, second);
    const about = await caseWhere(order, ({ kind }) => kind === 'mismatch');
    await payAnother(own, order, refused);
    await paid(own, order);
    await payAnother(own, order, second);
    const found = await caseWhere(order, ({ kind }) => kind === 'duplicate_payment');
    const waiting = { own, order, asked: await sessionOf(desk, order), found };
    expect((await resolve(desk, found, 'close')).body).toMatchObject({ state: 'resolved' });
    expect(await moneyOf(waiting)).toEqual(waits);
    expect((await resolve(desk, about, 'refund')).body).toMatchObject({ state: 'resolved' });
    expect(await moneyOf(waiting)).toEqual(ended);
  });
});

test('D-800 an attempt of which two receipts wait ends with the decision about the second', async () => {
  const own = await openOwnShop(desk.service, desk.cardsim, desk.platform.owner, { available: funds });
  const { order, second } = await refusedThenStarted(own);
  const stateOf = async () => [
    (await own.merchant.read(order.order_no)).body.status,
    (await attemptsOf(order))[0]?.state,
  ];
  await payAnother(own, order, second);
  await caseWhere(order, ({ kind }) => kind === 'mismatch');
  await payAnother(own, order, second);
  const { cases } = await eventually(
    () => detailOf(desk, order),
    (shown) => shown.cases.length === 2,
  );
  await passTime(desk, 3_700);
  expect(await stateOf()).toEqual(['review', 'mismatch']);
  for (const [i, found] of cases.entries()) {
    expect((await resolve(desk, found, 'refund')).body).toMatchObject({ state: 'resolved' });
    expect(await stateOf()).toEqual(i === 0 ? ['review', 'mismatch'] : ['expired', 'closed']);
  }
});

test('the books balance after all of this', () => expectBalancedBooks(desk));
