/** Decides complaints: dismissed, or confirmed with a loss. */
import type { Tx } from '../../base/pg/index.ts';
import type { Attempt } from '../attempts/index.ts';
import type { LossDeps } from '../engine/index.ts';
import { AppError, invalid, InvariantError } from '../../base/errors.ts';
import { formatMinor, maxMinor, parseDecimal, ptk, toMinor } from '../../base/money.ts';
import {
  bookDismissal,
  bookLoss,
  type FinalLoss,
  type Complaint,
  selectComplaintById,
  selectComplaints,
  conflict,
  demandReachableBuyer,
  lockPaidOrder,
  type PaidOrder,
} from '../losses/index.ts';
import { complaintOfOther } from './open-complaint.ts';

/** A requested decision. Amounts are decimal strings in the payment currency. */
export interface ComplaintDecision {
  decision: 'dismiss' | 'confirm';
  /** Default: the rest of the buyer's total. */
  loss_amount?: string | undefined;
  external_cost?: string | undefined;
}

/** The disputes about the payment of an order that are open at the provider. */
export type OpenDisputes = (
  tx: Tx,
  order: { merchant_id: string; order_no: string },
) => Promise<readonly string[]>;

/**
 * Decides an open complaint, once: dismissed (D-079), or confirmed with a loss (R-139, D-074) and the provider's charge
 * (R-137, D-081). If another dispute about the payment is open, its complaint opens, and the funds stay frozen (D-877).
 *
 * @throws AppError `not_found`; `payment_conflict` if it was decided before, or if a loss is confirmed while a refund
 *   is under way, or of a PTK payment whose buyer was erased (D-627); `invalid_request` with the wrong amount's field
 */
export async function decideComplaint(
  deps: LossDeps,
  tx: Tx,
  complaint_id: string,
  decision: ComplaintDecision,
  openDisputes: OpenDisputes,
): Promise<{ before: Complaint; after: Complaint }> {
  const known = await selectComplaintById(tx, complaint_id);
  if (known === null) throw new AppError('not_found');
  const { merchant_id, order_no } = known;
  const paid = await lockPaidOrder(deps, tx, merchant_id, order_no);
  if (paid === null) throw new InvariantError('a complaint about an order that is not paid');
  const before = paid.complaints.find((complaint) => complaint.complaint_id === complaint_id) ?? known;
  if (/* guard: complaint-decided-once = false */ before.status !== 'open') {
    throw new AppError('payment_conflict', { description: `The complaint is already ${before.status}.` });
  }
  const disputes = await openDisputes(tx, known);
  const now = deps.clock.now();
  const next = complaintOfOther(deps, paid, disputes, now);
  if (decision.decision === 'dismiss') {
    refuseAmounts(decision);
    await bookDismissal(tx, paid, before, now, next);
  } else {
    // guard: no-loss-beside-a-refund
    if (paid.refund !== null) throw conflict('A refund of the order is under way.');
    await demandReachableBuyer(tx, paid);
    await bookLoss(tx, paid, before, { ...readLoss(paid, decision), next }, now);
  }
  const after = (await selectComplaints(tx, merchant_id, order_no)).find(
    (complaint) => complaint.complaint_id === complaint_id,
  );
  return { before, after: after ?? before };
}

function refuseAmounts({ loss_amount, external_cost }: ComplaintDecision): void {
  if (loss_amount !== undefined) throw invalid('loss_amount', 'A dismissed complaint has no loss.');
  if (external_cost !== undefined) throw invalid('external_cost', 'A dismissed complaint costs nothing.');
}

/** Reads the amounts of a confirmed loss and checks them against the payment. */
function readLoss(paid: PaidOrder, { loss_amount, external_cost }: ComplaintDecision): FinalLoss {
  const { attempt, lost, owned } = paid;
  const most = attempt.amount - lost;
  const loss = loss_amount === undefined ? most : readAmount('loss_amount', loss_amount, attempt);
  if (loss > most) {
    const left = `${formatMinor(most, attempt.currency_decimals)} ${attempt.currency}`;
    throw invalid('loss_amount', `The loss must not exceed the rest of the payment: ${left}.`);
  }
  if (external_cost === undefined) return { loss_amount: loss, external_cost: null };
  if (owned || attempt.currency === ptk) {
    throw invalid('external_cost', 'A provider does not charge the platform for this payment.');
  }
  return { loss_amount: loss, external_cost: readAmount('external_cost', external_cost, attempt, maxMinor) };
}

/**
 * @param most absent: the caller checks it against a payment, which can be of more PTK than an order may ask for
 * @throws AppError `invalid_request` with this field
 */
export function readAmount(
  field: string,
  text: string,
  { currency, currency_decimals }: Pick<Attempt, 'currency' | 'currency_decimals'>,
  most: bigint | null = null,
): bigint {
  const value = parseDecimal(text);
  const minor = value === null ? null : toMinor(value, currency_decimals);
  if (minor === null || minor === 0n || (most !== null && minor > most)) {
    throw invalid(
      field,
      `${field} must be a positive decimal string of ${currency}, at most ${currency_decimals} places.`,
    );
  }
  return minor;
}
