/** The columns of an order that show the selected payment method and its fees. */
import { type Quote, settlementOf, totalOf } from '../../payments/quotes/index.ts';
import type { CollectionOrder } from './order.ts';

/**
 * Returns the order with the channel and fees of a quote. A channel that is fixed
 * at creation is selected at once (D-042), otherwise the confirmed method is (D-043). From now on the order has the buyer's
 * total, both fees, also of zero, and the settlement, which an own channel has not (D-050).
 */
export function withQuote(order: CollectionOrder, quote: Quote): CollectionOrder {
  return {
    ...order,
    payment_no: quote.payment_no,
    test_mode: quote.test_mode,
    fee_status: 'quoted',
    payment_currency: quote.currency,
    payment_decimals: quote.currency_decimals,
    payment_amount: totalOf(quote),
    buyer_fee: quote.buyer_fee,
    merchant_fee: quote.merchant_fee,
    merchant_fee_ptk: quote.merchant_fee_ptk,
    settlement_ptk: settlementOf(quote, order.gross_settlement_ptk),
  };
}

/** The values while no method is selected (R-045, R-048, R-127, D-007, D-045). */
export const nothingSelected = {
  payment_no: '',
  test_mode: false,
  fee_status: 'unselected',
  payment_currency: null,
  payment_decimals: null,
  payment_amount: null,
  buyer_fee: null,
  merchant_fee: null,
  merchant_fee_ptk: 0n,
  settlement_ptk: null,
} as const;

/** The order after a definite refusal: no method is selected again (D-044). */
export function withoutQuote(order: CollectionOrder): CollectionOrder {
  return { ...order, ...nothingSelected };
}
