/** The writes of a payment from a person's wallet. */
import { rfc3339 } from '../../base/time/clock.ts';
import type { Write } from '../../base/pg/index.ts';
import { post } from '../../ledger/books/index.ts';
import type { Payable, PayableKind } from '../engine/index.ts';
import { insertAttempt } from '../attempts/index.ts';
import { type Quote, totalOf } from '../quotes/index.ts';
import { startHold } from '../holds/index.ts';
import { ptkSettlementEntry } from './settlement-entries.ts';

/** A payment in PTK has no number of a provider: its trade number names the order (R-039, D-480). */
const ptkTradeNo = (order_no: string): string => `PTK:${order_no}`;

/** The order that such a trade number names; null for other trade numbers. */
export const orderOfPtkTrade = (trade_no: string): string | null =>
  trade_no.startsWith('PTK:') ? trade_no.slice('PTK:'.length) : null;

/** An open order that its buyer pays from the wallet. */
export interface PtkPayment {
  kind: PayableKind;
  order: Payable;
  quote: Quote;
  /** Its place among the order's attempts. */
  seq: number;
  /** Chosen before the payment begins, so that the payment is found again if its answer is lost. */
  attempt_id: string;
  user_id: string;
  now: Date;
}

/**
 * The writes of a PTK payment: debit, settlement, status and notification, in one statement for the merchant's book
 * and one for the buyer's wallet (T4, P2, R-142, R-148). They are committed together. The wallet's write fails if the
 * balance is too small: after `insufficient_balance` nothing is stored, not even an attempt (R-215, D-125). The
 * time is the time of the commit (D-112).
 *
 * The order's row comes first, so that others wait there before anything is touched. The row is guarded by the status
 * and version that were read, and the attempt by the keys of the order's attempts: a second start debits nothing.
 */
export function ptkPaymentWrites(payment: PtkPayment): Write[][] {
  const { kind, order, quote, seq, attempt_id, user_id, now } = payment;
  const provider_trade_no = ptkTradeNo(order.order_no);
  const confirmation = { quote, provider_trade_no, occurred_at: now, occurred_at_text: rfc3339(now) };
  const attempt = insertAttempt({
    merchant_id: order.merchant_id,
    attempt_id,
    order_no: order.order_no,
    seq,
    method_id: quote.method_id,
    payment_no: quote.payment_no,
    provider: 'ptk',
    test_mode: false,
    state: 'paid',
    amount: totalOf(quote),
    currency: quote.currency,
    currency_decimals: quote.currency_decimals,
    buyer_user_id: user_id,
    created_at: now,
    lease_until: null,
    unclear_since: null,
    session_id: null,
    session_url: null,
    session_expires_at: null,
    provider_trade_no,
    check_at: null,
    paid_at: now,
    closed_at: null,
    request: null,
    detail: {},
  });
  const { book, wallets } = post([ptkSettlementEntry(order, quote, user_id)], now);
  return [[...kind.markPaid(order, confirmation, now), attempt, ...book, ...startHold(order, now)], wallets];
}
