import { type Attempt, counts } from '../../payments/attempts/index.ts';
import { type CatalogOrder, invoiceMinor, statusLabel, statusOf } from './order.ts';

/** An amount at 8-decimal fixed point, whatever its currency's own precision (D-182). */
export const fixed8 = (minor: bigint, decimals: number): bigint => minor * 10n ** BigInt(8 - decimals);

/** `YYYY-MM-DD HH:mm:ss` in UTC (D-186). */
export const plainTime = (at: Date): string => at.toISOString().slice(0, 19).replace('T', ' ');

/**
 * The number of an order's payment: ours for a card session, which its provider has as the client's reference, and
 * `PTK:` and the order's for a debit; empty until there is a session (D-180, D-191).
 */
export function tradeNoOf(attempts: readonly Attempt[]): string {
  const attempt = attempts.find(counts);
  if (attempt === undefined) return '';
  if (attempt.provider === 'ptk') return attempt.provider_trade_no ?? '';
  return attempt.session_id === null ? '' : attempt.attempt_id;
}

/** A catalog order as its buyer's program reads it (R-358, D-181); amounts at 8-decimal fixed point. */
export function orderJson(order: CatalogOrder, trade_no: string) {
  const { currency_decimals, payment_decimals, payment_subtotal, buyer_fee } = order;
  const priced = (minor: bigint): bigint => fixed8(minor, currency_decimals);
  const paid = (minor: bigint): bigint => fixed8(minor, payment_decimals);
  return {
    order_no: order.order_no,
    gd_no: order.gd_no,
    title: order.title,
    quantity: order.quantity,
    status: statusOf(order),
    status_label: statusLabel(order),
    currency: order.currency,
    currency_decimals,
    total_amount: priced(order.total_amount),
    discount_amount: priced(order.discount_amount),
    handling_amount: priced(order.handling_amount),
    pay_amount: priced(invoiceMinor(order) + order.handling_amount),
    payment_currency: order.payment_currency,
    payment_currency_decimals: payment_decimals,
    payment_subtotal: paid(payment_subtotal),
    payment_handling_amount: paid(buyer_fee),
    payment_pay_amount: paid(payment_subtotal + buyer_fee),
    payment_no: order.payment_no,
    payment_name: order.payment_name,
    ...(order.payment_methods.length === 0 ? {} : { payment_methods: order.payment_methods }),
    trade_no,
    paid_time: order.paid_at === null ? null : plainTime(order.paid_at),
    created_at: plainTime(order.created_at),
    updated_at: plainTime(order.updated_at),
  };
}
