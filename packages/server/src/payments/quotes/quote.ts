/** What a payment method costs for an order. Quotes are fixed when the order is created (R-125, D-056). */
import { maxOf, ptk, ptkDecimals } from '../../base/money.ts';
import { type Channel, type FeeRules, ownerOf, type Provider } from '../../channels/index.ts';
import { toPtk } from '../../currencies/index.ts';
import { merchantFeeBase } from './fee-base.ts';
import { feeOn } from './fee-formula.ts';
import { isUsable } from './usable-method.ts';

/** The amount of an order, at the price that was locked when the order was created. */
export interface Invoice {
  minor: bigint;
  currency: string;
  decimals: number;
  price_e12: bigint;
  /** The invoice in PTK before fees; the same for every method (D-045). */
  gross_settlement_ptk: bigint;
}

/** The cost of one method for one order. Amounts are in minor units of the payment currency. */
export interface Quote {
  /** Random; identifies the method on this order's checkout only (R-211, D-120). */
  method_id: string;
  payment_no: string;
  provider: Provider;
  owner: 'platform' | 'merchant';
  test_mode: boolean;
  currency: string;
  currency_decimals: number;
  subtotal: bigint;
  buyer_fee: bigint;
  merchant_fee: bigint;
  merchant_fee_ptk: bigint;
  fee_rules: FeeRules;
}

/** The invoice with its gross settlement, which every order shows. */
export function invoiceOf(minor: bigint, currency: string, decimals: number, price_e12: bigint): Invoice {
  return { minor, currency, decimals, price_e12, gross_settlement_ptk: toPtk(minor, decimals, price_e12) };
}

/** What the buyer pays: the subtotal and the buyer fee. */
export const totalOf = (quote: Quote): bigint => quote.subtotal + quote.buyer_fee;

/**
 * The credit of the merchant's wallet in PTK, gross less fee; null on the merchant's own channel
 * (D-050).
 */
export function settlementOf(quote: Quote, gross_settlement_ptk: bigint): bigint | null {
  return quote.owner === 'merchant' ? null : gross_settlement_ptk - quote.merchant_fee_ptk;
}

/**
 * The quote of a channel for an invoice. Fees are in the currency that the buyer pays. The buyer fee is based
 * on the subtotal. The merchant fee is based on the buyer's total, on an own channel on the subtotal,
 * because there is no buyer fee (D-063).
 *
 * @returns null if the channel cannot be used: it has no fee rule for the currency (D-062), does not charge the
 *   currency, or the merchant fee leaves nothing to settle (R-124, D-065)
 */
export function quoteFor(channel: Channel, invoice: Invoice, method_id: string): Quote | null {
  const payment = paymentIn(channel, invoice);
  const fee_rules = payment === null ? undefined : channel.fees.get(payment.currency);
  if (payment === null || fee_rules === undefined) return null;
  const owner = ownerOf(channel);
  const { subtotal } = payment;
  const buyer_fee = feeOn(subtotal, fee_rules.buyer);
  const merchant_fee = feeOn(merchantFeeBase(owner, subtotal, buyer_fee), fee_rules.merchant);
  const merchant_fee_ptk = feeInPtk(merchant_fee, payment.currency, invoice);
  if (!isUsable({ subtotal, merchant_fee, merchant_fee_ptk }, invoice)) return null;
  return {
    method_id,
    payment_no: channel.payment_no,
    provider: channel.provider,
    owner,
    test_mode: channel.test_mode,
    currency: payment.currency,
    currency_decimals: payment.decimals,
    subtotal,
    buyer_fee,
    merchant_fee,
    merchant_fee_ptk,
    fee_rules,
  };
}

/** The payment subtotal. PTK is charged at the locked rate, a card the invoice itself. */
function paymentIn(
  channel: Channel,
  invoice: Invoice,
): { currency: string; decimals: number; subtotal: bigint } | null {
  if (channel.provider === 'ptk') {
    return { currency: ptk, decimals: ptkDecimals, subtotal: invoice.gross_settlement_ptk };
  }
  // A card is charged in the invoice currency itself, and never in PTK (D-066, D-067).
  if (invoice.currency === ptk || !channel.supported_currencies.includes(invoice.currency)) return null;
  return { currency: invoice.currency, decimals: invoice.decimals, subtotal: invoice.minor };
}

/** The merchant fee in PTK. A positive fee is at least one unit (D-064). */
function feeInPtk(fee: bigint, currency: string, invoice: Invoice): bigint {
  if (currency === ptk || fee === 0n) return fee;
  return maxOf(1n, toPtk(fee, invoice.decimals, invoice.price_e12));
}
