import { rfc3339 } from '../../base/time/clock.ts';
import type { OwnedWrites } from '../../base/pg/index.ts';
import { post } from '../../ledger/books/index.ts';
import type { PaymentDeps, Payable, PayableKind } from '../engine/index.ts';
import { insertAttempt } from '../attempts/index.ts';
import { type Quote, totalOf } from '../quotes/index.ts';
import { startHold } from '../holds/index.ts';
import { ptkSettlementEntry } from './settlement-entries.ts';

/**
 * Pays an open order from the buyer's wallet: debit, settlement, status and notification in one statement
 * for the merchant's book and one for the buyer's, and commits (T4, P2, R-142, R-148). One round trip.
 *
 * The order's row comes first, so that whoever else is at this order waits there, before anything of it is touched. An
 * order that was not locked when it was read is guarded by its status and version, and by the keys of its attempts.
 *
 * @throws AppError `insufficient_balance`; the transaction then leaves nothing behind, no attempt either (D-125)
 * @throws GuardError, or a unique violation, where the order is not what it was read as
 */
export async function payWithPtk(
  deps: PaymentDeps,
  commit: (...parts: OwnedWrites[]) => Promise<void>,
  payment: {
    kind: PayableKind;
    order: Payable;
    quote: Quote;
    /** Its place among the order's attempts. */
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
