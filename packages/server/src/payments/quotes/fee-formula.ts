import { divideHalfUp, minOf } from '../../base/money.ts';
import type { FeeRule } from '../../channels/index.ts';

const million = 1_000_000n;

/**
 * The fee on `base`, both in minor units of the payment currency: the fixed part joins the base before the
 * percentage is taken, a cap limits the percentage part alone, one rounding half up ends it, and a positive fee is
 * at least one unit (R-117, R-120 to R-122, D-059 to D-061).
 */
export function feeOn(base: bigint, rule: FeeRule): bigint {
  const percentage = BigInt(rule.percent_ppm) * (base + rule.fixed_minor);
  const limited = rule.cap_minor === null ? percentage : minOf(percentage, rule.cap_minor * million);
  const exact = rule.fixed_minor * million + limited;
  const fee = divideHalfUp(exact, million);
  return exact > 0n && fee === 0n ? 1n : fee;
}
