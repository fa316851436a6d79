import { maxOf, ptk, ptkDecimals } from '../../base/money.ts';
import { type Channel, type FeeRules, ownerOf, type Provider } from '../../channels/index.ts';
import { toPtk } from '../../currencies/index.ts';
import { feeOn } from './fee-formula.ts';

/** What is to be paid for, at the price that was locked when the order was made. */
export interface Invoice {
  minor: bigint;
  currency: string;
  decimals: number;
  price_e12: bigint;
  /** The invoice in PTK before any fee: the same for every method (D-045). */
  gross_settlement_ptk: bigint;
}

/** What one method costs for one order; amounts in minor units of the payment currency. */
export interface Quote {
  /** Names the method on this order's checkout, and nowhere else. */
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

export function invoiceOf(minor: bigint, currency: string, decimals: number, price_e12: bigint): Invoice {
  return { minor, currency, decimals, price_e12, gross_settlement_ptk: toPtk(minor, decimals, price_e12) };
}

/** What the buyer pays in all. */
export const totalOf = (quote: Quote): bigint => quote.subtotal + quote.buyer_fee;

/** What the merchant's wallet is credited with: nothing on the merchant's own channel (D-050). */
export function settlementOf(quote: Quote, gross_settlement_ptk: bigint): bigint | null {
  return quote.owner === 'merchant' ? null : gross_settlement_ptk - quote.merchant_fee_ptk;
}

/**
 * The quote of one channel for an invoice, or null where the channel cannot be used for it: no rule for the
 * currency, a currency it does not charge, or fees that reach what there is to settle (R-116 to R-124, D-062 to
 * D-067).
 */
export function quoteFor(channel: Channel, invoice: Invoice, method_id: string): Quote | null {
  const payment = paymentIn(channel, invoice);
  const fee_rules = payment === null ? undefined : channel.fees.get(payment.currency);
  if (payment === null || fee_rules === undefined) return null;
  const owner = ownerOf(channel);
  const { subtotal } = payment;
  const buyer_fee = feeOn(subtotal, fee_rules.buyer);
  const merchant_fee = feeOn(owner === 'merchant' ? subtotal : subtotal + buyer_fee, fee_rules.merchant);
  const merchant_fee_ptk = feeInPtk(merchant_fee, payment.currency, invoice);
  const { gross_settlement_ptk } = invoice;
  if (gross_settlement_ptk === 0n || merchant_fee >= subtotal || merchant_fee_ptk >= gross_settlement_ptk) {
    return null;
  }
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

/** The merchant fee in PTK; a positive fee never converts to nothing (D-064). */
function feeInPtk(fee: bigint, currency: string, invoice: Invoice): bigint {
  if (currency === ptk || fee === 0n) return fee;
  return maxOf(1n, toPtk(fee, invoice.decimals, invoice.price_e12));
}
