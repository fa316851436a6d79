/** The fee formula of both fees. */
import { divideHalfUp, minOf } from '../../base/money.ts';
import type { FeeRule } from '../../channels/index.ts';

const million = 1_000_000n;

/**
 * The fee on `base`, both in minor units of the payment currency. The percentage is taken of the base plus the
 * fixed part, and a cap limits the percentage part only (R-117, D-061, D-062). The sum is rounded half up once (R-120,
 * D-059, D-060). A positive fee is at least one unit, and a rule of zeros costs nothing.
 *
 * @param base the subtotal for the buyer fee, the buyer's total for the merchant fee
 */
export function feeOn(base: bigint, rule: FeeRule): bigint {
  const percentage = BigInt(rule.percent_ppm) * (base + rule.fixed_minor);
  const limited = rule.cap_minor === null ? percentage : minOf(percentage, rule.cap_minor * million);
  const exact = rule.fixed_minor * million + limited;
  const fee = divideHalfUp(exact, million);
  return exact > 0n && fee === 0n ? 1n : fee;
}
