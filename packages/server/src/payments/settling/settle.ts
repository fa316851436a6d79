import { rfc3339 } from '../../base/time/clock.ts';
import type { Tx, Write } from '../../base/pg/index.ts';
import { post } from '../../ledger/books/index.ts';
import {
  afterObservation,
  type Attempt,
  counts,
  isPaid,
  type Seen,
  selectAttempts,
  updateAttempt,
} from '../attempts/index.ts';
import { suspenseOf, selectCasesOfOrder } from '../cases/index.ts';
import { endReview } from '../deadlines/index.ts';
import type { PaymentDeps, Payable, PayableKind } from '../engine/index.ts';
import {
  type FeeReservation,
  feeToReserve,
  selectFeeReservation,
  settleFee,
} from '../merchant-fees/index.ts';
import { selectQuotes, type Quote } from '../quotes/index.ts';
import { startHold } from '../holds/index.ts';
import { AppError, InvariantError } from '../../base/errors.ts';
import { accountForCases } from './known-cases.ts';
import { caseWrites } from './open-cases.ts';
import { cardSettlementEntry, walletCreditEntry } from './settlement-entries.ts';

/**
 * Applies an observation to an attempt and its order, in one transaction:
 *
 * - the order: paid with its settlement (T5, T6, T9, P1, R-012, R-182, R-183), also after it has expired, which is not final
 *   if the grant of a test channel has been revoked, or if the merchant is inactive (D-098); moved at
 *   its deadline (T2, T3, D-088); expired when no attempt can still be paid (T7, T8, R-184, R-185); or without a method again
 *   after a refusal (D-044);
 * - the reserved fee: captured or released (P4b to P4d);
 * - cases: money that the order cannot use goes to suspense for a person (P10, P11, D-082, D-083).
 *
 * Invariant: an order is settled at most once. Order, attempt, fee and cases are read again under the order's
 * lock, and each write is guarded by what was read. So an observation can be applied twice, or late, without harm: repeated
 * webhooks make one transition, one posting and one notification.
 *
 * @returns the attempt after it
 */
export async function settle(deps: PaymentDeps, of: AttemptKey, seen: Seen): Promise<Attempt> {
  return deps.db.transaction(async (tx) => {
    const { after, writes, wallets } = await settleInTransaction(deps, tx, of, seen);
    await tx.finish(writes, wallets);
    return after;
  });
}

export type AttemptKey = Pick<Attempt, 'merchant_id' | 'order_no' | 'attempt_id'>;

/**
 * The same inside the caller's transaction. The order stays locked.
 *
 * @returns the attempt after it, and the writes that the caller still must run; the writes of people's wallets in a
 *   separate list, because wallets may be in another shard
 * @throws AppError `payment_conflict` if an accepted receipt comes too late to fulfil the order
 */
export async function settleInTransaction(
  deps: PaymentDeps,
  tx: Tx,
  { merchant_id, order_no, attempt_id }: AttemptKey,
  observed: Seen,
): Promise<{ after: Attempt; writes: Write[]; wallets: Write[] }> {
  const kind = deps.kindOf(order_no);
  const [locked, attempts, reservation, cases] = await Promise.all([
    kind.lock(tx, merchant_id, order_no),
    selectAttempts(tx, merchant_id, order_no),
    selectFeeReservation(tx, merchant_id, attempt_id),
    selectCasesOfOrder(tx, merchant_id, order_no),
  ]);
  const before = attempts.find((attempt) => attempt.attempt_id === attempt_id);
  if (locked === null || before === undefined) throw new InvariantError('an attempt without its order');
  const now = deps.clock.now();
  const seen = accountForCases(observed, before, cases);
  const after = afterObservation(before, seen, locked.expires_at, now);

  const standing = attempts.map((attempt) => (attempt === before ? after : attempt));
  let order = locked;
  // A verified payment moves the order to paid, even after the deadline. Otherwise the deadline comes first.
  if (!isPaid(after)) {
    if (isRefusal(before, after) && canBePaid(order)) {
      order = await writeAndReload(tx, kind, order, kind.unbindMethod(order));
    }
    const overdue = kind.moveAtDeadline(order, standing.some(counts), now) ?? [];
    order = await writeAndReload(tx, kind, order, overdue);
  }
  const quotes =
    isPaid(after) || seen.kind === 'mismatch' ? await selectQuotes(tx, merchant_id, order_no) : [];
  const at = { kind, order, before, after, seen, cases, quotes, standing, reservation, now };
  const isFirst = isPaid(after) && !isPaid(before) && /* guard: settled-once */ order.phase !== 'settled';
  const lapsed =
    isFirst &&
    order.phase === 'expired' &&
    /* guard: late-payment-of-what-is-gone = false */ !(await kind.canFulfil(tx, order));
  if (lapsed && seen.kind === 'accepted') {
    throw new AppError('payment_conflict', { description: 'The order can no longer be fulfilled.' });
  }
  const settles = isFirst && !lapsed;
  const ofFee = await settleFee(tx, reservation, after, settles, now);
  const ofCases = await caseWrites(deps, tx, { ...at, lapsed });
  const { order: ofOrder, wallets } = orderWrites(at, settles);
  return { after, writes: [updateAttempt(before, after), ...ofOrder, ...ofFee, ...ofCases], wallets };
}

const canBePaid = ({ phase }: Payable): boolean => phase === 'open' || phase === 'review';

/** Whether the provider has refused the first request now. The order then has no method again (D-044). */
const isRefusal = (before: Attempt, after: Attempt): boolean =>
  after.state === 'rejected' && before.state !== 'rejected';

/** Runs writes and reads the order again. */
async function writeAndReload(tx: Tx, kind: PayableKind, order: Payable, writes: Write[]): Promise<Payable> {
  if (writes.length === 0) return order;
  await tx.write(writes);
  const moved = await kind.lock(tx, order.merchant_id, order.order_no);
  if (moved === null) throw new InvariantError('a locked order is gone');
  return moved;
}

interface Settling {
  kind: PayableKind;
  order: Payable;
  after: Attempt;
  seen: Seen;
  quotes: readonly Quote[];
  /** All attempts of the order, this one in its new state. */
  standing: readonly Attempt[];
  /** The reserved fee of this attempt. */
  reservation: FeeReservation | null;
  now: Date;
}

/** The writes in the shard of an order, and the writes of people's wallets. */
interface OrderWrites {
  order: Write[];
  wallets: Write[];
}

function orderWrites(at: Settling, settles: boolean): OrderWrites {
  const { kind, order, after, standing, now } = at;
  if (settles) return paidWrites(at);
  // A second payment, or one too late to be fulfilled, becomes a case instead (D-082, D-177).
  return { order: isPaid(after) ? [] : endReview(kind, order, standing, now), wallets: [] };
}

/**
 * Marks the order paid and credits the merchant, under hold. A test channel is settled like any other
 * . On the merchant's own channel nothing is credited. A top-up moves on to the wallet (P21).
 */
function paidWrites({ kind, order, after, seen, quotes, reservation, now }: Settling): OrderWrites {
  const quote = quotes.find(({ method_id }) => method_id === after.method_id);
  const { paid_at, provider_trade_no } = after;
  if (quote === undefined || paid_at === null || provider_trade_no === null) {
    throw new InvariantError('a paid attempt without quote, time or trade number');
  }
  const confirmation = {
    quote,
    provider_trade_no,
    // The provider's time of the payment, and its text (D-052, D-112).
    occurred_at: paid_at,
    occurred_at_text: rfc3339(paid_at),
  };
  const paid = kind.markPaid(order, confirmation, now);
  if (quote.owner === 'merchant') {
    // The merchant has received the money itself: nothing is credited, only the fee moves (R-131, P5).
    if (feeToReserve(quote) > 0n && reservation === null)
      throw new InvariantError('a fee was never reserved');
    return { order: paid, wallets: [] };
  }
  // An adopted receipt leaves suspense in the platform's own book, so the merchant's book begins at the provider.
  const isInBook = seen.kind === 'accepted' && seen.receipt.merchant_id === order.merchant_id;
  const source = isInBook ? suspenseOf(seen.receipt) : undefined;
  const credit = order.wallet_user_id === null ? [] : [walletCreditEntry(order, quote, order.wallet_user_id)];
  const { book, wallets } = post([cardSettlementEntry(order, quote, source), ...credit], now);
  return { order: [...book, ...startHold(order, now), ...paid], wallets };
}
