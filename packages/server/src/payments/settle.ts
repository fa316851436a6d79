import { rfc3339 } from '../base/clock.ts';
import type { Tx, Write } from '../base/db.ts';
import { InvariantError } from '../base/errors.ts';
import { post } from '../ledger/post.ts';
import { afterObservation, type Attempt, counts, isOver, isPaid, type Observation } from './attempt.ts';
import type { PaymentDeps } from './deps.ts';
import { type FeeReservation, feeToRaise } from './fee-reservation.ts';
import { selectFeeReservation } from './fee-reservation.sql.ts';
import { followFee } from './fund-fees.ts';
import type { Payable, PayableKind } from './payable.ts';
import { selectAttempts, selectQuotes, updateAttempt } from './payment.sql.ts';
import { holdFrom } from './release-holds.ts';
import { cardSettlement } from './settlement.ts';

/**
 * Applies what was seen at the provider to an attempt and its order, in one transaction: the deadline first, then
 * the attempt, then what follows for the order: paid with its settlement (T5, T6, T9), expired once nothing can
 * come any more (T7, T8), or unbound after a refusal; and for the fee that was reserved (P4b to P4d). Whatever was
 * learned meanwhile by others stands: the attempt is read again under the lock.
 *
 * @returns the attempt as it now stands
 */
export async function settle(
  deps: PaymentDeps,
  { merchant_id, order_no, attempt_id }: Pick<Attempt, 'merchant_id' | 'order_no' | 'attempt_id'>,
  seen: Observation,
): Promise<Attempt> {
  const kind = deps.kindOf(order_no);
  return deps.db.transaction(async (tx) => {
    const [locked, attempts, reservation] = await Promise.all([
      kind.lock(tx, merchant_id, order_no),
      selectAttempts(tx, merchant_id, order_no),
      selectFeeReservation(tx, merchant_id, attempt_id),
    ]);
    const before = attempts.find((attempt) => attempt.attempt_id === attempt_id);
    if (locked === null || before === undefined) throw new InvariantError('an attempt without its order');
    const now = deps.clock.now();
    const after = afterObservation(before, seen, locked.expires_at, now);

    const standing = attempts.map((attempt) => (attempt === before ? after : attempt));
    let order = locked;
    // A payment that is verified in time, or verified late, goes straight to paid; all else meets the deadline first.
    if (!isPaid(after)) {
      if (isRefusal(before, after) && isUnpaid(order)) {
        order = await written(tx, kind, order, kind.unbound(order));
      }
      order = await written(tx, kind, order, kind.atDeadline(order, standing.some(counts), now) ?? []);
    }
    const settles = isPaid(after) && !isPaid(before) && order.phase !== 'settled';
    const follows = await consequences(deps, tx, { kind, order, before, after, standing, reservation, now });
    const ofFee = await followFee(tx, reservation, after, settles, now);
    await tx.finish([updateAttempt(before, after), ...follows, ...ofFee]);
    return after;
  });
}

const isUnpaid = ({ phase }: Payable): boolean => phase === 'open' || phase === 'review';

/** A refused first creation leaves nothing chosen (D-044). */
const isRefusal = (before: Attempt, after: Attempt): boolean =>
  after.state === 'rejected' && before.state !== 'rejected';

/** The order after these writes. */
async function written(tx: Tx, kind: PayableKind, order: Payable, writes: Write[]): Promise<Payable> {
  if (writes.length === 0) return order;
  await tx.write(writes);
  const moved = await kind.lock(tx, order.merchant_id, order.order_no);
  if (moved === null) throw new InvariantError('a locked order is gone');
  return moved;
}

async function consequences(
  deps: PaymentDeps,
  tx: Tx,
  at: {
    kind: PayableKind;
    order: Payable;
    before: Attempt;
    after: Attempt;
    /** Every attempt of the order, this one as it is now. */
    standing: readonly Attempt[];
    /** What was set aside for this attempt. */
    reservation: FeeReservation | null;
    now: Date;
  },
): Promise<Write[]> {
  const { kind, order, before, after, standing, now } = at;
  if (isPaid(after)) {
    if (isPaid(before)) return [];
    if (order.phase === 'settled') {
      // Paid twice: the second payment moves nothing here and is the operator's to return.
      deps.log.error({ order_no: order.order_no, attempt_id: after.attempt_id }, 'duplicate payment');
      return [];
    }
    return paidWrites(tx, at);
  }
  return order.phase === 'review' && standing.every(isOver) ? kind.unpaid(order, now) : [];
}

async function paidWrites(
  tx: Tx,
  at: { kind: PayableKind; order: Payable; after: Attempt; reservation: FeeReservation | null; now: Date },
): Promise<Write[]> {
  const { kind, order, after, reservation, now } = at;
  const quotes = await selectQuotes(tx, order.merchant_id, order.order_no);
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
  const paid = kind.paid(order, confirmation, now);
  if (quote.owner === 'merchant') {
    // The money is the merchant's already: nothing is credited, and only the fee moves (R-131, P5).
    if (feeToRaise(quote) > 0n && reservation === null) throw new InvariantError('a fee was never reserved');
    return paid;
  }
  const { book } = post(cardSettlement(order, quote), now);
  return [...book, ...holdFrom(order, now), ...paid];
}
