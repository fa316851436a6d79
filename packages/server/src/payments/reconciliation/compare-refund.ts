/** Compares a refund of the provider with the refunds of the order, and of the case, that had its payment. */
import type { CardRefund } from '../../channels/card/index.ts';
import type { Channel } from '../../channels/index.ts';
import { type Attempt, isPaid, selectAttemptByTrade } from '../attempts/index.ts';
import { failedOfCase } from '../case-money/index.ts';
import {
  isPartOfOrder,
  isRefundOfCase,
  type PaymentCase,
  refundedOfRest,
  selectCaseByPayment,
} from '../cases/index.ts';
import type { PaymentDeps } from '../engine/index.ts';
import {
  failedAfterBooking,
  type Refund,
  refundView,
  selectComplaints,
  selectRefunds,
  sumOfLosses,
} from '../losses/index.ts';
import { refundsOfOrder } from '../refunds/index.ts';
import { type Found, lossDifference } from './difference.ts';
import { isToldByCase, isToldByNoCase } from './told-by-case.ts';

/**
 * A refund of a payment that settled an order here, and that the order does not know; or of a receipt that was paid
 * back already. Not one that a case tells of, or that is with others the partial return that the order knows (D-850). If the
 * refunds of its payment cannot be listed, the comparison has failed (D-1261).
 */
export async function compareRefund(deps: PaymentDeps, channel: Channel, refund: CardRefund): Promise<Found> {
  if (refund.payment_id === null || refund.status === 'pending') return null;
  if (refund.status === 'failed') return compareFailedRefund(deps, channel, refund, refund.payment_id);
  if (await isRefundOfCase(deps.db, refund)) return null;
  const held = await selectCaseByPayment(deps.db, channel.payment_no, refund.payment_id);
  if (held !== null && !isPartOfOrder(held)) {
    const isUntold = held.resolution === 'repay' && (await isToldByNoCase(deps, held, refund));
    return isUntold ? lossDifference('refund_missing_here', channel, held, refund) : null;
  }
  const attempt = await selectAttemptByTrade(deps.db, channel.payment_no, refund.payment_id);
  if (attempt === null || !isPaid(attempt)) return null;
  const known = await selectRefunds(deps.db, attempt.merchant_id, attempt.order_no);
  if (known.some(({ provider_refund_id }) => provider_refund_id === refund.id)) return null;
  // Several partial refunds that make up the whole are one refund here.
  if (known.some(({ status }) => status === 'succeeded')) return null;
  if (await isToldByCase(deps, attempt, refund)) return null;
  const found = await deps.cards.refundsOf(channel, refund.payment_id);
  if (found.kind === 'failed') return { failure: found.reason };
  const all = found.kind === 'found' ? found.value : [];
  if (await isPartOfOthers(deps, attempt, held, all, known)) return null;
  return lossDifference('refund_missing_here', channel, attempt, refund);
}

/**
 * A refund that has failed after it was booked, of an order or of a case, and that no case tells (D-872). If the
 * refunds of its payment cannot be listed, the comparison has failed (D-905).
 */
async function compareFailedRefund(
  deps: PaymentDeps,
  channel: Channel,
  refund: CardRefund,
  payment_id: string,
): Promise<Found> {
  const [held, attempt] = await Promise.all([
    selectCaseByPayment(deps.db, channel.payment_no, payment_id),
    selectAttemptByTrade(deps.db, channel.payment_no, payment_id),
  ]);
  const of = held ?? attempt;
  if (of === null || (await isToldByCase(deps, of, refund))) return null;
  const found = await deps.cards.refundsOf(channel, payment_id);
  if (found.kind === 'failed') return { failure: found.reason };
  if (found.kind === 'none') return null;
  const failed = held === null ? [] : failedOfCase(held, found.value);
  if (attempt !== null && (held === null || isPartOfOrder(held))) {
    const { merchant_id, order_no } = attempt;
    const [known, complaints, refunds] = await Promise.all([
      selectRefunds(deps.db, merchant_id, order_no),
      selectComplaints(deps.db, merchant_id, order_no),
      refundsOfOrder(deps, found.value),
    ]);
    const ofOrder = failedAfterBooking(attempt, known, sumOfLosses(complaints), refunds);
    if (ofOrder !== null) failed.push(ofOrder);
  }
  const isUntold = failed.some(({ id }) => id === refund.id);
  return isUntold ? lossDifference('refund_failed_there', channel, of, refund) : null;
}

/**
 * Whether several refunds together are the partial return that the order knows (D-076, D-850), what they have taken of the rest
 * of its receipt (D-1259), or what a case tells under the number of the latest (D-1292).
 */
async function isPartOfOthers(
  deps: PaymentDeps,
  attempt: Attempt,
  held: PaymentCase | null,
  all: readonly CardRefund[],
  known: readonly Refund[],
): Promise<boolean> {
  const view = refundView(attempt, await refundsOfOrder(deps, all));
  if (view.kind === 'none') return false;
  // The order was lost to disputes, and they took only of the rest.
  if (held !== null && view.kind === 'partial' && view.returned === refundedOfRest(held)) return true;
  const isKnown = ({ status, amount }: Refund): boolean =>
    status === 'partial' && view.kind === 'partial' && amount === view.returned;
  return known.some(isKnown) || isToldByCase(deps, attempt, { id: view.provider_refund_id });
}
