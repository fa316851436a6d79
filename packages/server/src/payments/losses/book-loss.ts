import type { Tx, Write } from '../../base/pg/index.ts';
import { lockOrderFunds, post } from '../../ledger/books/index.ts';
import { endHold, setHoldFrozen } from '../holds/index.ts';
import { InvariantError } from '../../base/errors.ts';
import type { Complaint } from './complaint.ts';
import { insertComplaint, updateComplaint } from './complaint.sql.ts';
import {
  chargebackEntry,
  costEntry,
  costInPtk,
  freezeEntry,
  lossInPtk,
  refundEntry,
  thawEntry,
} from './loss-entries.ts';
import { endHoldAndComplaint, type PaidOrder } from './paid-order.ts';
import { fundsAfter, waterfall } from './waterfall.ts';

/**
 * Books a full refund and ends the order with it: what the merchant bears, the status with its notification, the
 * hold, an open complaint (T10, P7, P7p; for an owned channel the status alone, P7o).
 *
 * @param writes what is stored with it
 */
export async function bookRefund(tx: Tx, paid: PaidOrder, writes: Write[], now: Date): Promise<void> {
  const { kind, order, attempt, lost, owned } = paid;
  const ends = [...endHoldAndComplaint(paid, now), ...kind.markRefunded(order, now), ...writes];
  if (owned) {
    await tx.write(ends);
    return;
  }
  const funds = await lockOrderFunds(tx, order.merchant_id, order.order_no);
  // What complaints took of the payment already does not go back a second time.
  const minor = attempt.amount - lost;
  const shares = waterfall(lossInPtk(paid, lost, minor), funds);
  const { book, wallets } = post([refundEntry(paid, minor, shares)], now);
  await Promise.all([tx.write([...book, ...ends]), tx.write(wallets)]);
}

/** Freezes what is left of an order's proceeds, and stops its hold (P6a, R-138). What was released stays so (D-080). */
export async function bookFreeze(
  tx: Tx,
  paid: PaidOrder,
  complaint_id: string,
  writes: Write[],
  now: Date,
): Promise<void> {
  const { order, hold } = paid;
  const { merchant_id, order_no } = order;
  if (hold === null) {
    await tx.write(writes);
    return;
  }
  const { held } = await lockOrderFunds(tx, merchant_id, order_no);
  const { book } = post([freezeEntry(paid, complaint_id, held)], now);
  await tx.write([...book, setHoldFrozen(merchant_id, order_no, true), ...writes]);
}

/** Ends a complaint without a loss: what it froze goes back (P6b, D-079). */
export async function bookDismissal(tx: Tx, paid: PaidOrder, before: Complaint, now: Date): Promise<void> {
  const { merchant_id, order_no } = paid.order;
  await tx.write([
    updateComplaint(before, { ...before, status: 'dismissed', decided_at: now, check_at: null }),
  ]);
  const { frozen, recovery } = await lockOrderFunds(tx, merchant_id, order_no);
  await tx.write(thawFunds(paid, before.complaint_id, frozen, recovery, now));
}

/** What a complaint costs in the end, in minor units of the payment currency. */
export interface FinalLoss {
  loss_amount: bigint;
  external_cost: bigint | null;
  /** The complaint comes into being with its end. */
  is_new?: boolean;
}

/**
 * Books the loss that a complaint ended in, and what the provider charges for it (P8, P9). Where the whole of the
 * buyer's total is lost by now the order is charged back (T11); otherwise it stays paid, and what is left of the
 * frozen funds goes back as after a dismissal.
 */
export async function bookLoss(
  tx: Tx,
  paid: PaidOrder,
  before: Complaint,
  { loss_amount, external_cost, is_new = false }: FinalLoss,
  now: Date,
): Promise<void> {
  const { kind, order, attempt, lost, owned, open_complaint } = paid;
  const { complaint_id } = before;
  if (lost + loss_amount > attempt.amount) throw new InvariantError('more is lost than was paid');
  const after: Complaint = {
    ...before,
    status: 'confirmed',
    loss_amount,
    external_cost,
    decided_at: now,
    check_at: null,
  };
  await tx.write([is_new ? insertComplaint(after) : updateComplaint(before, after)]);
  const funds = await lockOrderFunds(tx, order.merchant_id, order.order_no);
  const isThis = open_complaint?.complaint_id === complaint_id;
  let left = funds.frozen;
  if (!owned) {
    const shares = waterfall(lossInPtk(paid, lost, loss_amount), funds);
    const rest = fundsAfter(funds, shares);
    const costs = waterfall(external_cost === null ? 0n : costInPtk(paid, external_cost), rest);
    const loss = chargebackEntry(paid, complaint_id, loss_amount, shares);
    const { book, wallets } = post([loss, costEntry(paid, complaint_id, external_cost ?? 0n, costs)], now);
    await Promise.all([tx.write(book), tx.write(wallets)]);
    left = rest.frozen - costs.frozen;
  }
  if (lost + loss_amount === attempt.amount) {
    // The complaint itself has ended above; another that is open ends with the order.
    const others = isThis ? { ...paid, open_complaint: null } : paid;
    await tx.write([...endHoldAndComplaint(others, now), ...kind.markChargedBack(order, now)]);
  } else if (isThis) {
    // While something of the order is left over, nothing was added to the merchant's debt.
    await tx.write(thawFunds(paid, complaint_id, left, funds.recovery, now));
  }
}

/** Gives frozen funds back: under the hold that runs on, or released where it is over meanwhile. */
function thawFunds(paid: PaidOrder, complaint_id: string, frozen: bigint, owed: bigint, now: Date): Write[] {
  const { order, hold } = paid;
  const { merchant_id, order_no } = order;
  if (hold === null) return [];
  const isOver = hold.release_at <= now;
  const { book } = post([thawEntry(paid, complaint_id, frozen, isOver ? { owed } : 'held')], now);
  return [
    ...book,
    isOver ? endHold(merchant_id, order_no, now) : setHoldFrozen(merchant_id, order_no, false),
  ];
}
