/** Writes catalog orders as the JSON of the merchant API. */
import { unitsPerMinor } from '../products/index.ts';
import { type Attempt, counts } from '../../payments/attempts/index.ts';
import { type CatalogOrder, invoiceMinor, paymentStatusOf, statusLabel, statusOf } from './order.ts';

/** `YYYY-MM-DD HH:mm:ss` in UTC (R-006, D-186, H-27). */
export const plainTime = (at: Date): string => at.toISOString().slice(0, 19).replace('T', ' ');

/**
 * Returns the number of an order's payment (D-180, D-191): the attempt's number for a card session (the provider has it
 * as the client's reference), `PTK:` and the order's number for a debit, empty until a session exists.
 */
export function tradeNoOf(attempts: readonly Attempt[]): string {
  const attempt = attempts.find(counts);
  if (attempt === undefined) return '';
  if (attempt.provider === 'ptk') return attempt.provider_trade_no ?? '';
  return attempt.session_id === null ? '' : attempt.attempt_id;
}

/**
 * Writes a catalog order for its buyer's client (R-358, D-181), with its status as a number. Amounts are at
 * 8-decimal fixed point.
 */
export function orderJson(order: CatalogOrder, trade_no: string) {
  const { currency_decimals, payment_decimals, payment_subtotal, buyer_fee } = order;
  const priced = (minor: bigint): bigint => minor * unitsPerMinor(currency_decimals);
  const paid = (minor: bigint): bigint => minor * unitsPerMinor(payment_decimals);
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

/** Writes how far the payment of a catalog order is: 0, 1 or 2. */
export const paymentJson = (order: CatalogOrder) => ({ status: paymentStatusOf(order) });
