import { describe, expect, test } from 'vitest';
import { feeOn, percentOf, ppmOf } from './fees.ts';

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
