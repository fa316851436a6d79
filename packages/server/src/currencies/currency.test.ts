import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AppError } from '../base/errors.ts';
import { maxMinor } from '../base/money.ts';
import { checkCurrency, type Currency, parsePrice, priceAt, toPtk } from './currency.ts';

describe('D-057 the price of 1 PTK', () => {
  test.each<[string, bigint]>([
    ['0.10', 100_000_000_000n],
    ['0.1', 100_000_000_000n],
    ['1', 1_000_000_000_000n],
    ['15.25', 15_250_000_000_000n],
    ['0.000000000001', 1n],
    ['0.100000000000', 100_000_000_000n],
  ])('%s is %s', (text, price_e12) => {
    expect(parsePrice(text)).toBe(price_e12);
  });

  test.each(['0', '0.00', '-1', '.5', '1.', '1e2', '', ' 1', '0.0000000000001', '9'.repeat(41)])(
    '%j is refused',
    (text) => {
      expect(() => parsePrice(text)).toThrow(AppError);
    },
  );
});

const now = new Date('2026-01-02T03:04:05.000Z');
const rate = (valid_until: string | null) => ({
  currency: 'USD',
  price_e12: 7n,
  valid_until: valid_until === null ? null : new Date(valid_until),
});

describe('D-068 R-141 the price that holds', () => {
  test.each<[string, string, ReturnType<typeof rate> | null, bigint | null]>([
    ['a rate without end', 'USD', rate(null), 7n],
    ['a rate that ends later', 'USD', rate('2026-01-02T03:04:05.001Z'), 7n],
    ['a rate that ends now', 'USD', rate('2026-01-02T03:04:05.000Z'), null],
    ['a rate that has ended', 'USD', rate('2026-01-02T03:04:04.999Z'), null],
    ['no rate', 'USD', null, null],
    ['PTK without any rate', 'PTK', null, 1_000_000_000_000n],
    ['PTK, whatever rate there were', 'PTK', rate(null), 1_000_000_000_000n],
  ])('%s', (_, currency, known, price) => {
    expect(priceAt(currency, known, now)).toBe(price);
  });
});

describe('D-058 conversion into PTK', () => {
  test.each<[string, bigint, number, bigint, bigint]>([
    ['A1 USD 10.00 at 0.10', 1_000n, 2, 100_000_000_000n, 10_000_000_000n],
    ['A8 USD 9.99 at 0.07, rounded up', 999n, 2, 70_000_000_000n, 14_271_428_571n],
    [
      'A10 USD 90071992547409.91 at 0.10, beyond 2^63',
      maxMinor,
      2,
      100_000_000_000n,
      90_071_992_547_409_910_000_000n,
    ],
    ['A12 USD 50.00 at 1.00', 5_000n, 2, 1_000_000_000_000n, 5_000_000_000n],
    ['R-028 JPY 1000 at 15.25', 1_000n, 0, 15_250_000_000_000n, 6_557_377_049n],
    ['R-028 KWD 1.234 at 0.03', 1_234n, 3, 30_000_000_000n, 4_113_333_333n],
    ['PTK at its own price', 12_345n, 8, 1_000_000_000_000n, 12_345n],
    ['half a unit rounds up', 1n, 8, 2_000_000_000_000n, 1n],
    ['less than half a unit rounds down', 1n, 8, 2_000_000_000_001n, 0n],
  ])('%s', (_, minor, decimals, price_e12, gross) => {
    expect(toPtk(minor, decimals, price_e12)).toBe(gross);
  });

  test('it never errs by more than half a unit, and never falls as the amount rises', () => {
    const minor = fc.bigInt({ min: 1n, max: maxMinor });
    const price = fc.bigInt({ min: 1n, max: 10n ** 18n });
    fc.assert(
      fc.property(minor, fc.constantFrom(0, 2, 3, 8), price, (m, decimals, price_e12) => {
        const gross = toPtk(m, decimals, price_e12);
        const divisor = 10n ** BigInt(decimals) * price_e12;
        const error = 2n * (gross * divisor - m * 10n ** 20n);
        expect(error <= divisor && error > -divisor).toBe(true);
        expect(toPtk(m + 1n, decimals, price_e12) >= gross).toBe(true);
      }),
    );
  });
});

const usd: Currency = { code: 'USD', decimals: 2, enabled: true, min_minor: 1n, max_minor: maxMinor };

describe('D-040 what an administrator may set of a currency', () => {
  test.each<[string, Partial<Currency>]>([
    ['the widest range', {}],
    ['one amount only', { min_minor: 5n, max_minor: 5n }],
    ['no decimals', { decimals: 0 }],
    ['PTK', { code: 'PTK', decimals: 8 }],
  ])('%s', (_, change) => {
    expect(checkCurrency({ ...usd, ...change })).toEqual({ ...usd, ...change });
  });

  test.each<[string, Partial<Currency>]>([
    ['code', { code: 'usd' }],
    ['code', { code: 'US' }],
    ['decimals', { decimals: -1 }],
    ['decimals', { decimals: 9 }],
    ['decimals', { decimals: 2.5 }],
    ['decimals', { code: 'PTK', decimals: 2 }],
    ['min_minor', { min_minor: 0n }],
    ['max_minor', { min_minor: 5n, max_minor: 4n }],
    ['max_minor', { max_minor: maxMinor + 1n }],
  ])('a wrong %s is refused', (field, change) => {
    expect(() => checkCurrency({ ...usd, ...change })).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        detail: expect.objectContaining({ field }) as object,
      }),
    );
  });
});
