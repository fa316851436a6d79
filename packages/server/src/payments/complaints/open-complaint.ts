/** Opens complaints. */
import { complaintReasons } from '@paydesk/contract';
import { hours, later } from '../../base/time/clock.ts';
import type { Tx } from '../../base/pg/index.ts';
import type { LossDeps } from '../engine/index.ts';
import {
  bookFreeze,
  type Complaint,
  insertComplaint,
  updateComplaint,
  conflict,
  lockStandingOrder,
  type PaidOrder,
} from '../losses/index.ts';

/** How often a dispute is looked up if no webhook arrives. */
export const disputeCheck_ms = hours(6);

/**
 * Opens a complaint about a paid order (R-138, P6a). It freezes what is under hold; released proceeds stay released
 * (D-080).
 *
 * @throws AppError `payment_conflict` if the order is not paid, its payment was taken back, or it has an open complaint
 */
export async function openComplaint(
  deps: LossDeps,
  tx: Tx,
  merchant_id: string,
  order_no: string,
  reason: string,
): Promise<Complaint> {
  const paid = await lockStandingOrder(deps, tx, merchant_id, order_no);
  // guard: one-complaint-at-a-time
  if (paid.open_complaint !== null) throw conflict('A complaint about the order is open.');
  const now = deps.clock.now();
  const complaint = newComplaint(deps, paid, { source: 'platform', reason, dispute_id: null }, now);
  await bookFreeze(tx, paid, complaint.complaint_id, [insertComplaint(complaint)], now);
  return complaint;
}

/** A new open complaint. Stores nothing. */
export function newComplaint(
  deps: Pick<LossDeps, 'ids'>,
  { order, attempt }: PaidOrder,
  about: Pick<Complaint, 'source' | 'reason' | 'dispute_id'>,
  now: Date,
): Complaint {
  return {
    ...about,
    merchant_id: order.merchant_id,
    complaint_id: `cp_${deps.ids.ulid(now)}`,
    order_no: order.order_no,
    status: 'open',
    currency: attempt.currency,
    currency_decimals: attempt.currency_decimals,
    loss_amount: null,
    external_cost: null,
    opened_at: now,
    decided_at: null,
    check_at: about.dispute_id === null ? null : later(now, disputeCheck_ms),
  };
}

/** The complaint of the first of some open disputes that no complaint of the order knows; null if there is none. */
export function complaintOfOther(
  deps: Pick<LossDeps, 'ids'>,
  paid: PaidOrder,
  disputes: readonly string[],
  now: Date,
): Complaint | null {
  const other = disputes.find((id) => paid.complaints.every(({ dispute_id }) => dispute_id !== id));
  if (other === undefined) return null;
  const about = { source: 'provider', reason: complaintReasons.dispute, dispute_id: other } as const;
  return newComplaint(deps, paid, about, now);
}

/**
 * Freezes the funds of a locked order after news from the provider. Opens a complaint; if one is open, the dispute
 * decides that one.
 */
export async function freezeForProvider(
  deps: Pick<LossDeps, 'ids'>,
  tx: Tx,
  paid: PaidOrder,
  { reason, dispute_id }: Pick<Complaint, 'reason' | 'dispute_id'>,
  now: Date,
): Promise<void> {
  const { open_complaint } = paid;
  if (open_complaint === null) {
    const complaint = newComplaint(deps, paid, { source: 'provider', reason, dispute_id }, now);
    await bookFreeze(tx, paid, complaint.complaint_id, [insertComplaint(complaint)], now);
  } else if (dispute_id !== null && open_complaint.dispute_id === null) {
    const check_at = later(now, disputeCheck_ms);
    await tx.write([updateComplaint(open_complaint, { ...open_complaint, dispute_id, check_at })]);
  }
}
