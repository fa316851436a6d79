/** One open collection order for each cart and amount, for programs that keep no list of their attempts. */
import { createHash } from 'node:crypto';
import type { PaydeskClient } from '../client/client.ts';
import { ordersOf } from '../client/orders-of.ts';
import { canonicalAmount, sameAmount } from '../decimal.ts';
import type { CreatedOrder } from '../types.ts';

/** What a cart has to pay now. */
export interface Collection {
  /** The cart or the order in your shop: the same for all its attempts to pay, and for no other cart. */
  external_reference: string;
  /** A decimal string. */
  amount: string;
  currency: string;
  payment_no?: string | undefined;
  description?: string | undefined;
  /** 60 to 7200 seconds. */
  expires_in?: number | undefined;
  return_url?: string | undefined;
  /** Whether a payment through a test channel pays the cart. Default: true. */
  accept_test_mode?: boolean | undefined;
}

/** Orders that can no longer be paid, except by a payment that was already in progress. */
const over = new Set(['expired', 'refunded', 'chargeback']);

/**
 * The collection order with which this cart is paid: an order that exists, if one fits, else a new one. Call it as often as
 * the buyer asks to pay (D-365).
 *
 * - An order of this amount that is `paid` comes first: the cart is paid, and nothing is created. With `accept_test_mode: false`
 * one that was paid through a test channel is over: the cart can be paid again (D-1412).
 * - While an order of this reference is `review`, or has a status of a later version, it is returned: another order could
 * charge the buyer twice.
 * - An order of this amount that is `pending` is returned.
 * - Else an order is created. Its key consists of the reference, the amount, the currency and the number of the attempt, so
 * parallel calls get the same order, and another amount gets another order.
 *
 * An earlier order of another amount stays payable until it expires: compare each payment with the cart before you accept it.
 * It rejects with `PaydeskError`, and with `TypeError` if the amount is no decimal string.
 */
export async function collect(
  client: Pick<PaydeskClient, 'createOrder' | 'listOrders' | 'orders'>,
  { external_reference, amount, currency, accept_test_mode = true, ...rest }: Collection,
): Promise<CreatedOrder> {
  const canonical = canonicalAmount(amount);
  if (canonical === undefined) throw new TypeError('an amount is a decimal string such as "10.00"');
  const known = await ordersOf(client, external_reference);
  const same = known.filter((order) => order.currency === currency && sameAmount(order.amount, amount));
  const isUnclear = ({ status }: CreatedOrder): boolean =>
    status !== 'pending' && status !== 'paid' && !over.has(status);
  const standing =
    same.find(({ status, test_mode }) => status === 'paid' && (accept_test_mode || !test_mode)) ??
    known.find(isUnclear) ??
    same.find(({ status }) => status === 'pending');
  if (standing !== undefined) return standing;
  return client.createOrder({
    external_reference,
    idempotency_key: keyOf(external_reference, `${canonical}/${currency}/${same.length + 1}`),
    amount,
    currency,
    ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined && value !== '')),
  });
}

/** A key has at most 128 bytes, where a reference has up to 191 (D-338). */
function keyOf(external_reference: string, attempt: string): string {
  const key = `${external_reference}/${attempt}`;
  if (Buffer.byteLength(key) <= 128) return key;
  return `${createHash('sha256').update(external_reference).digest('hex')}/${attempt}`;
}
