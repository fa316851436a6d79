import { describe, expect, test } from 'vitest';
import type { CollectionOrder } from '@paydesk/sdk';
import { decide, type Decision, type ShopOrder } from './decide.ts';
import { bigintOf, numberOf } from './money.ts';

const paid = {
  order_no: 'mp_1',
  external_reference: 'ABC',
  amount: '10.50',
  currency: 'USD',
  status: 'paid',
  status_version: 2,
  test_mode: false,
  event_id: 'pe_1',
} as CollectionOrder;
const { event_id: _none, ...unpaid } = paid;
const waiting: ShopOrder = { code: 'ABC', currency: 'USD', state: 'ArrangingPayment', due: 1050n };
const booked: ShopOrder = {
  ...waiting,
  state: 'PaymentSettled',
  due: 0n,
  booked: { amount: 1050n, status_version: 2, event_id: 'pe_1' },
};
const settle: Decision = { action: 'settle', amount: 1050n, event_id: 'pe_1' };
const none: Decision = { action: 'none' };
const note = (words: RegExp) => ({ action: 'note', text: expect.stringMatching(words) as string });

describe('D-367 what a state means for an order of Vendure', () => {
  test.each<[string, Partial<CollectionOrder>, ShopOrder, unknown]>([
    ['a payment of what is due', {}, waiting, settle],
    ['the same number, written otherwise', { amount: '10.500' }, waiting, settle],
    ['the buyer went back to the cart', {}, { ...waiting, state: 'AddingItems' }, settle],
    ['seen again', {}, booked, none],
    ['an older state of a booked payment', { status: 'expired', status_version: 1 }, booked, none],
    ['a second payment', { event_id: 'pe_2' }, { ...booked, booked: undefined }, note(/no further payment/)],
    ['another price', {}, { ...waiting, due: 2100n }, note(/needs 21\.00 USD, so nothing was booked/)],
    ['a fraction below the price', { amount: '10.495' }, waiting, note(/needs 10\.50 USD/)],
    ['another currency', { currency: 'EUR' }, waiting, note(/received 10\.50 EUR .* needs 10\.50 USD/)],
    ['a test channel', { test_mode: true }, waiting, note(/test channel/)],
    ['a cancelled order', {}, { ...waiting, state: 'Cancelled' }, note(/in the state Cancelled/)],
    ['a refund', { status: 'refunded', status_version: 3 }, booked, { action: 'refund' }],
    ['a refund of what was not booked', { status: 'refunded' }, waiting, note(/was refunded/)],
    ['a chargeback', { status: 'chargeback', status_version: 3 }, booked, note(/charged back/)],
    ['a status of a later version', { status: 'on_hold', status_version: 9 }, waiting, none],
  ])('%s', (_name, state, order, expected) => {
    const decision = decide({ ...paid, ...state }, order, { decimals: 2, accept_test_mode: false });
    expect(decision).toEqual(expected);
  });

  test.each(['pending', 'review', 'expired'])('%s changes nothing, whatever the amount', (status) => {
    const state = { ...unpaid, status, amount: '3.00', test_mode: true } as CollectionOrder;
    expect(decide(state, waiting, { decimals: 2, accept_test_mode: false })).toEqual(none);
  });

  test('payments of test channels are booked where the shop wants them', () => {
    const state = { ...paid, test_mode: true };
    expect(decide(state, waiting, { decimals: 2, accept_test_mode: true })).toEqual(settle);
  });

  test('D-366 amounts that a number does not hold exactly are refused', () => {
    expect(numberOf(bigintOf(9_007_199_254_740_991))).toBe(9_007_199_254_740_991);
    expect(() => bigintOf(9_007_199_254_740_992)).toThrow(RangeError);
    expect(() => bigintOf(10.5)).toThrow(RangeError);
    expect(() => numberOf(9_007_199_254_740_993n)).toThrow(RangeError);
  });
});
