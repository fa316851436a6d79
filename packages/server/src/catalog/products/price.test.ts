import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { amountsOf, unitPriceOf } from './price.ts';
import { parseTiers } from './wholesale-price.ts';

const book = { actual_price: 400_000_000n, wholesale_price_cnf: ['5=3.00', '20=2.50'] };

/** Prices that a merchant may have saved: cents that fall while thresholds rise, and how many are bought. */
const priced = fc
  .record({
    cents: fc.uniqueArray(fc.bigInt(1n, 10n ** 15n), { minLength: 1, maxLength: 6 }),
    thresholds: fc.uniqueArray(fc.integer({ min: 1, max: 999_999_999 }), { minLength: 5, maxLength: 5 }),
    quantity: fc.integer({ min: 1, max: 2_147_483_647 }),
  })
  .map(({ cents, thresholds, quantity }) => {
    const [first = 1n, ...rest] = cents.toSorted((a, b) => (a < b ? 1 : -1));
    const from = thresholds.toSorted((a, b) => a - b);
    const tiers = rest.map((price, i) => ({ min_qty: from[i] ?? 0, cents: price }));
    return {
      product: {
        actual_price: first * 1_000_000n,
        wholesale_price_cnf: tiers.map(
          ({ min_qty, cents: price }) =>
            `${min_qty}=${price / 100n}.${(price % 100n).toString().padStart(2, '0')}`,
        ),
      },
      /** In cents, as a person would look it up by hand. */
      expected: tiers.reduce((price, tier) => (tier.min_qty <= quantity ? tier.cents : price), first),
      first,
      quantity,
    };
  });

describe('what some of a product cost', () => {
  test.each<[number, bigint]>([
    [1, 400_000_000n],
    [4, 400_000_000n],
    [5, 300_000_000n],
    [19, 300_000_000n],
    [20, 250_000_000n],
    [1_000_000, 250_000_000n],
  ])('D-183 the highest threshold reached applies: %s of them', (quantity, unit_price) => {
    expect(unitPriceOf(book, quantity)).toBe(unit_price);
  });

  test('D-183 the order of the entries decides nothing, and no entry makes anything dearer', () => {
    const product = { ...book, wholesale_price_cnf: ['20=2.50', 'nonsense', '5=3.00', '30=9.00'] };
    expect([1, 5, 20, 30].map((quantity) => unitPriceOf(product, quantity))).toEqual([
      400_000_000n,
      300_000_000n,
      250_000_000n,
      400_000_000n,
    ]);
  });

  test('D-181 D-183 R-359 amounts are exact for whatever was saved, far beyond 2^53 too', () => {
    fc.assert(
      fc.property(priced, ({ product, expected, first, quantity }) => {
        parseTiers(product.wholesale_price_cnf, product.actual_price, 2);
        const { total_amount, discount_amount } = amountsOf(product, quantity, 2);
        expect(total_amount).toBe(first * BigInt(quantity));
        expect(total_amount - discount_amount).toBe(expected * BigInt(quantity));
        expect(discount_amount >= 0n && discount_amount < total_amount).toBe(true);
      }),
    );
  });

  test('D-183 buying more never raises the price of each', () => {
    fc.assert(
      fc.property(priced, fc.integer({ min: 0, max: 1_000_000 }), ({ product, quantity }, more) => {
        expect(unitPriceOf(product, quantity + more) <= unitPriceOf(product, quantity)).toBe(true);
      }),
    );
  });

  test.each<[string, number, bigint, bigint]>([
    ['JPY', 0, 10_000_000_000n, 300n],
    ['USD', 2, 999_000_000n, 2_997n],
    ['KWD', 3, 123_400_000n, 3_702n],
    ['PTK', 8, 1n, 3n],
  ])(
    'D-182 three at 8-decimal fixed point are minor units of %s',
    (_, decimals, actual_price, total_amount) => {
      expect(amountsOf({ actual_price, wholesale_price_cnf: [] }, 3, decimals)).toEqual({
        total_amount,
        discount_amount: 0n,
      });
    },
  );
});
