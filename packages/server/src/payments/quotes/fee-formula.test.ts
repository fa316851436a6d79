import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FeeRule } from '../../channels/channel.ts';
import { feeOn } from './fee-formula.ts';

const rule = (fixed_minor: bigint, percent_ppm: number, cap_minor: bigint | null = null): FeeRule => ({
  fixed_minor,
  percent_ppm,
  cap_minor,
});

describe('appendix A: fees', () => {
  test.each<[string, bigint, FeeRule, bigint]>([
    ['A1 R-117 buyer: 0.30 + 2.9 % on 10.00, exactly 0.5987', 1_000n, rule(30n, 29_000), 60n],
    ['A1 R-119 merchant: 0.10 + 1.5 % on 10.60, exactly 0.2605', 1_060n, rule(10n, 15_000), 26n],
    ['A2 R-121 JPY 100 at 0.3 %: less than one unit is one', 100n, rule(0n, 3_000), 1n],
    ['A3 D-060 USD 10.00 at 0.25 %: half rounds up', 1_000n, rule(0n, 2_500), 3n],
    ['A3 D-060 USD 10.00 at 0.2499 %: below half rounds down', 1_000n, rule(0n, 2_499), 2n],
    ['A4 R-117 the cap limits the percentage part alone', 100_000n, rule(50n, 30_000, 1_000n), 1_050n],
    ['A5 R-122 all zero: no fee', 100_000n, rule(0n, 0), 0n],
    ['A6 KWD 1.000 at 1 %', 1_000n, rule(0n, 10_000), 10n],
    ['A8 PTK buyer 1 % on 142.71428571', 14_271_428_571n, rule(0n, 10_000), 142_714_286n],
    ['A8 PTK merchant 2 % on 144.14142857', 14_414_142_857n, rule(0n, 20_000), 288_282_857n],
    ['A9 R-117 the fixed part joins the base: 5.00 + 5 % of 1005.00', 100_000n, rule(500n, 50_000), 5_525n],
    ['A11 D-061 a cap of nothing: no percentage part', 100_000n, rule(0n, 30_000, 0n), 0n],
    ['A12 buyer 1.00 + 2 % on 50.00', 5_000n, rule(100n, 20_000), 202n],
    ['A12 merchant 0.50 + 3 % capped at 1.00 on 52.02', 5_202n, rule(50n, 30_000, 100n), 150n],
    ['D-061 a cap of nothing keeps the fixed part', 1_000n, rule(7n, 30_000, 0n), 7n],
    ['D-059 a cap that is not reached', 1_000n, rule(0n, 30_000, 31n), 30n],
    ['D-059 one rounding, on the sum', 10n, rule(1n, 50_000), 2n],
    ['R-121 one part per million of the smallest amount', 1n, rule(0n, 1), 1n],
    ['D-062 everything', 1_000n, rule(0n, 1_000_000), 1_000n],
  ])('%s', (_, base, fees, fee) => {
    expect(feeOn(base, fees)).toBe(fee);
  });
});

const amounts = fc.bigInt({ min: 1n, max: 2n ** 53n - 1n });
const rules: fc.Arbitrary<FeeRule> = fc.record({
  fixed_minor: fc.bigInt({ min: 0n, max: 10n ** 9n }),
  percent_ppm: fc.integer({ min: 0, max: 1_000_000 }),
  cap_minor: fc.option(fc.bigInt({ min: 0n, max: 10n ** 12n })),
});

describe('any rule on any amount', () => {
  test('D-061 the cap is never passed by more than the fixed part', () => {
    fc.assert(
      fc.property(amounts, rules, (base, fees) => {
        const fee = feeOn(base, fees);
        expect(fee >= fees.fixed_minor).toBe(true);
        if (fees.cap_minor !== null) expect(fee <= fees.fixed_minor + fees.cap_minor).toBe(true);
      }),
    );
  });

  test('R-121 R-122 no fee exactly where nothing is charged', () => {
    fc.assert(
      fc.property(amounts, rules, (base, fees) => {
        const charges = fees.fixed_minor > 0n || (fees.percent_ppm > 0 && fees.cap_minor !== 0n);
        expect(feeOn(base, fees) > 0n).toBe(charges);
      }),
    );
  });

  test('D-059 D-060 the fee is the exact one, rounded half up, or one unit where that is zero', () => {
    fc.assert(
      fc.property(amounts, rules, (base, fees) => {
        // In millionths of a unit: fixed + min(cap, percentage of base and fixed).
        const percentage = (base + fees.fixed_minor) * BigInt(fees.percent_ppm);
        const capped =
          fees.cap_minor !== null && percentage > fees.cap_minor * 1_000_000n
            ? fees.cap_minor * 1_000_000n
            : percentage;
        const exact = fees.fixed_minor * 1_000_000n + capped;
        const fee = feeOn(base, fees);
        const above = fee * 1_000_000n - exact;
        const isMinimum = fee === 1n && exact > 0n && exact < 500_000n;
        expect(isMinimum || (above <= 500_000n && above > -500_000n)).toBe(true);
      }),
    );
  });

  test('it never falls as the amount or a part of the rule rises', () => {
    fc.assert(
      fc.property(amounts, rules, fc.bigInt({ min: 0n, max: 10n ** 6n }), (base, fees, more) => {
        const fee = feeOn(base, fees);
        expect(feeOn(base + more, fees) >= fee).toBe(true);
        expect(feeOn(base, { ...fees, fixed_minor: fees.fixed_minor + more }) >= fee).toBe(true);
        expect(feeOn(base, { ...fees, cap_minor: null }) >= fee).toBe(true);
        const percent_ppm = Math.min(1_000_000, fees.percent_ppm + Number(more));
        expect(feeOn(base, { ...fees, percent_ppm }) >= fee).toBe(true);
      }),
    );
  });
});
