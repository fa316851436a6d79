import { expect, test } from 'vitest';
import { estimateOf } from './estimate.ts';

test.each([
  ['1 PTK at 0.10 USD', 100_000_000n, '0.100000000000', 2, '0.10'],
  ['half a cent rounds up', 5_000_000n, '0.100000000000', 2, '0.01'],
  ['less than half a cent is nothing', 4_999_999n, '0.100000000000', 2, '0.00'],
  ['no decimals', 100_000_000n, '15', 0, '15'],
  ['beyond 2^53', 9_007_199_254_740_993_00000000n, '1.000000000000', 2, '9007199254740993.00'],
  ['a debt', -100_000_000n, '0.10', 2, '-0.10'],
])('D-224 a wallet in another currency: %s', (_, units, price, decimals, worth) => {
  expect(estimateOf(units, price, decimals)).toBe(worth);
});
