import { divideHalfUp, minOf } from '../../base/money.ts';
import type { FeeRule } from '../../channels/index.ts';

const million = 1_000_000n;

/**
 * The fee on `base`, both in minor units of the payment currency. The percentage is taken of the base plus the fixed
 * part, a cap limits the percentage part only, and the sum is rounded half up once. A positive fee is at least one unit
 * (R-117, R-120 to R-122, D-059 to D-061).
 */
export function feeOn(base: bigint, rule: FeeRule): bigint {
  const percentage = BigInt(rule.percent_ppm) * (base + rule.fixed_minor);
  const limited = rule.cap_minor === null ? percentage : minOf(percentage, rule.cap_minor * million);
  const exact = rule.fixed_minor * million + limited;
  const fee = divideHalfUp(exact, million);
  return exact > 0n && fee === 0n ? 1n : fee;
}
