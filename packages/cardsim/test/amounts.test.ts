import { describe, expect, test } from 'vitest';
import { formatAmount, max_amount, parseAmount, wireAmount } from '../src/records/amounts.ts';

describe('formatAmount', () => {
  test.each([
    [0n, 'usd', 'USD 0.00'],
    [5n, 'usd', 'USD 0.05'],
    [1000n, 'USD', 'USD 10.00'],
    [123_456_789n, 'eur', 'EUR 1,234,567.89'],
    [500n, 'jpy', 'JPY 500'],
    [1_234_567n, 'krw', 'KRW 1,234,567'],
    [1250n, 'kwd', 'KWD 1.250'],
    [9_007_199_254_740_991n, 'usd', 'USD 90,071,992,547,409.91'],
  ])('%i %s is %s', (amount, currency, text) => {
    expect(formatAmount(amount, currency)).toBe(text);
  });
});

describe('parseAmount', () => {
  test.each([
    ['0', 0n],
    ['1000', 1000n],
    [1000, 1000n],
    ['9007199254740991', max_amount],
  ])('takes %j', (value, amount) => {
    expect(parseAmount(value)).toBe(amount);
  });

  test.each([
    '9007199254740992',
    9_007_199_254_740_992,
    '',
    '-1',
    -1,
    '1.0',
    1.5,
    '1e3',
    ' 1',
    null,
    undefined,
    NaN,
  ])('refuses %j', (value) => {
    expect(parseAmount(value)).toBeUndefined();
  });
});

test('wireAmount refuses what JSON cannot carry exactly', () => {
  expect(wireAmount(max_amount)).toBe(9_007_199_254_740_991);
  expect(() => wireAmount(max_amount + 1n)).toThrow(RangeError);
});
