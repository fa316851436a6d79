import { describe, expect, test } from 'vitest';
import { type Bought, endOf, purchaseProblems, type Sold } from './check-purchase.ts';
import { nothingPaid } from './payment-record.ts';
import type { PurchaseRecord } from './purchase-record.ts';
import type { Product } from './shelf.ts';

const buyer_user_id = '0190c1a0-0000-7000-8000-00000000000b';
const product: Product = {
  gd_no: 'gd_1',
  delivery: 'code',
  stocked: 3,
  codes: ['CODE-1', 'CODE-2', 'CODE-3'],
};

const record: PurchaseRecord = {
  ...nothingPaid(),
  kind: 'ptk',
  product,
  request: { gd_no: 'gd_1', quantity: 2, payment_no: 'pc_1', other_ipu: { reference: 'ref-1' } },
  buyer_user_id,
  order_no: 'co_1',
  acknowledged: 1,
  lost_creations: 1,
  refused_of: null,
  seen: 1,
  trade_no: 'PTK:co_1',
  delivered: false,
};

const sold: Sold = {
  order_no: 'co_1',
  gd_no: 'gd_1',
  quantity: 2,
  status: 3,
  settlement_ptk: '9700000000',
  payment_pay_amount: 10_000_000_000,
  payment_currency_decimals: 8,
  other_ipu: { reference: 'ref-1' },
};
const transfer = { posting: 'P2', debit: `user:${buyer_user_id}:available`, currency: 'PTK' };
const attempt = { state: 'paid', provider: 'ptk', amount: '100.00000000', buyer_user_id };

const bought: Bought = {
  sold,
  attempts: [attempt],
  postings: [
    { ...transfer, credit: 'inc:buyer_fee:PTK', amount_minor: '200000000' },
    { ...transfer, credit: 'inc:merchant_fee', amount_minor: '100000000' },
    { ...transfer, credit: 'm:held:co_1', amount_minor: '9700000000' },
  ],
  codes: ['CODE-1', 'CODE-2'],
};
/** The order that a lost answer leaves behind. */
const forgotten: Bought = {
  sold: { ...sold, order_no: 'co_0', status: 2 },
  attempts: [],
  postings: [],
  codes: [],
};

test('a purchase that was paid once, delivered once, and made another order with a lost answer has no problem', () => {
  expect(purchaseProblems(record, [bought, forgotten])).toEqual([]);
});

test('a refused purchase has no order, or one whose number the buyer did not get', () => {
  const refused: PurchaseRecord = { ...record, ...nothingPaid(), refused_of: 3 };
  expect([purchaseProblems(refused, []), purchaseProblems(refused, [forgotten])]).toEqual([[], []]);
});

test('one that was given up at the provider is closed there and cancelled', () => {
  const kind = 'abandoned';
  const closed = { ...forgotten, sold: { ...sold, status: 2 }, attempts: [{ ...attempt, state: 'closed' }] };
  expect(purchaseProblems({ ...record, kind }, [closed])).toEqual([]);
});

test.each<[string, Partial<PurchaseRecord>, number]>([
  ['paid from a wallet, by code', {}, 3],
  ['paid by card, by code', { kind: 'card', paid_at_provider: true }, 3],
  ['paid, and not delivered by hand', { product: { ...product, delivery: 'by hand' } }, 1],
  ['paid, and delivered by hand', { product: { ...product, delivery: 'by hand' }, delivered: true }, 3],
  ['given up at the provider', { kind: 'abandoned' }, 2],
  ['not touched again', { kind: 'untouched' }, 2],
  ['that no record has', { order_no: 'co_2' }, 2],
])('D-177 where an order has to end: %s', (_, change, status) => {
  expect(endOf({ ...record, ...change }, sold)).toBe(status);
});

describe('problems that the checks find', () => {
  test.each<[string, Partial<Bought>, RegExp]>([
    ['a paid order that was cancelled', { sold: { ...sold, status: 2 } }, /is 2, not 3/],
    [
      'codes that were not handed out',
      { sold: { ...sold, status: 1 }, codes: [] },
      /is 1, not 3.*\n.*0 codes/,
    ],
    ['a code too many', { codes: ['CODE-1', 'CODE-2', 'CODE-3'] }, /has got 3 codes, not 2/],
    ['the order of something else', { sold: { ...sold, quantity: 1 } }, /is of 1 gd_1/],
    ['a second attempt', { attempts: [attempt, attempt] }, /attempts are "paid, paid"/],
    ['a payment by another', { attempts: [{ ...attempt, buyer_user_id: null }] }, /another paid it/],
    ['another price', { sold: { ...sold, payment_pay_amount: 9_900_000_000 } }, /costs 9900000000, and 100/],
    ['a second entry', { postings: [...bought.postings, ...bought.postings] }, /postings are "P2 P2 P2 P2/],
    ['no entry', { postings: [] }, /its postings are ""/],
  ])('%s', (_, change, problem) => {
    expect(purchaseProblems(record, [{ ...bought, ...change }]).join('\n')).toMatch(problem);
  });

  test.each<[string, Partial<PurchaseRecord>, Bought[], RegExp]>([
    ['an acknowledged order that is gone', {}, [], /co_1 is there 0 times/],
    ['an order that is there twice', {}, [bought, bought], /co_1 is there 2 times/],
    ['an order too many', { lost_creations: 0 }, [bought, forgotten], /1 orders more, and only 0 answers/],
    ['a payment twice acknowledged', { acknowledged: 2 }, [bought], /acknowledged as paid 2 times/],
    [
      'a payment that no caller was told of',
      { acknowledged: 0, lost_starts: 1 },
      [bought],
      /no caller was told/,
    ],
  ])('%s', (_, change, orders, problem) => {
    expect(purchaseProblems({ ...record, ...change }, orders).join('\n')).toMatch(problem);
  });

  test.each<[string, Partial<Bought>, RegExp]>([
    ['paid', { sold: { ...sold, order_no: 'co_0' }, codes: [] }, /is 3, not 2/],
    ['with codes', { ...forgotten, codes: ['CODE-1'] }, /has got 1 codes, not 0/],
    ['with an attempt', { ...forgotten, attempts: [attempt] }, /attempts are "paid", not ""/],
    ['with postings', { ...forgotten, postings: bought.postings }, /postings without a payment/],
  ])('an order whose number no buyer got, %s', (_, change, problem) => {
    expect(purchaseProblems(record, [bought, { ...bought, ...change }]).join('\n')).toMatch(problem);
  });
});
