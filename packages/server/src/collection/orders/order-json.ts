/** Writes collection orders as the JSON of the merchant API. */
import { rfc3339 } from '../../base/time/clock.ts';
import { formatMinor } from '../../base/money.ts';
import type { CollectionOrder } from './order.ts';

/** Returns the checkout address of an order. It never changes. */
export type CheckoutUrl = (
  order: Pick<CollectionOrder, 'merchant_id' | 'order_no' | 'token_key_id'>,
) => string;

/**
 * The response to a creation: exactly these members (R-052, D-041). The number, the stored reference,
 * the channel once one is selected, the invoice, whatever the buyer pays (R-024, R-025, R-026,
 * ), the status, the checkout address, the return address, byte for byte, if one
 * is stored, and the deadline.
 */
export function createdJson(order: CollectionOrder, checkoutUrl: CheckoutUrl) {
  return {
    order_no: order.order_no,
    external_reference: order.external_reference,
    payment_no: order.payment_no,
    amount: formatMinor(order.amount_minor, order.currency_decimals),
    amount_minor: order.amount_minor,
    currency: order.currency,
    currency_decimals: order.currency_decimals,
    status: order.status,
    test_mode: order.test_mode,
    checkout_url: checkoutUrl(order),
    ...(order.return_url === '' ? {} : { return_url: order.return_url }),
    expires_at: rfc3339(order.expires_at),
  };
}

/**
 * An order in reads and lists, in no envelope: the creation members, version, confirmation and fees (R-053,
 * D-002). The payment's event and trade number appear with the payment, its time, as the channel's text
 * (D-052, H-27), is null before (R-040, D-005). `settlement_ptk` is absent while it is unknown, and always on an own
 * channel (R-041, D-050). Fee status and version and two figures in PTK (R-048, R-049, D-007, D-045) are
 * always present. Description, key, notification settings and buyers are not shown.
 */
export function orderJson(order: CollectionOrder, checkoutUrl: CheckoutUrl) {
  return {
    ...createdJson(order, checkoutUrl),
    status_version: order.status_version,
    ...(order.event_id === null ? {} : { event_id: order.event_id }),
    ...(order.event_id === null || order.provider_trade_no === null
      ? {}
      : { provider_trade_no: order.provider_trade_no }),
    occurred_at: order.occurred_at_text,
    fee_status: order.fee_status,
    fee_version: order.fee_version,
    ...paymentJson(order),
    merchant_fee_ptk: order.merchant_fee_ptk.toString(),
    gross_settlement_ptk: order.gross_settlement_ptk.toString(),
    ...(order.settlement_ptk === null ? {} : { settlement_ptk: order.settlement_ptk.toString() }),
  };
}

interface PaymentJson {
  payment_currency?: string;
  payment_amount?: string;
  buyer_fee?: string;
  merchant_fee?: string;
}

/**
 * The amount that the buyer pays, its currency, and the fees. Absent until a method is
 * selected; then a zero is written too.
 */
function paymentJson(order: CollectionOrder): PaymentJson {
  const { payment_currency, payment_decimals } = order;
  if (payment_currency === null || payment_decimals === null) return {};
  const written = (name: keyof PaymentJson, minor: bigint | null): PaymentJson =>
    minor === null ? {} : { [name]: formatMinor(minor, payment_decimals) };
  return {
    payment_currency,
    ...written('payment_amount', order.payment_amount),
    ...written('buyer_fee', order.buyer_fee),
    ...written('merchant_fee', order.merchant_fee),
  };
}
