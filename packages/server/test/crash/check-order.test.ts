import { describe, expect, test } from 'vitest';
import { type Detail, isAtRest, problemsOf } from './check-order.ts';
import type { OrderRecord } from './order-record.ts';

/** The crash test normally finds nothing. These tests show the problems that it would find. */

const buyer_user_id = '0190c1a0-0000-7000-8000-00000000000b';

const record: OrderRecord = {
  kind: 'ptk',
  request: { idempotency_key: 'order-1/1', external_reference: 'order-1' },
  buyer_user_id,
  order_no: 'mp_1',
  checkout_token: 'ct',
  seen: { status: 'paid', status_version: 2 },
  acknowledged: 1,
  found_paid: false,
  lost_starts: 0,
  redirect_url: '',
  paid_at_provider: false,
};

const wallet = `user:${buyer_user_id}:available`;
const transfer = { posting: 'P2', debit: wallet, currency: 'PTK' };
const attempt = { state: 'paid', provider: 'ptk', amount: '100.00000000', buyer_user_id };
const event = { event_id: 'evt_2', status_version: 2, delivery_status: 'delivered' };
const order = {
  order_no: 'mp_1',
  status: 'paid',
  status_version: 2,
  event_id: 'pe_1',
  idempotency_key: 'order-1/1',
  settlement_ptk: '9700000000',
};

const detail: Detail = {
  order,
  attempts: [attempt],
  postings: [
    { ...transfer, credit: 'inc:buyer_fee:PTK', amount_minor: '200000000' },
    { ...transfer, credit: 'inc:merchant_fee', amount_minor: '100000000' },
    { ...transfer, credit: 'm:held:mp_1', amount_minor: '9700000000' },
  ],
  notifications: [event, { event_id: 'evt_1', status_version: 1, delivery_status: 'delivered' }],
};

const arrived = new Map([
  [1, 'evt_1'],
  [2, 'evt_2'],
]);

test('an order that was paid, settled and notified once is finished and has no problem', () => {
  expect(isAtRest(record, detail)).toBe(true);
  expect(problemsOf(record, detail, arrived)).toEqual([]);
});

describe('problems that the checks find', () => {
  const unpaid: Partial<Detail> = {
    order: { order_no: 'mp_1', status: 'pending', status_version: 1, idempotency_key: 'order-1/1' },
    attempts: [],
    postings: [],
  };

  test.each<[string, Partial<Detail>, RegExp]>([
    ['an acknowledged payment that is gone', unpaid, /is pending 1, not paid 2/],
    ['a payment without its entry', { postings: [] }, /its postings are ""/],
    [
      'a second entry',
      { postings: [...detail.postings, ...detail.postings] },
      /its postings are "P2 P2 P2 P2/,
    ],
    ['an entry cut short', { postings: detail.postings.slice(0, 2) }, /settled 0, not 9700000000/],
    ['postings without a payment', { ...unpaid, postings: detail.postings }, /postings without a payment/],
    ['a second attempt', { attempts: [attempt, attempt] }, /attempts are "paid, paid"/],
    [
      'an attempt that is stuck',
      { attempts: [{ ...attempt, state: 'creating' }] },
      /attempts are "creating"/,
    ],
    ['a payment by another', { attempts: [{ ...attempt, buyer_user_id: null }] }, /another paid it/],
    ['a charge that is not the price', { attempts: [{ ...attempt, amount: '99.00000000' }] }, /charged 1000/],
    ['the order of another key', { order: { ...order, idempotency_key: 'x' } }, /the key of another/],
    ['a status change without event', { notifications: [event] }, /has not one event of version 1/],
    ['an event twice', { notifications: [...detail.notifications, event] }, /not one event of version 2/],
    [
      'an event that was given up',
      { notifications: [{ ...event, delivery_status: 'failed' }, ...detail.notifications.slice(1)] },
      /version 2 is failed/,
    ],
  ])('%s', (_, change, problem) => {
    expect(problemsOf(record, { ...detail, ...change }, arrived).join('\n')).toMatch(problem);
  });

  test.each<[string, Partial<OrderRecord>, RegExp]>([
    ['two acknowledgements', { acknowledged: 2 }, /acknowledged as paid 2 times/],
    ['a payment that no caller was told of', { acknowledged: 0, lost_starts: 1 }, /no caller was told/],
    ['a payment without any lost answer', { acknowledged: 0, found_paid: true }, /no answer was lost/],
    ['a payment of an order that no buyer paid', { kind: 'untouched' }, /is paid 2, not pending 1/],
  ])('%s', (_, change, problem) => {
    expect(problemsOf({ ...record, ...change }, detail, arrived).join('\n')).toMatch(problem);
  });

  test.each<[string, [number, string][], RegExp]>([
    ['an event that never arrived', [[1, 'evt_1']], /no notification told of version 2/],
    [
      'another event than the stored one',
      [
        [1, 'evt_1'],
        [2, 'evt_3'],
      ],
      /version 2 is not the one that arrived/,
    ],
  ])('%s', (_, got, problem) => {
    expect(problemsOf(record, detail, new Map(got)).join('\n')).toMatch(problem);
  });

  test('an order is not at rest while an event waits or an attempt is unclear', () => {
    const waiting = { ...detail, notifications: [{ ...event, delivery_status: 'pending' }] };
    const unclear = { ...detail, attempts: [{ ...attempt, state: 'unknown' }] };
    expect([isAtRest(record, waiting), isAtRest(record, unclear)]).toEqual([false, false]);
  });
});
