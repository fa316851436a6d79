import { describe, expect, test } from 'vitest';
import { amountParts, formatAmount, isZero, shortfall, trimZeros } from './money.ts';

/** Spaces differ between languages and releases of ICU, and direction marks are invisible. */
const plain = (text: string): string =>
  text.replace(/[\u00a0\u202f]/g, ' ').replace(/[\u200e\u200f\u061c]/g, '');

describe('amounts by locale, digit by digit', () => {
  test.each([
    ['1000', 'JPY', 'en', 'JPY 1,000'],
    ['1000', 'JPY', 'ja', 'JPY 1,000'],
    ['0', 'JPY', 'de', '0 JPY'],
    ['10.60', 'USD', 'en', 'USD 10.60'],
    ['10.60', 'USD', 'de', '10,60 USD'],
    ['12345.60', 'EUR', 'es', '12.345,60 EUR'],
    ['1234567.89', 'EUR', 'fr', '1 234 567,89 EUR'],
    ['1234567.89', 'CNY', 'zh-Hans', 'CNY 1,234,567.89'],
    ['1.005', 'KWD', 'en', 'KWD 1.005'],
    ['1234.005', 'KWD', 'ar', '1,234.005 KWD'],
    ['144.28571429', 'PTK', 'en', 'PTK 144.28571429'],
    ['0.00000001', 'PTK', 'de', '0,00000001 PTK'],
    ['100.00000000', 'PTK', 'en', 'PTK 100.00'],
    ['100.50000000', 'PTK', 'de', '100,50 PTK'],
    ['100.12340000', 'PTK', 'en', 'PTK 100.1234'],
    ['1', 'PTK', 'en', 'PTK 1'],
    // More digits than a float can hold: Number() would change each of these.
    ['90071992547409.91', 'USD', 'en', 'USD 90,071,992,547,409.91'],
    ['9007199254740993', 'JPY', 'en', 'JPY 9,007,199,254,740,993'],
    ['900719925474.09910001', 'PTK', 'en', 'PTK 900,719,925,474.09910001'],
    // A code that Intl refuses.
    ['5.00', 'USDC2', 'en', 'USDC2 5.00'],
  ])('R-208 %s %s in %s is %s', (amount, currency, locale, shown) => {
    expect(plain(formatAmount(amount, currency, locale))).toBe(shown);
  });

  test('what is no amount is shown as it is', () => {
    expect(plain(formatAmount('n/a', 'USD', 'en'))).toBe('USD n/a');
  });

  test('the currency is a separate part', () => {
    const parts = amountParts('10.60', 'USD', 'de');
    expect(parts.map(({ kind, text }) => [kind, plain(text)])).toEqual([
      ['figures', '10,60 '],
      ['currency', 'USD'],
    ]);
  });
});

test.each([
  ['10.00', '10.00', null],
  ['10.00', '10.00000000', null],
  ['10.00', '10.01', null],
  ['10.00', '9.99', '0.01'],
  ['144.28571429', '20.00000000', '124.28571429'],
  ['9007199254740993', '9007199254740992', '1'],
  ['0.00000001', '0', '0.00000001'],
])('R-215 of %s against %s there is missing %s', (needed, available, missing) => {
  expect(shortfall(needed, available)).toBe(missing);
});

test.each([
  ['0', true],
  ['0.00', true],
  ['0.01', false],
  ['10', false],
])('%s is zero: %s', (amount, zero) => {
  expect(isZero(amount)).toBe(zero);
});

test.each([
  ['0.070000000000', 2, '0.07'],
  ['0.100000000000', 2, '0.10'],
  ['0.1', 2, '0.10'],
  ['0.012300000000', 2, '0.0123'],
  ['7.000000000000', 0, '7'],
  ['150', 0, '150'],
  ['150', 2, '150.00'],
])('a rate of %s keeps %s decimals at least: %s', (rate, keep, shown) => {
  expect(trimZeros(rate, keep)).toBe(shown);
});
