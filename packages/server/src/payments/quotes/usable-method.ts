import type { Invoice, Quote } from './quote.ts';

/**
 * Whether a method leaves something to settle (R-124, D-065): not if gross is zero, or if the merchant fee reaches the
 * subtotal or gross. The buyer fee does not matter.
 */
export const isUsable = (
  { subtotal, merchant_fee, merchant_fee_ptk }: Pick<Quote, 'subtotal' | 'merchant_fee' | 'merchant_fee_ptk'>,
  { gross_settlement_ptk }: Invoice,
): boolean => gross_settlement_ptk > 0n && merchant_fee < subtotal && merchant_fee_ptk < gross_settlement_ptk;
