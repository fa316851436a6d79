import { rfc3339 } from '../../base/time/clock.ts';
import type { OwnedWrites } from '../../base/pg/index.ts';
import { post } from '../../ledger/books/index.ts';
import type { PaymentDeps, Payable, PayableKind } from '../engine/index.ts';
import { insertAttempt } from '../attempts/index.ts';
import { type Quote, totalOf } from '../quotes/index.ts';
import { startHold } from '../holds/index.ts';
import { ptkSettlementEntry } from './settlement-entries.ts';

/**
 * Pays an open order from the buyer's wallet and commits (T4, P2, R-142, R-148): debit, settlement, status and notification
 * in one statement for the merchant's book and one for the buyer's. One round trip.
 *
 * Invariant: an order is paid at most once. Its row is written first, so other processes wait there. If the order was read
 * without a lock, the writes are guarded by its status and version, and by the unique keys of its attempts.
 *
 * @throws AppError `insufficient_balance`; nothing is stored then, not even the attempt (D-125)
 * @throws GuardError, or a unique violation, if the order has changed since it was read
 */
export async function payWithPtk(
  deps: PaymentDeps,
  commit: (...parts: OwnedWrites[]) => Promise<void>,
  payment: {
    kind: PayableKind;
    order: Payable;
    quote: Quote;
    /** Number of the new attempt in the order. */
    seq: number;
    user_id: string;
    now: Date;
  },
): Promise<void> {
  const { kind, order, quote, seq, user_id, now } = payment;
  const provider_trade_no = `PTK:${order.order_no}`;
  const confirmation = { quote, provider_trade_no, occurred_at: now, occurred_at_text: rfc3339(now) };
  const attempt = insertAttempt({
    merchant_id: order.merchant_id,
    attempt_id: `pa_${deps.ids.ulid(now)}`,
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
  await commit(
    {
      owner: order.merchant_id,
      writes: [...kind.markPaid(order, confirmation, now), attempt, ...book, ...startHold(order, now)],
    },
    { owner: user_id, writes: wallets },
  );
}
