import { rfc3339 } from '../../base/time/clock.ts';
import type { Tx, Write } from '../../base/pg/index.ts';
import { post } from '../../ledger/books/index.ts';
import {
  afterObservation,
  type Attempt,
  counts,
  endedUnpaid,
  isPaid,
  type Seen,
  selectAttempts,
  updateAttempt,
} from '../attempts/index.ts';
import { suspenseOf, selectCasesOfOrder } from '../cases/index.ts';
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
import { caseWrites } from './attempt-cases.ts';
import { cardSettlementEntry } from './settlement-entries.ts';

/**
 * Applies what was seen at the provider to an attempt and its order, in one transaction: the deadline first, then
 * the attempt, then what follows for the order: paid with its settlement (T5, T6, T9), expired once nothing can
 * come any more (T7, T8), or unbound after a refusal; for the fee that was reserved (P4b to P4d); and for the cases
 * that a person looks at, a late payment of what cannot be fulfilled any more among them (P10, P11). Whatever was learned meanwhile by others stands: the attempt is read again under the lock.
 *
 * @returns the attempt as it now stands
 */
export async function settle(deps: PaymentDeps, of: AttemptKey, seen: Seen): Promise<Attempt> {
  return deps.db.transaction(async (tx) => {
    const { after, writes } = await settleInTransaction(deps, tx, of, seen);
    await tx.finish(writes);
    return after;
  });
}

export type AttemptKey = Pick<Attempt, 'merchant_id' | 'order_no' | 'attempt_id'>;

/**
 * The same in a transaction that goes on: what is left to write is the caller's to run, together with its own. The
 * order stays locked.
 */
export async function settleInTransaction(
  deps: PaymentDeps,
  tx: Tx,
  { merchant_id, order_no, attempt_id }: AttemptKey,
  observed: Seen,
): Promise<{ after: Attempt; writes: Write[] }> {
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
  // A payment that is verified in time, or verified late, goes straight to paid; all else meets the deadline first.
  if (!isPaid(after)) {
    if (isRefusal(before, after) && isUnpaid(order)) {
      order = await writeAndReload(tx, kind, order, kind.unbindMethod(order));
    }
    order = await writeAndReload(
      tx,
      kind,
      order,
      kind.moveAtDeadline(order, standing.some(counts), now) ?? [],
    );
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
    throw new AppError('payment_conflict', { description: 'The order cannot be fulfilled any more.' });
  }
  const settles = isFirst && !lapsed;
  const ofFee = await settleFee(tx, reservation, after, settles, now);
  const ofCases = await caseWrites(deps, tx, { ...at, lapsed });
  return {
    after,
    writes: [updateAttempt(before, after), ...orderWrites(at, settles), ...ofFee, ...ofCases],
  };
}

const isUnpaid = ({ phase }: Payable): boolean => phase === 'open' || phase === 'review';

/** A refused first creation leaves nothing chosen (D-044). */
const isRefusal = (before: Attempt, after: Attempt): boolean =>
  after.state === 'rejected' && before.state !== 'rejected';

/** The order after these writes. */
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
  /** Every attempt of the order, this one as it is now. */
  standing: readonly Attempt[];
  /** What was set aside for this attempt. */
  reservation: FeeReservation | null;
  now: Date;
}

function orderWrites(at: Settling, settles: boolean): Write[] {
  const { kind, order, after, standing, now } = at;
  if (settles) return paidWrites(at);
  // A second payment of a settled order, or one that came too late to be fulfilled, is a case (D-082, D-177).
  if (isPaid(after)) return [];
  return order.phase === 'review' && standing.every(endedUnpaid) ? kind.markExpired(order, now) : [];
}

function paidWrites({ kind, order, after, seen, quotes, reservation, now }: Settling): Write[] {
  const quote = quotes.find(({ method_id }) => method_id === after.method_id);
  const { paid_at, provider_trade_no } = after;
  if (quote === undefined || paid_at === null || provider_trade_no === null) {
    throw new InvariantError('a paid attempt without quote, time or trade number');
  }
  const confirmation = {
    quote,
    provider_trade_no,
    occurred_at: paid_at,
    occurred_at_text: rfc3339(paid_at),
  };
  const paid = kind.markPaid(order, confirmation, now);
  if (quote.owner === 'merchant') {
    // The money is the merchant's already: nothing is credited, and only the fee moves (R-131, P5).
    if (feeToReserve(quote) > 0n && reservation === null)
      throw new InvariantError('a fee was never reserved');
    return paid;
  }
  const source = seen.kind === 'accepted' ? suspenseOf(seen.receipt) : undefined;
  const { book } = post([cardSettlementEntry(order, quote, source)], now);
  return [...book, ...startHold(order, now), ...paid];
}
