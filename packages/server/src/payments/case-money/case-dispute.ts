/** What disputes mean for the money of a case. */
import type { CardDispute, CardRefund } from '../../channels/card/index.ts';
import type { Channel } from '../../channels/index.ts';
import { maxOf, minOf } from '../../base/money.ts';
import { selectAttemptByTrade } from '../attempts/index.ts';
import { hasLostTo, isPartOfOrder, lostOf, type PaymentCase } from '../cases/index.ts';
import type { PaymentDeps } from '../engine/index.ts';
import type { CaseAnswer, ChargedBack } from './provider-answer.ts';
import { type Complaint, selectComplaints } from '../losses/index.ts';
import { goneBack, isOfCase, lostAmount, newTo, partTaken } from './returned-by-refunds.ts';
import { besideOthers, type SeenDispute } from '../disputes/index.ts';
import { settleOrdersPart } from './order-share-of-dispute.ts';

/** What the first of these disputes that has taken money means for the case; null if none has. Gives the order its part. */
export async function findChargeback(
  deps: PaymentDeps,
  channel: Channel,
  open: PaymentCase,
  disputes: readonly CardDispute[],
): Promise<CaseAnswer | null> {
  for (const dispute of disputes) {
    const seen = besideOthers(dispute, disputes);
    const first = await answerOfDispute(deps, channel, open, dispute);
    // The order bears its part of one that takes nothing of the rest, too, which the next one counts (D-1233).
    const answer = await answerAfterOrder(deps, channel, open, seen, first);
    if (answer.kind === 'noted' && answer.lost === undefined) continue;
    if (isPartOfOrder(open) && answer.kind !== 'unclear')
      await settleOrdersPart(deps, channel, open, seen, answer);
    return answer;
  }
  return null;
}

/**
 * What a dispute means for the rest of a receipt after the order has borne its part of it. Another dispute may have taken of
 * the order since the first answer: then this one has left more for the rest (D-1253).
 *
 * @returns the first answer if the receipt paid no order, or the dispute was not lost or is about the whole receipt
 */
export async function answerAfterOrder(
  deps: PaymentDeps,
  channel: Channel,
  held: PaymentCase,
  dispute: SeenDispute,
  first: CaseAnswer,
): Promise<CaseAnswer> {
  if (!isPartOfOrder(held) || dispute.status !== 'lost' || first.kind === 'unclear') return first;
  // One about the whole receipt takes all of the rest, whatever others have taken.
  if (dispute.amount >= (held.amount ?? 0n)) return first;
  await settleOrdersPart(deps, channel, held, dispute, first, { is_final: false });
  return answerOfDispute(deps, channel, held, dispute);
}

/**
 * What a dispute means for the money of a case. A lost dispute has taken the money if it is about the whole receipt, or
 * about all that was left of it after refunds, or more (D-731). Otherwise it has taken a part (D-725). If the receipt paid
 * an order, only what has gone back beyond the order's part was money of the case (D-665, D-801). A dispute that was won books
 * nothing, also one that had taken money before (D-730).
 */
export async function answerOfDispute(
  deps: PaymentDeps,
  channel: Channel,
  held: PaymentCase,
  dispute: CardDispute,
): Promise<CaseAnswer> {
  const { id, status, amount, currency } = dispute;
  const noted: CaseAnswer = { kind: 'noted', why: `disputed at the provider: ${status}` };
  const { amount: received, provider_payment_id } = held;
  if (status !== 'lost' || received === null || currency !== held.currency) return noted;
  if (amount <= 0n || hasLostTo(held, id)) return noted;
  const found = await deps.cards.refundsOf(channel, provider_payment_id ?? '');
  if (found.kind === 'failed') return { kind: 'unclear', why: found.reason };
  const refunds = found.kind === 'found' ? found.value : [];
  if (isPartOfOrder(held)) return (await answerForRest(deps, channel, held, dispute, refunds)) ?? noted;
  const left = received - lostOf(held) - goneBack(newTo(held, refunds), currency);
  return amount < left
    ? { kind: 'noted', why: partTaken, lost: { dispute_id: id, amount } }
    : chargedBack({ dispute_id: id, amount: maxOf(left, 0n) });
}

/**
 * What a lost dispute about a receipt that paid an order has taken of the rest, and whether more has gone back than the
 * receipt (D-847); null for nothing (D-801).
 */
async function answerForRest(
  deps: PaymentDeps,
  channel: Channel,
  held: PaymentCase,
  dispute: CardDispute,
  refunds: readonly CardRefund[],
): Promise<CaseAnswer | null> {
  const payment_id = held.provider_payment_id ?? '';
  const [attempt, found] = await Promise.all([
    selectAttemptByTrade(deps.db, channel.payment_no, payment_id),
    deps.cards.disputesOf(channel, payment_id),
  ]);
  if (found.kind === 'failed') return { kind: 'unclear', why: found.reason };
  if (attempt === null) return null;
  const complaints = await selectComplaints(deps.db, attempt.merchant_id, attempt.order_no);
  const known = complaints.find((one) => one.dispute_id === dispute.id && one.status === 'confirmed');
  // What the order has lost to it before another dispute took the rest stays the order's.
  const most = dispute.amount - (known?.loss_amount ?? 0n);
  const { id: dispute_id, currency } = dispute;
  // The list may not have this dispute yet.
  const others = (found.kind === 'found' ? found.value : []).filter(({ id }) => id !== dispute_id);
  const ofOrder = goneBack(
    refunds.filter((refund) => !isOfCase(held, refund)),
    currency,
  );
  const gone = lostAmount([dispute, ...others], currency) + ofOrder;
  // Another one that is lost takes of the order first, too: it counts here when that is booked, so that no two take the same
  // part of the rest (D-1245).
  const booked = dispute.amount + lostToOthers(complaints, held, dispute_id) + ofOrder;
  const before = attempt.amount + lostOf(held);
  const rest = (held.amount ?? 0n) - before;
  const amount = minOf(minOf(booked - before, most), rest);
  if (amount <= 0n) return null;
  return amount === rest
    ? chargedBack({ dispute_id, amount, ...(gone > (held.amount ?? 0n) ? { is_beyond: true } : {}) })
    : { kind: 'noted', why: partTaken, lost: { dispute_id, amount, of_rest: true } };
}

/** What other disputes have taken of the order and of the case, as far as it is booked, in minor units. */
function lostToOthers(complaints: readonly Complaint[], held: PaymentCase, dispute_id: string): bigint {
  const ofOrder = complaints.filter(
    (one) => one.status === 'confirmed' && one.dispute_id !== null && one.dispute_id !== dispute_id,
  );
  const ofRest = (held.detail.lost_parts ?? []).filter((part) => 'dispute_id' in part);
  return [
    ...ofOrder.map(({ loss_amount }) => loss_amount ?? 0n),
    ...ofRest.map(({ amount }) => BigInt(amount)),
  ].reduce((sum, amount) => sum + amount, 0n);
}

const chargedBack = (charged_back: ChargedBack): CaseAnswer => ({
  kind: 'returned',
  resolution: 'cleared',
  why: 'charged back at the provider',
  charged_back,
});
