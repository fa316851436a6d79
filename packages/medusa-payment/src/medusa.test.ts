import type { CollectionOrder } from '@paydesk/sdk';
import { describe, expect, test } from 'vitest';
import { decimalOf } from './amounts.ts';
import { decide, type Decision, type ShopCollection } from './decide.ts';
import { checkOptions } from './options.ts';

const paid = {
  order_no: 'mp_1',
  external_reference: 'paycol_1',
  amount: '10.50',
  currency: 'USD',
  status: 'paid',
  status_version: 2,
  test_mode: false,
  event_id: 'pe_1',
} as CollectionOrder;
const waiting: ShopCollection = {
  id: 'paycol_1',
  amount: '10.5',
  currency: 'USD',
  isPaid: false,
  hasOrder: false,
};
const booked: ShopCollection = {
  ...waiting,
  isPaid: true,
  hasOrder: true,
  booked: { amount: '10.5', status_version: 2, event_id: 'pe_1', isRefunded: false },
};
const none: Decision = { action: 'none' };
const told = (words: RegExp) => ({ action: 'tell', text: expect.stringMatching(words) as string });

describe('D-367 D-372 what a state means for a cart of Medusa', () => {
  test.each<[string, Partial<CollectionOrder>, ShopCollection, unknown]>([
    ['a payment of the cart', {}, waiting, { action: 'complete' }],
    ['seen again', {}, booked, none],
    [
      'booked, but the order was given up',
      {},
      { ...booked, hasOrder: false },
      told(/has not become an order/),
    ],
    ['a second payment', { event_id: 'pe_2' }, { ...booked, booked: undefined }, told(/paid already/)],
    ['another price', {}, { ...waiting, amount: '21' }, told(/The cart needs 21 USD/)],
    ['another currency', { currency: 'EUR' }, waiting, told(/The cart needs 10\.5 USD/)],
    ['a test channel', { test_mode: true }, waiting, told(/test channel/)],
    ['a refund', { status: 'refunded', status_version: 3 }, booked, { action: 'refund' }],
    ['a refund of what was not booked', { status: 'refunded' }, waiting, told(/was refunded/)],
    ['a chargeback', { status: 'chargeback', status_version: 3 }, booked, told(/charged back/)],
    ['unpaid, of another amount', { status: 'expired', amount: '3.00' }, waiting, none],
    ['a status of a later version', { status: 'on_hold', status_version: 9 }, waiting, none],
  ])('%s', (_name, state, collection, expected) => {
    expect(decide({ ...paid, ...state }, collection, { accept_test_mode: false })).toEqual(expected);
  });
});

test.each<[unknown, string]>([
  [10.5, '10.5'],
  ['10.50', '10.50'],
  [{ value: '123456789012345678.01', precision: 20 }, '123456789012345678.01'],
  [{ raw: { value: '0.1' }, numeric: 0.1 }, '0.1'],
  [0, '0'],
])('D-366 an amount of Medusa, %j, is exactly %s', (amount, text) => {
  expect(decimalOf(amount)).toBe(text);
});

test.each([-1, 1e21, 0.1 + 0.2, '1e3', null, undefined])('D-366 %s is refused, not rounded', (amount) => {
  expect(() => decimalOf(amount)).toThrow(RangeError);
});

test('an option that is missing is named', () => {
  expect(() => {
    checkOptions({ base_url: 'https://pay.example', client_id: 'c' });
  }).toThrow('client_secret');
});
