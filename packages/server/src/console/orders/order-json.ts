/** Orders, quotes and attempts as the people of a merchant see them. */
import { rfc3339, rfc3339OrNull } from '../../base/time/clock.ts';
import { formatMinor } from '../../base/money.ts';
import { type CollectionOrder, confirmedAt, orderJson } from '../../collection/orders/index.ts';
import type { Attempt } from '../../payments/attempts/index.ts';
import { merchantFeeParts, type Quote, totalOf } from '../../payments/quotes/index.ts';

/** An order in a list. The checkout address is left out, because it would let a reader act as the buyer. */
export function consoleOrderJson(order: CollectionOrder) {
  const { checkout_url: _, ...members } = orderJson(order, () => '');
  return {
    ...members,
    description: order.description,
    created_at: rfc3339(order.created_at),
    paid_at: rfc3339OrNull(confirmedAt(order)),
  };
}

/** An order on its own page, with more members than in a list. */
export const wholeOrderJson = (order: CollectionOrder) => ({
  ...consoleOrderJson(order),
  idempotency_key: order.idempotency_key,
  requested_payment_no: order.requested_payment_no,
  notify_mode: order.notify_mode,
  notify_url: order.notify_url,
  // The rate of a historical order is unknown.
  ptk_price: order.price_e12 === 0n ? null : formatMinor(order.price_e12, 12),
  hold_days: order.hold_days,
});

/** @param payment_no the channel that the order goes through; empty until there is one */
export function quoteJson(quote: Quote, payment_no: string) {
  const written = (minor: bigint): string => formatMinor(minor, quote.currency_decimals);
  return {
    method_id: quote.method_id,
    payment_no: quote.payment_no,
    provider: quote.provider,
    owner: quote.owner,
    test_mode: quote.test_mode,
    currency: quote.currency,
    subtotal: written(quote.subtotal),
    buyer_fee: written(quote.buyer_fee),
    payment_amount: written(totalOf(quote)),
    merchant_fee: written(quote.merchant_fee),
    merchant_fee_ptk: quote.merchant_fee_ptk.toString(),
    merchant_fee_parts: merchantFeeParts(quote),
    locked: quote.payment_no === payment_no,
  };
}

/** An attempt without the provider's answers to the platform and without the buyer's identity. */
export const attemptJson = (attempt: Attempt) => ({
  attempt_id: attempt.attempt_id,
  seq: attempt.seq,
  state: attempt.state,
  payment_no: attempt.payment_no,
  provider: attempt.provider,
  test_mode: attempt.test_mode,
  amount: formatMinor(attempt.amount, attempt.currency_decimals),
  currency: attempt.currency,
  provider_trade_no: attempt.provider_trade_no,
  created_at: rfc3339(attempt.created_at),
  paid_at: rfc3339OrNull(attempt.paid_at),
  closed_at: rfc3339OrNull(attempt.closed_at),
});
