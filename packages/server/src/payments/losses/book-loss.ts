/**
 * Books what takes a payment back: refunds, frozen funds, dismissed complaints and losses. Each function runs under the
 * order's lock and writes balances and status together. Nothing else moves an order to `refunded` or `chargeback`
 * (R-191).
 */
import type { Tx, Write } from '../../base/pg/index.ts';
import { type Entry, lockOrderFunds, post } from '../../ledger/books/index.ts';
import { endHold, setHoldFrozen } from '../holds/index.ts';
import { InvariantError } from '../../base/errors.ts';
import { later } from '../../base/time/clock.ts';
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
import { takeFromWallet } from './top-up-loss.ts';
import { fundsAfter, type LossFunds, type LossShares, splitLoss } from './split-loss.ts';

/**
 * Books a full refund and ends the order (T10, P7, P7p): the merchant's loss (D-075), the status with its
 * notification, the hold and an open complaint. On the merchant's own channel no money moves (P7o).
 *
 * Invariant: a payment goes back at most once. Parts that complaints have already taken are left out.
 *
 * @param writes further writes of the same transaction
 */
export async function bookRefund(tx: Tx, paid: PaidOrder, writes: Write[], now: Date): Promise<void> {
  const { kind, order, attempt, lost, owned } = paid;
  const ends = [...endHoldAndComplaint(paid, now), ...kind.markRefunded(order, now), ...writes];
  if (owned) {
    await tx.write(ends);
    return;
  }
  const funds = await lockOrderFunds(tx, order.merchant_id, order.order_no);
  const minor = attempt.amount - lost;
  const { shares, returned } = await shareLoss(
    tx,
    paid,
    { key: '', loss: lossInPtk(paid, lost, minor) },
    funds,
  );
  const { book, wallets } = post([...returned, refundEntry(paid, minor, shares)], now);
  await Promise.all([tx.write([...book, ...ends]), tx.write(wallets)]);
}

/** Freezes an order's held proceeds and stops its hold (P6a, R-138). Released proceeds stay released (D-080). */
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

/**
 * Ends a complaint without a loss: its frozen funds go back (P6b, D-079).
 *
 * @param next the complaint that keeps them frozen instead, not stored yet (D-877)
 */
export async function bookDismissal(
  tx: Tx,
  paid: PaidOrder,
  before: Complaint,
  now: Date,
  next: Complaint | null = null,
): Promise<void> {
  const { merchant_id, order_no } = paid.order;
  await tx.write([
    updateComplaint(before, { ...before, status: 'dismissed', decided_at: now, check_at: null }),
  ]);
  if (next !== null) {
    await tx.write([insertComplaint(next)]);
    return;
  }
  const { frozen, recovery } = await lockOrderFunds(tx, merchant_id, order_no);
  await tx.write(thawFunds(paid, before.complaint_id, frozen, recovery, now));
}

/** The cost of a complaint, in minor units of the payment currency. */
export interface FinalLoss {
  loss_amount: bigint;
  external_cost: bigint | null;
  /** Whether the complaint is not stored yet. */
  is_new?: boolean;
  /** The complaint that keeps what is left of the frozen funds, not stored yet (D-877). */
  next?: Complaint | null;
}

/**
 * Books the loss of a complaint and the provider's charge, each as a separate posting (P8, P9, R-137, D-081). If the
 * buyer's whole total is now lost, the order is charged back (T11). Otherwise it stays paid, and the rest of
 * the frozen funds goes back as after a dismissal.
 *
 * Invariant: the losses of an order never exceed what the buyer paid.
 */
export async function bookLoss(
  tx: Tx,
  paid: PaidOrder,
  before: Complaint,
  { loss_amount, external_cost, is_new = false, next = null }: FinalLoss,
  seen_at: Date,
): Promise<void> {
  const { kind, order, attempt, lost, owned, open_complaint } = paid;
  const { complaint_id } = before;
  const now = afterLosses(paid, seen_at);
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
    const due = { key: complaint_id, loss: lossInPtk(paid, lost, loss_amount) };
    const { shares, returned, rest } = await shareLoss(tx, paid, due, funds);
    const costs = splitLoss(external_cost === null ? 0n : costInPtk(paid, external_cost), rest);
    const loss = chargebackEntry(paid, complaint_id, loss_amount, shares);
    const { book, wallets } = post(
      [...returned, loss, costEntry(paid, complaint_id, external_cost ?? 0n, costs)],
      now,
    );
    await Promise.all([tx.write(book), tx.write(wallets)]);
    left = rest.frozen - costs.frozen;
  }
  if (lost + loss_amount === attempt.amount) {
    // This complaint has ended above. Another open complaint ends with the order.
    const others = isThis ? { ...paid, open_complaint: null } : paid;
    await tx.write([...endHoldAndComplaint(others, now), ...kind.markChargedBack(order, now)]);
  } else if (isThis && next !== null) {
    await tx.write([insertComplaint(next)]);
  } else if (isThis) {
    // If frozen funds are left, they covered the loss, so the merchant's debt has not grown.
    await tx.write(thawFunds(paid, complaint_id, left, funds.recovery, now));
  }
}

/**
 * A time after the order's other losses, also if the clock of the process that booked them was ahead (D-873): each is worth
 * what it adds to those before it, and a check of the books orders them by time.
 */
const afterLosses = ({ complaints }: PaidOrder, now: Date): Date =>
  complaints
    .filter(({ status }) => status === 'confirmed')
    .reduce(
      (at, { decided_at }) => (decided_at === null || decided_at < at ? at : later(decided_at, 1)),
      now,
    );

/**
 * Splits a loss between the order's funds, which are locked. A top-up is taken back from the wallet first (D-358): what
 * comes back from there is available to the platform's own merchant, which pays the rest.
 */
async function shareLoss(
  tx: Tx,
  paid: PaidOrder,
  { key, loss }: { key: string; loss: bigint },
  funds: LossFunds,
): Promise<{ shares: LossShares; rest: LossFunds; returned: Entry[] }> {
  const { back, returned } = await takeFromWallet(tx, paid, key, loss);
  const own = splitLoss(loss - back, funds);
  return { shares: { ...own, available: own.available + back }, rest: fundsAfter(funds, own), returned };
}

/** Gives frozen funds back: to the hold, or released if the hold is due by now. */
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
