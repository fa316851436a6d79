/**
 * Opens a case about a paid order if its payment does not go back as the books expect (D-076): if a refund or a dispute of it
 * contradicts them.
 */
import type { Contradiction } from '@paydesk/contract';
import type { Tx, Write } from '../../base/pg/index.ts';
import type { CardDispute, CardRefund } from '../../channels/card/index.ts';
import {
  isPartOfOrder,
  openCase,
  type PaymentCase,
  refundedOfRest,
  selectCasesOfOrder,
  toldUnder,
} from '../cases/index.ts';
import type { LossDeps } from '../engine/index.ts';
import type { Complaint } from './complaint.ts';
import type { PaidOrder } from './paid-order.ts';
import { failedAfterBooking, type RefundView } from './refund.ts';

export interface LossCase {
  kind: 'mismatch' | 'partial_refund';
  why: string;
  /** Returned or disputed amount, in minor units of `currency`. */
  amount?: bigint;
  /** Default: the currency of the payment. */
  currency?: string;
  /** The provider's id of the refund or dispute: one case for each. */
  key: string;
}

export function openLossCase(
  deps: LossDeps,
  { order, attempt }: PaidOrder,
  { kind, why, amount = 0n, currency = attempt.currency, key }: LossCase,
  now: Date,
): Write[] {
  const about = {
    merchant_id: order.merchant_id,
    kind,
    dedupe_key: toldUnder(key, why),
    order_no: order.order_no,
    attempt_id: attempt.attempt_id,
    payment_no: attempt.payment_no,
    test_mode: attempt.test_mode,
    amount: amount > 0n ? amount : null,
    currency,
    currency_decimals: currency === attempt.currency ? attempt.currency_decimals : null,
    detail: { why, seen: { name: key } },
  };
  return [openCase(deps, about, now)];
}

/**
 * The case about a dispute that contradicts the books: none if they agree. One that is won after it was booked as lost
 * has a case of its own, also if an earlier case told of it (D-843).
 */
export function tellOfDispute(
  deps: LossDeps,
  paid: PaidOrder,
  known: Complaint | null,
  dispute: CardDispute,
  whole_amount: bigint,
  now: Date,
): Write[] {
  const why = contradiction(paid, known, dispute, whole_amount);
  if (why === null) return [];
  const { id: key, amount, currency } = dispute;
  return openLossCase(deps, paid, { kind: 'mismatch', why, amount, currency, key }, now);
}

/**
 * How a dispute contradicts the books, in words for the case; null if they agree. Its amount is compared with what the
 * buyer paid.
 */
function contradiction(
  { order, attempt, lost }: PaidOrder,
  known: Complaint | null,
  dispute: CardDispute,
  whole_amount: bigint,
): Contradiction | null {
  if (known?.status === 'confirmed') {
    if (dispute.status === 'won') return 'won after it was booked as lost';
    if (dispute.status !== 'lost' || dispute.currency !== attempt.currency) return null;
    // A person may have confirmed another amount than the bank takes. A person then books the difference (D-846).
    const booked = known.loss_amount ?? 0n;
    if (dispute.amount > booked) return 'lost for more than was booked';
    return whole_amount < booked ? 'lost for less than was booked' : null;
  }
  if (dispute.status === 'won') return null;
  if (order.reversed !== null) return `disputed after the order was ${order.reversed}`;
  if (dispute.currency !== attempt.currency) return 'disputed in another currency';
  return dispute.amount > attempt.amount - lost ? 'disputed for more than what is left of the payment' : null;
}

/**
 * Tells a person of refunds beside what has taken all of the payment: a dispute, or a person's decision (D-844, D-1292). What
 * goes back of the rest of a receipt is the matter of the case that holds it, until this is decided, unless a person has said
 * that the order's part is gone: refunds take that part first (D-1257).
 */
export async function tellOfPart(
  deps: LossDeps,
  tx: Tx,
  paid: PaidOrder,
  { provider_refund_id: key, returned: amount }: Extract<RefundView, { kind: 'partial' }>,
  now: Date,
): Promise<void> {
  const { order, attempt, complaints, refunds, lost } = paid;
  if (refunds.some((known) => known.status === 'partial' && known.amount === amount)) return;
  const cases = await selectCasesOfOrder(tx, order.merchant_id, order.order_no);
  const rest = cases.find((held) => isPartOfOrder(held) && (held.amount ?? 0n) > attempt.amount);
  const isPersons = complaints.some(
    ({ status, dispute_id }) => status === 'confirmed' && dispute_id === null,
  );
  const isBeside = order.reversed === 'chargeback' && (rest === undefined || isPersons);
  if (!isBeside && (rest === undefined || !isBeyond(rest, attempt.amount, amount + lost))) return;
  const why: Contradiction =
    rest?.resolution === 'repay' ? 'refunded after it was paid back' : 'refunded beside a chargeback';
  await tx.write(openLossCase(deps, paid, { kind: 'mismatch', why, amount, key }, now));
}

/** The provider has money again that the books gave back to the buyer (D-840). Nothing is booked: a person pays the buyer. */
export function tellOfLateFailure(
  deps: LossDeps,
  paid: PaidOrder,
  refunds: readonly CardRefund[],
  now: Date,
): Write[] {
  const { order, attempt, lost } = paid;
  const failed = failedAfterBooking(attempt, paid.refunds, lost, refunds);
  if (order.reversed !== 'refunded' || failed === null) return [];
  const why = 'the refund failed after it was booked' satisfies Contradiction;
  return openLossCase(deps, paid, { kind: 'mismatch', why, amount: failed.amount, key: failed.id }, now);
}

/** Tells a person of a refund of all that an order was paid with, beside a lost dispute of a part (D-734) or of the whole. */
export function tellOfChargeback(deps: LossDeps, paid: PaidOrder, key: string, now: Date): Write[] {
  const why = 'refunded beside a chargeback' satisfies Contradiction;
  return openLossCase(deps, paid, { kind: 'mismatch', why, key }, now);
}

/** Whether more has gone back of a receipt than the order was paid with, beside what has gone back of the decided rest. */
const isBeyond = (rest: PaymentCase, paid: bigint, gone: bigint): boolean =>
  rest.booked && rest.state === 'resolved' && gone - refundedOfRest(rest) > paid;
