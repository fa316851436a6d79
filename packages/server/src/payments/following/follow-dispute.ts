/** Follows a dispute to the case or the order that holds its payment. Never call these functions inside a transaction. */
import type { CardDispute } from '../../channels/card/index.ts';
import type { Channel } from '../../channels/index.ts';
import { hasLostTo, isPartOfOrder, type PaymentCase, selectCaseByPayment } from '../cases/index.ts';
import { unfinished, processDue, finished, type HintResult, type PaymentDeps } from '../engine/index.ts';
import {
  answerAfterOrder,
  answerOfDispute,
  applyAnswer,
  type CaseAnswer,
  openIfContradicted,
  settleOrdersPart,
} from '../case-money/index.ts';
import { besideOthers, noteDispute, settleDispute } from '../disputes/index.ts';
import { followUnknownPayment } from './follow-unknown-payment.ts';
import { selectAttemptByTrade } from '../attempts/index.ts';
import { complaintRows, type Complaint, lockPaidOrder } from '../losses/index.ts';
import { disputeCheck_ms } from '../complaints/index.ts';

/**
 * Applies a dispute to the case that holds its payment. A lost dispute takes the money of the case; if that was paid
 * back already, a person learns of it (D-696), and so of a dispute that is won after it had taken money (D-730). Where
 * the receipt paid an order, what the dispute has not taken of the rest is the order's.
 *
 * @param listed the disputes about the payment, as far as they are known
 * @returns null if no case holds the payment
 */
export async function followCaseDispute(
  deps: PaymentDeps,
  channel: Channel,
  dispute: CardDispute,
  listed: readonly CardDispute[] = [],
): Promise<HintResult | null> {
  const { payment_id } = dispute;
  const held =
    payment_id === null ? null : await selectCaseByPayment(deps.db, channel.payment_no, payment_id);
  if (held === null) return null;
  const seen = besideOthers(dispute, listed);
  const first = held.state === 'open' ? await answerOfDispute(deps, channel, held, dispute) : null;
  const answer = first === null ? null : await answerAfterOrder(deps, channel, held, seen, first);
  if (answer?.kind === 'unclear') return unfinished(`look-up failed: ${answer.why}`);
  const after = answer === null ? held : await applyAnswer(deps, held, answer);
  const changed = unfinished(`case ${held.case_id} has changed, or its refund is under way`);
  // A person has accepted the receipt meanwhile: the answer says nothing about the order's part.
  if (isPartOfOrder(after) !== isPartOfOrder(held)) return changed;
  await openIfContradicted(deps, after, dispute);
  const ifLost = await answerIfLost(deps, channel, after, dispute, answer);
  if (ifLost?.kind === 'unclear') return unfinished(`look-up failed: ${ifLost.why}`);
  const settled = isPartOfOrder(after) ? await settleOrdersPart(deps, channel, after, seen, ifLost) : null;
  if (settled?.again === true) return settled;
  // The dispute takes its part when it is certain whether the refund returns the money, or what another dispute has taken.
  if (after.state === 'open' && !hasLostTo(after, dispute.id)) {
    if (takesOfCase(answer)) return changed;
    // Another one may have taken of the order meanwhile, and left less of it than this one is about (D-1245).
    if (isPartOfOrder(after) && takesOfCase(await answerOfDispute(deps, channel, after, dispute)))
      return changed;
  }
  return settled ?? finished(`part of case ${held.case_id}`);
}

/**
 * What a dispute takes of a case, or what one that is open would take if it were lost (D-842). A case that has ended knows
 * what this one has taken: an answer from before is over (D-1254).
 */
async function answerIfLost(
  deps: PaymentDeps,
  channel: Channel,
  held: PaymentCase,
  dispute: CardDispute,
  answer: CaseAnswer | null,
): Promise<CaseAnswer | null> {
  if (held.state !== 'open') return null;
  if (dispute.status !== 'open' || !isPartOfOrder(held)) return answer;
  return answerOfDispute(deps, channel, held, { ...dispute, status: 'lost' });
}

/** Whether a dispute has taken money of the case. */
const takesOfCase = (answer: CaseAnswer | null): boolean =>
  answer?.kind === 'returned' || (answer?.kind === 'noted' && answer.lost !== undefined);

/** Looks up a dispute and applies it. */
export async function followDispute(
  deps: PaymentDeps,
  payment_no: string,
  dispute_id: string,
): Promise<HintResult> {
  const channel = await deps.channels.find(payment_no);
  if (channel === null) return finished('no such channel');
  const asked_at = deps.clock.now();
  const found = await deps.cards.dispute(channel, dispute_id);
  if (found.kind === 'failed') return unfinished(`look-up failed: ${found.reason}`);
  if (found.kind === 'none' || found.value.payment_id === null) return finished('no such dispute');
  await noteDispute(deps, payment_no, found.value, asked_at);
  const { payment_id, status } = found.value;
  const attempt = await selectAttemptByTrade(deps.db, payment_no, payment_id);
  // If it has ended, another one about the order's payment may still be open.
  const others =
    attempt === null || status === 'open' ? null : await deps.cards.disputesOf(channel, payment_id);
  if (others?.kind === 'failed') return unfinished(`look-up failed: ${others.reason}`);
  const listed = others?.kind === 'found' ? others.value : [];
  const ofCase = await followCaseDispute(deps, channel, found.value, listed);
  if (ofCase !== null) return ofCase;
  return attempt === null
    ? followUnknownPayment(deps, channel, payment_id)
    : settleDispute(deps, attempt, besideOthers(found.value, listed));
}

/**
 * Looks up every open dispute without recent news.
 *
 * @returns number of disputes looked up
 */
export async function followDueDisputes(deps: PaymentDeps, limit = 100): Promise<number> {
  return processDue(deps, {
    rows: complaintRows,
    limit,
    claim_ms: disputeCheck_ms,
    handle: (complaint: Complaint) => followComplaint(deps, complaint),
    failure: 'a dispute could not be looked up; it is retried when its claim ends',
    idsOf: ({ complaint_id }) => ({ complaint_id }),
  });
}

async function followComplaint(
  deps: PaymentDeps,
  { merchant_id, order_no, dispute_id }: Complaint,
): Promise<void> {
  // Another attempt may have been paid after the one that settled the order, on another channel (D-1152).
  const paid = await deps.db.transaction((tx) => lockPaidOrder(deps, tx, merchant_id, order_no));
  if (paid !== null && dispute_id !== null) await followDispute(deps, paid.attempt.payment_no, dispute_id);
}
