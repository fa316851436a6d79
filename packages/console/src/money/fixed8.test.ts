import { describe, expect, test } from 'vitest';
import { fixed8Of, priceOf, tierOf, totalOf } from './fixed8.ts';

test.each([
  [999_000_000, 2, '9.99'],
  [1_200_000_000, 2, '12.00'],
  [1_500_000_000_000, 0, '15000'],
  ['90071992547409931234567890', 2, '900719925474099312.3456789'],
])('D-182 a price of %s with %s decimals is %s', (value, decimals, text) => {
  expect(priceOf(value, decimals)).toBe(text);
  expect(fixed8Of(text)).toBe(BigInt(value));
});

describe('the live price takes the last tier that the quantity reaches', () => {
  const tiers = ['5=9.00', '20=8.50'].map(tierOf);
  test.each([
    [1n, 999_000_000n, 999_000_000n],
    [4n, 999_000_000n, 3_996_000_000n],
    [5n, 900_000_000n, 4_500_000_000n],
    [20n, 850_000_000n, 17_000_000_000n],
  ])('%s cost %s each', (quantity, each, total) => {
    expect(totalOf(quantity, 999_000_000n, tiers)).toEqual({ each, total });
  });

  test('a tier that is half typed counts for nothing', () => {
    expect(totalOf(9n, 100n, [{ from: '5', price: '' }])).toEqual({ each: 100n, total: 900n });
  });
});
