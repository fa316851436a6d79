import { describe, expect, test } from 'vitest';
import type { Bought } from './check-purchase.ts';
import { type ShelfState, shelfProblems } from './check-shelf.ts';
import type { PurchaseRecord } from './purchase-record.ts';
import type { Product } from './shelf.ts';

const codes = ['CODE-1', 'CODE-2', 'CODE-3', 'CODE-4'];
const byCode: Product = { gd_no: 'gd_1', delivery: 'code', stocked: 4, codes };
const byHand: Product = { gd_no: 'gd_1', delivery: 'by hand', stocked: 4, codes: [] };

const order = (order_no: string, status: number, quantity: number, handed: string[] = []): Bought => ({
  sold: {
    ...{ order_no, status, quantity, gd_no: 'gd_1', settlement_ptk: '0' },
    ...{ payment_pay_amount: 0, payment_currency_decimals: 2, other_ipu: { reference: order_no } },
  },
  ...{ attempts: [], postings: [], codes: handed },
});
const orders = [
  order('co_1', 3, 2, ['CODE-1', 'CODE-2']),
  order('co_2', 2, 2),
  order('co_3', 3, 1, ['CODE-3']),
];
const state: ShelfState = { in_stock: 1, left: 1, given: 3 };
const found = (product: Product, now: ShelfState, sold: Bought[], purchases: PurchaseRecord[] = []): string =>
  shelfProblems(product, now, sold, purchases).join('\n');
const refused = (refused_of: number): PurchaseRecord[] => [
  { refused_of, request: { quantity: 2 } } as PurchaseRecord,
];

test('sold stock is taken, cancelled stock is returned, and each code went out once: no problem', () => {
  expect([found(byCode, state, orders), found(byHand, { in_stock: 1, left: 0, given: 0 }, orders)]).toEqual([
    '',
    '',
  ]);
  expect(found(byCode, state, orders, refused(6))).toBe('');
});

describe('problems that the checks find', () => {
  test.each<[string, Product, Partial<ShelfState>, Bought[], RegExp]>([
    [
      'stock that was taken twice',
      byHand,
      { in_stock: 0 },
      orders,
      /0 are in stock, of 4 of which 3 are sold/,
    ],
    ['stock that came back twice', byHand, { in_stock: 3 }, orders, /3 are in stock/],
    [
      'more sold than there was',
      byHand,
      { in_stock: -1 },
      [...orders, order('co_4', 1, 2)],
      /-1 are in stock/,
    ],
    ['codes that are gone', byCode, { left: 0 }, orders, /0 codes are left and 3 given, of 4/],
    ['a code that no order has', byCode, { left: 0, given: 4 }, orders, /4 codes are given, and 3 sold/],
    [
      'a code given twice',
      byCode,
      {},
      [order('co_0', 3, 1, ['CODE-1']), ...orders],
      /CODE-1 went to co_0 and/,
    ],
    [
      'a code twice on one page',
      byCode,
      {},
      [order('co_1', 3, 3, ['CODE-1', 'CODE-1'])],
      /went to co_1 and to/,
    ],
    [
      'a code of another',
      byCode,
      {},
      [order('co_1', 3, 3, ['CODE-9'])],
      /CODE-9, which no merchant uploaded/,
    ],
  ])('%s', (_, product, change, sold, problem) => {
    expect(found(product, { ...state, ...change }, sold)).toMatch(problem);
  });

  test('a refusal although there was enough', () => {
    expect(found(byCode, state, orders, refused(7))).toMatch(/2 were refused of 7, and only 5 were ever/);
  });
});
