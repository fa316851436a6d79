/** Brings an order in line with a dispute at the provider. */
import { complaintReasons } from '@paydesk/contract';
import { later } from '../../base/time/clock.ts';
import type { Tx } from '../../base/pg/index.ts';
import type { CardDispute } from '../../channels/card/index.ts';
import type { Attempt } from '../attempts/index.ts';
import { type LossDeps, finished, type HintResult, notSettledYet } from '../engine/index.ts';
import { minOf } from '../../base/money.ts';
import {
  bookDismissal,
  bookLoss,
  type Complaint,
  updateComplaint,
  tellOfDispute,
  lockPaidOrder,
  type PaidOrder,
} from '../losses/index.ts';
import { type OpenDisputes, disputeCheck_ms, freezeForProvider, newComplaint } from '../complaints/index.ts';

const reason = complaintReasons.dispute;

/** A dispute, and how the others about its payment that are open are read, under the order's lock (D-900). */
export interface SeenDispute extends CardDispute {
  also_open: OpenDisputes;
}

/**
 * Applies a dispute, as the provider has it, to the order of its payment (D-078). Open: freezes the proceeds, also
 * again if it was opened again after its end (D-901). Won: gives them back. Lost: books the loss; in another currency,
 * keeps the proceeds frozen for a person (D-902). What contradicts the books opens a case (D-843, D-846).
 *
 * Invariant: only the state of the dispute counts, not the order of the webhooks, and each state is applied once.
 *
 * @param part of a receipt that paid the order: `whole_amount` is what the dispute is about, of which `dispute.amount` is the
 *   order's part; `is_final` is false while the rest of the receipt may still bear some of this part, so that nobody is told
 *   yet that it is too much (D-1253)
 * @returns the outcome, in a few words
 */
export async function settleDispute(
  deps: LossDeps,
  { merchant_id, order_no, attempt_id }: Pick<Attempt, 'merchant_id' | 'order_no' | 'attempt_id'>,
  dispute: SeenDispute,
  { whole_amount, is_final } = { whole_amount: dispute.amount, is_final: true },
): Promise<HintResult> {
  return deps.db.transaction(async (tx) => {
    const paid = await lockPaidOrder(deps, tx, merchant_id, order_no);
    if (paid === null) return notSettledYet;
    // A second payment settles nothing: its dispute belongs to its case.
    if (paid.attempt.attempt_id !== attempt_id) return finished('of a payment that settled no order');
    const now = deps.clock.now();
    const { order, attempt, complaints } = paid;
    const known = complaints.find(({ dispute_id }) => dispute_id === dispute.id) ?? null;
    if (is_final) await tx.write(tellOfDispute(deps, paid, known, dispute, whole_amount, now));
    // guard: dispute-after-the-end
    if (order.reversed !== null) return finished(`order ${order.reversed} already`);
    const isOurs = dispute.currency === attempt.currency;
    switch (dispute.status) {
      case 'open':
        if (known === null) await freezeForProvider(deps, tx, paid, { reason, dispute_id: dispute.id }, now);
        else if (known.status === 'open') await postponeCheck(tx, known, now);
        return finished('dispute open');
      case 'won':
        if (known?.status === 'open') await endWithoutLoss(deps, tx, paid, known, dispute, now);
        return finished('dispute won');
      case 'lost':
        if (isOurs) await bookLostDispute(deps, tx, paid, known, dispute, now);
        else if (known === null)
          await freezeForProvider(deps, tx, paid, { reason, dispute_id: dispute.id }, now);
        return finished('dispute lost');
    }
  });
}

/** Ends the complaint of a dispute that was lost and has taken nothing of the order (D-842). */
export async function dismissDispute(
  deps: LossDeps,
  { merchant_id, order_no }: Pick<Attempt, 'merchant_id' | 'order_no'>,
  dispute: SeenDispute,
): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const paid = await lockPaidOrder(deps, tx, merchant_id, order_no);
    const known = paid?.open_complaint;
    if (paid != null && known?.dispute_id === dispute.id)
      await endWithoutLoss(deps, tx, paid, known, dispute, deps.clock.now());
  });
}

/** Ends the part of a dispute in an open complaint. The funds go back if nothing else keeps them frozen (D-079, D-870). */
async function endWithoutLoss(
  deps: LossDeps,
  tx: Tx,
  paid: PaidOrder,
  known: Complaint,
  dispute: SeenDispute,
  now: Date,
): Promise<void> {
  const kept = keptOpen(paid, known, await dispute.also_open(tx, paid.order), now);
  if (kept === null) await bookDismissal(tx, paid, known, now, complaintOfRefund(deps, paid, known, now));
  else await tx.write([updateComplaint(known, kept)]);
}

/**
 * The open complaint after the end of its dispute, if it stays open. It stays open for:
 *
 * - another open dispute about the payment that no complaint knows (D-870), or one that was lost in another currency (D-902);
 * - the person who had opened it, or who decides about a partial refund, before the dispute came (D-871).
 *
 * @returns null if only this dispute keeps it open
 */
function keptOpen(
  { complaints }: PaidOrder,
  known: Complaint,
  also_open: readonly string[],
  now: Date,
): Complaint | null {
  const next = also_open.find((id) => complaints.every(({ dispute_id }) => dispute_id !== id));
  if (next !== undefined) return { ...known, dispute_id: next, check_at: later(now, disputeCheck_ms) };
  const isOfDispute = known.source === 'provider' && known.reason === reason;
  return isOfDispute ? null : { ...known, dispute_id: null, check_at: null };
}

/** The complaint for the person who decides about a partial refund that came while this one was open; null if none did. */
function complaintOfRefund(
  deps: LossDeps,
  paid: PaidOrder,
  { opened_at }: Complaint,
  now: Date,
): Complaint | null {
  const isPart = paid.refunds.some(
    ({ status, requested_at }) => status === 'partial' && requested_at >= opened_at,
  );
  if (!isPart) return null;
  const about = { source: 'provider', reason: complaintReasons.partial_refund, dispute_id: null } as const;
  return newComplaint(deps, paid, about, now);
}

async function postponeCheck(tx: Tx, complaint: Complaint, now: Date): Promise<void> {
  await tx.write([updateComplaint(complaint, { ...complaint, check_at: later(now, disputeCheck_ms) })]);
}

/** Books a lost dispute. The bank's decision counts even if a person has dismissed the complaint. */
async function bookLostDispute(
  deps: LossDeps,
  tx: Tx,
  paid: PaidOrder,
  known: Complaint | null,
  dispute: SeenDispute,
  now: Date,
): Promise<void> {
  const loss_amount = minOf(dispute.amount, paid.attempt.amount - paid.lost);
  if (/* guard: dispute-lost-once */ known?.status === 'confirmed' || loss_amount <= 0n) return;
  const { open_complaint } = paid;
  const free = open_complaint?.dispute_id === null ? open_complaint : null;
  const complaint = known ?? free;
  const isPart = loss_amount < paid.attempt.amount - paid.lost;
  const also_open = await dispute.also_open(tx, paid.order);
  const kept = isPart && complaint?.status === 'open' ? keptOpen(paid, complaint, also_open, now) : null;
  const next = complaint?.status === 'open' ? complaintOfRefund(deps, paid, complaint, now) : null;
  const loss = { loss_amount, external_cost: null, next };
  if (complaint !== null && kept !== null) await tx.write([updateComplaint(complaint, kept)]);
  if (complaint !== null && kept === null) {
    await bookLoss(tx, paid, { ...complaint, dispute_id: dispute.id }, loss, now);
  } else {
    // We learn of the dispute only at its end, or its complaint stays open.
    const about = { source: 'provider', reason, dispute_id: dispute.id } as const;
    await bookLoss(tx, paid, newComplaint(deps, paid, about, now), { ...loss, is_new: true }, now);
  }
}
