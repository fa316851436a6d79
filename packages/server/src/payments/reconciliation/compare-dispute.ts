/** Compares a dispute of the provider with the complaints of the order, and the case, that had its payment. */
import type { CardDispute } from '../../channels/card/index.ts';
import type { Channel } from '../../channels/index.ts';
import { type Attempt, isPaid, selectAttemptByTrade } from '../attempts/index.ts';
import { isPartOfOrder, type PaymentCase, selectCaseByPayment, takenTo } from '../cases/index.ts';
import { selectDisputeById } from '../disputes/index.ts';
import type { PaymentDeps } from '../engine/index.ts';
import { type Complaint, selectComplaints } from '../losses/index.ts';
import { type Difference, lossDifference } from './difference.ts';
import { isToldByCase, isToldByNoCase } from './told-by-case.ts';

/**
 * A dispute of a payment that settled an order here, and that the order does not know; or of a receipt that was paid
 * back already. These are no differences:
 *
 * - a dispute whose loss is booked as a whole or whose complaint is open (D-875, D-1291);
 * - one that a case tells of, or that took only the rest of a receipt;
 * - one that was seen while the complaint of another dispute is open (D-850).
 */
export async function compareDispute(
  deps: PaymentDeps,
  channel: Channel,
  dispute: CardDispute,
): Promise<Difference | null> {
  if (dispute.payment_id === null || dispute.status === 'won') return null;
  const held = await selectCaseByPayment(deps.db, channel.payment_no, dispute.payment_id);
  if (held !== null && !isPartOfOrder(held)) {
    const isUntold = await isToldByNoCase(deps, held, dispute);
    return isUntold ? lossDifference('dispute_missing_here', channel, held, dispute) : null;
  }
  // It was about the rest only, which the case held (D-801).
  if (held !== null && takenTo(held, dispute.id) === dispute.amount) return null;
  const attempt = await selectAttemptByTrade(deps.db, channel.payment_no, dispute.payment_id);
  if (attempt === null || !isPaid(attempt)) return null;
  const known = await selectComplaints(deps.db, attempt.merchant_id, attempt.order_no);
  const complaint = known.find(({ dispute_id }) => dispute_id === dispute.id);
  // A lost dispute has its loss, or its complaint is open and looked up regularly. Else it is a difference (D-875).
  if (complaint?.status === 'open') return null;
  if (complaint?.status === 'confirmed' && !isBookedInPart(attempt, held, complaint, dispute)) return null;
  if (await isToldByCase(deps, attempt, dispute)) return null;
  if (dispute.status === 'open' && (await isOpenHere(deps, known, dispute))) return null;
  return lossDifference('dispute_missing_here', channel, attempt, dispute);
}

/** Whether a lost dispute has taken more than what the order and the rest of its receipt have lost to it. */
const isBookedInPart = (
  attempt: Attempt,
  held: PaymentCase | null,
  { loss_amount }: Complaint,
  { id, status, amount, currency }: CardDispute,
): boolean =>
  status === 'lost' &&
  currency === attempt.currency &&
  (loss_amount ?? 0n) + (held === null ? 0n : takenTo(held, id)) < amount;

/**
 * Whether it was seen, and a person has dismissed its complaint, or it takes over the complaint of another dispute when that
 * one has ended (D-870). Not if it was seen as ended, and was opened again (D-901).
 */
async function isOpenHere(
  { db }: PaymentDeps,
  known: readonly Complaint[],
  { id }: CardDispute,
): Promise<boolean> {
  const isSeen = known.some(
    ({ status, dispute_id }) => dispute_id === id || (status === 'open' && dispute_id !== null),
  );
  const seen = await selectDisputeById(db, id);
  return isSeen && seen !== null && seen.stage !== 'ended';
}
