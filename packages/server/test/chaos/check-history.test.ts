import { describe, expect, test } from 'vitest';
import { judge, type Rule } from './check-history.ts';
import type { Call, FinalOrder, History, Receipt, Seen } from './history.ts';

/** A run finds nothing as a rule: here the checker is shown each kind of wrong history. */

const pending: Seen = { status: 'pending', status_version: 1, event_id: null };
const paid: Seen = { status: 'paid', status_version: 2, event_id: 'pe_1' };
const refunded: Seen = { status: 'refunded', status_version: 3, event_id: 'pe_1' };

const call = (kind: Call['kind'], from_ms: number, more: Partial<Call>): Call => ({
  ...{ kind, client: 'a', from_ms, to_ms: from_ms + 5, status: 200, error: '', order_no: 'mp_1', key: 'k1' },
  ...more,
});
const read = (from_ms: number, order: Seen, more: Partial<Call> = {}): Call =>
  call('read', from_ms, { order, ...more });
const receipt = (at_ms: number, order: Seen, more: Partial<Receipt> = {}): Receipt => ({
  ...{ at_ms, invalid: '', notification_id: `n${order.status_version}`, order_no: 'mp_1' },
  ...{ digest: `d${order.status_version}`, order },
  ...more,
});

const created = call('create', 0, { status: 201, order: pending });
const payment = call('pay', 20, { method: 'ptk' });
const final: FinalOrder = {
  ...{
    order_no: 'mp_1',
    key: 'k1',
    order: paid,
    buyer: 'b',
    charged: 100n,
    settled: 97n,
    returned: 0n,
    open: [],
  },
};

/** An order that was created, paid from a wallet, read, and notified. */
const good: History = {
  calls: [created, read(10, pending), payment, read(30, paid)],
  provider_payments: [],
  receipts: [receipt(8, pending), receipt(40, paid)],
  orders: [final],
  wallets: [
    { name: 'b', owner: 'buyer', before: 1_000n, after: 900n },
    { name: 'm', owner: 'merchant', before: 0n, after: 97n },
  ],
};

const rulesOf = (history: History): Rule[] => [...new Set(judge(history).map(({ rule }) => rule))];
const and = (more: Partial<History>): History => ({ ...good, ...more });
const calls = (...more: Call[]): History => and({ calls: [...good.calls, ...more] });
const order = (more: Partial<FinalOrder>): Partial<History> => ({ orders: [{ ...final, ...more }] });

test('a right history has no violation', () => {
  expect(judge(good)).toEqual([]);
});

describe('correct histories that look unusual', () => {
  test.each<[string, History]>([
    ['answers that were lost', calls(call('pay', 25, { method: 'ptk', status: 0 }))],
    ['unavailability', calls(call('create', 25, { status: 503, order_no: '' }))],
    [
      'a request that came too slowly',
      calls(call('create', 25, { to_ms: 15_030, status: 408, error: 'request_timeout', order_no: '' })),
    ],
    [
      'a payment that meets the first one',
      calls(call('pay', 50, { method: 'ptk', status: 409, error: 'payment_conflict' })),
    ],
    ['a read under way while it is paid', calls(read(24, pending))],
    [
      'an order that stays unpaid and names what it would settle',
      and({
        orders: [final, { ...final, order_no: 'mp_2', key: 'k2', order: pending, buyer: null }],
        receipts: [...good.receipts, receipt(60, pending, { order_no: 'mp_2', notification_id: 'n3' })],
      }),
    ],
    ['a notification that comes again, late', and({ receipts: [...good.receipts, receipt(90, pending)] })],
    [
      'a refund',
      and({
        ...order({ order: refunded, returned: 100n }),
        calls: [...good.calls, call('refund', 50, { status: 201, refund: 'succeeded' }), read(60, refunded)],
        receipts: [...good.receipts, receipt(70, refunded)],
        wallets: [
          { name: 'b', owner: 'buyer', before: 1_000n, after: 1_000n },
          { name: 'm', owner: 'merchant', before: 0n, after: -3n },
        ],
      }),
    ],
    [
      'a payment by card',
      and({
        ...order({ buyer: null, charged: 0n }),
        calls: [created, call('pay', 10, { method: 'card' }), read(40, paid)],
        provider_payments: [{ order_no: 'mp_1', from_ms: 20 }],
        wallets: good.wallets.slice(1),
      }),
    ],
  ])('%s', (_, history) => {
    expect(judge(history)).toEqual([]);
  });
});

describe('R-142, R-144, R-145, R-259 problems that the observer finds', () => {
  test.each<[Rule, string, History]>([
    ['status-version', 'a read that goes back', calls(read(60, pending))],
    [
      'status-version',
      'a read that shows less than a notification',
      calls(read(9, { ...pending, status_version: 0 })),
    ],
    ['status-version', 'two states of one version', calls(read(60, { ...paid, status: 'refunded' }))],
    ['status-version', 'an order that ends below what was shown', and(order({ order: pending }))],
    [
      'read-your-writes',
      'an order that is not there after its creation',
      calls(call('read', 60, { status: 404, error: 'payment_not_found' })),
    ],
    ['read-your-writes', 'an order that is gone at the end', and({ orders: [] })],
    [
      'read-your-writes',
      'a payment that a later read does not show',
      calls(read(26, { ...pending, status_version: 2 })),
    ],
    [
      'read-your-writes',
      'a payment that the end does not show',
      and(order({ order: { ...pending, status_version: 2 } })),
    ],
    [
      'read-your-writes',
      'a refund that a later read does not show',
      calls(call('refund', 50, { status: 201, refund: 'succeeded' }), read(60, paid)),
    ],
    [
      'one-order-per-key',
      'two orders of one key',
      calls(call('create', 50, { status: 201, order_no: 'mp_2' })),
    ],
    ['one-order-per-key', 'an order with two keys', calls(call('create', 50, { status: 201, key: 'k2' }))],
    ['one-event-per-payment', 'two event ids of one payment', calls(read(60, { ...paid, event_id: 'pe_2' }))],
    [
      'one-event-per-payment',
      'one event id of two payments',
      and({ orders: [final, { ...final, order_no: 'mp_2', key: 'k2' }] }),
    ],
    ['one-event-per-payment', 'a paid order without one', calls(read(60, { ...paid, event_id: null }))],
    ['receipt-for-payment', 'a paid order without a payment', and({ calls: [created, read(30, paid)] })],
    [
      'receipt-for-payment',
      'a receipt before the payment',
      and({ receipts: [...good.receipts, receipt(15, paid)] }),
    ],
    ['payment-for-receipt', 'a payment without notification', and({ receipts: [receipt(8, pending)] })],
    [
      'payment-for-receipt',
      'a payment at the provider that does not show',
      and({ provider_payments: [{ order_no: 'mp_2', from_ms: 20 }] }),
    ],
    [
      'money',
      'a buyer who was debited twice',
      and({ wallets: [{ name: 'b', owner: 'buyer', before: 1_000n, after: 800n }] }),
    ],
    [
      'money',
      'a merchant without the money',
      and({ wallets: [{ name: 'm', owner: 'merchant', before: 0n, after: 0n }] }),
    ],
    [
      'signature',
      'a notification with a wrong signature',
      and({ receipts: [receipt(8, pending, { invalid: 'bad' }), receipt(40, paid)] }),
    ],
    [
      'signature',
      'a notification whose body changes',
      and({ receipts: [...good.receipts, receipt(50, paid, { digest: 'x' })] }),
    ],
    ['answers', 'an internal error', calls(call('read', 60, { status: 500, error: 'internal_error' }))],
    [
      'answers',
      'a refusal that does not fit',
      calls(call('create', 60, { status: 401, error: 'invalid_token', order_no: '' })),
    ],
    [
      'answers',
      'a request that is called slow and was not',
      calls(call('create', 60, { status: 408, error: 'request_timeout', order_no: '' })),
    ],
    ['rest', 'an attempt that stays open', and(order({ open: ['an attempt is unknown'] }))],
  ])('%s: %s', (rule, _, history) => {
    expect(rulesOf(history)).toContain(rule);
  });
});
