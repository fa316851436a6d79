/** The amount that the merchant fee is a percentage of, and the parts of a fee in words. */
import { formatMinor } from '../../base/money.ts';
import type { Quote } from './quote.ts';

/** What the merchant fee is taken of: the buyer's total, on an own channel the subtotal (D-063). */
export const merchantFeeBase = (owner: Quote['owner'], subtotal: bigint, buyer_fee: bigint): bigint =>
  owner === 'merchant' ? subtotal : subtotal + buyer_fee;

/**
 * What the merchant fee of a quote is made of, in its currency: the fixed part, and a percentage of the base with the fixed
 * part or the cap that limits it (R-117, D-523). The sum is rounded.
 */
export function merchantFeeParts(quote: Quote) {
  const { fixed_minor, percent_ppm, cap_minor } = quote.fee_rules.merchant;
  const of = merchantFeeBase(quote.owner, quote.subtotal, quote.buyer_fee) + fixed_minor;
  const isCapped = cap_minor !== null && BigInt(percent_ppm) * of > cap_minor * 1_000_000n;
  const written = (minor: bigint): string => formatMinor(minor, quote.currency_decimals);
  return {
    fixed: written(fixed_minor),
    percent: formatMinor(BigInt(percent_ppm), 4),
    of: written(of),
    cap: isCapped ? written(cap_minor) : null,
  };
}
