import { describe, expect, test } from 'vitest';
import { feeOn, feesOn, percentOf, ppmOf } from './fees.ts';

describe('R-117 the simulator takes fees as the service does', () => {
  test.each([
    ['fixed and percentage, the fixed part joining the base', 1_000n, 30n, 29_000, null, 60n],
    ['a half is rounded up', 50n, 0n, 10_000, null, 1n],
    ['a positive fee is at least one unit', 1n, 0n, 1, null, 1n],
    ['no rule takes nothing', 1_000n, 0n, 0, null, 0n],
    ['a cap limits the percentage alone', 100_000n, 30n, 29_000, 100n, 130n],
  ])('%s', (_name, base, fixed_minor, percent_ppm, cap_minor, fee) => {
    expect(feeOn(base, { fixed_minor, percent_ppm, cap_minor })).toBe(fee);
  });
});

test('R-119 the simulator takes the merchant’s fee of all that the buyer pays, as orders do', () => {
  const buyer = { fixed_minor: 30n, percent_ppm: 29_000, cap_minor: null };
  const merchant = { fixed_minor: 10n, percent_ppm: 15_000, cap_minor: null };
  // Section 3.7: of USD 10.00 the buyer pays 10.60, and the merchant's fee is 0.26, not 0.25.
  expect(feesOn(1_000n, { buyer, merchant })).toEqual({ buyer: 60n, merchant: 26n });
});

test.each([
  ['2.9', 29_000],
  ['0', 0],
  ['100', 1_000_000],
  ['0.0001', 1],
  ['12.3456', 123_456],
])('%s percent are %s parts per million, and back', (percent, ppm) => {
  expect(ppmOf(percent)).toBe(ppm);
  expect(percentOf(ppm)).toBe(percent);
});

test.each(['100.1', '1.23456', '', '-1', '1e1'])('%j is no percentage', (text) => {
  expect(ppmOf(text)).toBeNull();
});
