/** The fee formula of the service, for the simulator. */
import { typedAmount } from '../../money/typed-amount.ts';

/** A fee in minor units; the percentage in parts per million. */
export interface FeeRule {
  fixed_minor: bigint;
  percent_ppm: number;
  /** Limits the percentage part; null: no limit. */
  cap_minor: bigint | null;
}

const million = 1_000_000n;

/**
 * The fee on a base, as the service computes it: the fixed part is added to the base before the percentage is taken,
 * the cap limits the percentage alone, the sum is rounded half up once, and a fee above zero is at least one unit
 * (R-117, D-059, D-060, D-061).
 */
export function feeOn(base: bigint, { fixed_minor, percent_ppm, cap_minor }: FeeRule): bigint {
  const percentage = BigInt(percent_ppm) * (base + fixed_minor);
  const limited = cap_minor !== null && cap_minor * million < percentage ? cap_minor * million : percentage;
  const exact = fixed_minor * million + limited;
  const fee = (exact * 2n + million) / (million * 2n);
  return exact > 0n && fee === 0n ? 1n : fee;
}

/** The fees of an order: the merchant's is taken of what the buyer pays, fee included. */
export function feesOn(base: bigint, rules: { buyer: FeeRule; merchant: FeeRule }) {
  const buyer = feeOn(base, rules.buyer);
  return { buyer, merchant: feeOn(base + buyer, rules.merchant) };
}

/** A typed percentage, such as `2.9`, in parts per million; null if it is no percentage. */
export function ppmOf(text: string): number | null {
  const found = /^(\d{1,3})(?:\.(\d{1,4}))?$/.exec(typedAmount(text));
  if (found === null) return null;
  const ppm = Number((found[1] ?? '0') + (found[2] ?? '').padEnd(4, '0'));
  return ppm <= 1_000_000 ? ppm : null;
}

/** Parts per million as a percentage: 29000 is `2.9`. */
export function percentOf(ppm: number): string {
  const digits = String(ppm).padStart(5, '0');
  return `${digits.slice(0, -4)}.${digits.slice(-4)}`.replace(/\.?0+$/, '');
}
