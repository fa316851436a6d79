/** Brings an order in line with the refunds of its payment at the provider. */
import { complaintReasons } from '@paydesk/contract';
import type { Tx, Write } from '../../base/pg/index.ts';
import type { CardRefund } from '../../channels/card/index.ts';
import type { Attempt } from '../attempts/index.ts';
import { type LossDeps, finished, type HintResult, notSettledYet } from '../engine/index.ts';
import { isRefundOfCase } from '../cases/index.ts';
import {
  bookRefund,
  openLossCase,
  tellOfChargeback,
  tellOfLateFailure,
  tellOfPart,
  lockPaidOrder,
  newRefund,
  type PaidOrder,
  type Refund,
  refundEnded,
  refundPending,
  type RefundView,
  refundView,
  insertRefund,
  updateRefund,
} from '../losses/index.ts';
import { freezeForProvider } from '../complaints/index.ts';

/** The refunds of a payment, as the provider has them. */
export interface SeenRefunds {
  refunds: readonly CardRefund[];
  /**
   * Our request that this answers, and why it failed if it did. The request then makes no further refund. A plain
   * list of refunds does not prove this while a request is under way.
   */
  answers?: { refund_id: string; why: string };
}

/**
 * Applies the refunds of a payment to its order, in one transaction (D-076, D-077). The order is refunded when the
 * provider confirms the full amount that the buyer paid, no matter who requested it. Its loss is then booked
 * (D-075). Another amount opens a case and freezes the order's funds.
 *
 * Invariant: the same records, applied again, change nothing.
 */
export async function settleRefund(
  deps: LossDeps,
  { merchant_id, order_no, attempt_id }: Pick<Attempt, 'merchant_id' | 'order_no' | 'attempt_id'>,
  found: SeenRefunds,
): Promise<HintResult> {
  const seen = { ...found, refunds: await refundsOfOrder(deps, found.refunds) };
  return deps.db.transaction(async (tx) => {
    const paid = await lockPaidOrder(deps, tx, merchant_id, order_no);
    if (paid === null) return notSettledYet;
    // A second payment settles nothing: its refund belongs to its case.
    // guard: refund-of-the-payment-that-settled
    if (paid.attempt.attempt_id !== attempt_id) return finished('of a payment that settled no order');
    const view = refundView(paid.attempt, seen.refunds);
    const now = deps.clock.now();
    if (
      seen.answers !== undefined &&
      seen.answers.refund_id !== paid.refund?.refund_id &&
      view.kind !== 'full'
    ) {
      // Another process has ended that request meanwhile.
      return finished('out of date');
    }
    // guard: refund-seen-after-the-end
    if (paid.order.reversed !== null) return settleReversedOrder(deps, tx, paid, seen, now);
    switch (view.kind) {
      case 'none':
        return endFailedRefund(tx, paid, seen, now);
      case 'pending':
        await tx.write([storePendingRefund(deps, paid, view.provider_refund_id, now)]);
        return finished('refund pending');
      case 'full':
        await bookRefund(tx, paid, endedInFull(deps, paid, view.provider_refund_id, now), now);
        return finished('refunded');
      case 'partial':
        return recordPartialReturn(deps, tx, paid, seen, view, now);
    }
  });
}

/**
 * The refunds of a payment that are the order's. The refunds of a case return money that never belonged to the order.
 * If a restore has lost the case, the refund returns what settles the order now, so it is the order's.
 */
export async function refundsOfOrder(
  { db }: Pick<LossDeps, 'db'>,
  refunds: readonly CardRefund[],
): Promise<readonly CardRefund[]> {
  const ofCases = new Set<CardRefund>();
  for (const refund of refunds) {
    if (refund.case_id !== null && (await isRefundOfCase(db, refund))) ofCases.add(refund);
  }
  return refunds.filter(
    /* guard: refunds-of-cases-kept-apart = () => true */ (refund) => !ofCases.has(refund),
  );
}

/**
 * The order has already ended: ends a refund under way. A refund on top of a lost dispute becomes a case, and so does one
 * that fails after it was booked.
 */
async function settleReversedOrder(
  deps: LossDeps,
  tx: Tx,
  paid: PaidOrder,
  seen: SeenRefunds,
  now: Date,
): Promise<HintResult> {
  const { refund, order } = paid;
  const view = refundView(paid.attempt, seen.refunds);
  if (view.kind === 'full') {
    const writes = refund === null ? [] : [storeFinishedRefund(deps, paid, view.provider_refund_id, now)];
    if (order.reversed === 'chargeback') {
      writes.push(...tellOfChargeback(deps, paid, view.provider_refund_id, now));
    }
    await tx.write(writes);
  } else if (view.kind === 'pending' && refund !== null) {
    await tx.write([storePendingRefund(deps, paid, view.provider_refund_id, now)]);
  } else {
    await tx.write(tellOfLateFailure(deps, paid, seen.refunds, now));
    if (view.kind === 'partial') await tellOfPart(deps, tx, paid, view, now);
    await endFailedRefund(tx, paid, seen, now);
  }
  return finished(`order ${order.reversed ?? ''} already`);
}

async function endFailedRefund(
  tx: Tx,
  { refund }: PaidOrder,
  seen: SeenRefunds,
  now: Date,
): Promise<HintResult> {
  if (refund === null || !hasFailed(refund, seen)) return finished('nothing refunded');
  const detail = seen.answers?.why ?? failedAtProvider;
  await tx.write([updateRefund(refund, refundEnded(refund, 'failed', { now, detail }))]);
  return finished('refund failed');
}

/**
 * Whether a refund under way will not return the payment. It can stand for several of the dashboard that returned the whole
 * together, and no longer do (D-841).
 */
function hasFailed({ provider_refund_id, amount }: Refund, { refunds, answers }: SeenRefunds): boolean {
  const known = refunds.find(({ id }) => id === provider_refund_id);
  return (
    answers !== undefined || known?.status === 'failed' || (known !== undefined && known.amount !== amount)
  );
}

/** Why a refund failed that the provider accepted and could not make. */
export const failedAtProvider = 'failed at the provider';

async function recordPartialReturn(
  deps: LossDeps,
  tx: Tx,
  paid: PaidOrder,
  seen: SeenRefunds,
  { provider_refund_id, returned }: Extract<RefundView, { kind: 'partial' }>,
  now: Date,
): Promise<HintResult> {
  const { refunds } = paid;
  const detail = complaintReasons.partial_refund;
  await endFailedRefund(tx, paid, seen, now);
  const isKnown = refunds.some(({ status, amount }) => status === 'partial' && amount === returned);
  if (!isKnown) {
    const part = { ...refundMadeElsewhere(deps, paid, now), amount: returned };
    const about = { kind: 'partial_refund', why: detail, amount: returned, key: provider_refund_id } as const;
    await tx.write([
      insertRefund(refundEnded(part, 'partial', { now, detail, provider_refund_id })),
      ...openLossCase(deps, paid, about, now),
    ]);
    await freezeForProvider(deps, tx, paid, { reason: detail, dispute_id: null }, now);
  }
  return finished('returned in part');
}

/** Stores the refund as pending; a new one if it was made in the provider's dashboard. */
function storePendingRefund(deps: LossDeps, paid: PaidOrder, provider_refund_id: string, now: Date): Write {
  const { refund } = paid;
  if (refund !== null) return updateRefund(refund, refundPending(refund, provider_refund_id, now));
  return insertRefund(refundPending(refundMadeElsewhere(deps, paid, now), provider_refund_id, now));
}

function storeFinishedRefund(deps: LossDeps, paid: PaidOrder, provider_refund_id: string, now: Date): Write {
  const { refund } = paid;
  const end = { now, detail: 'confirmed by the provider', provider_refund_id };
  if (refund !== null) return updateRefund(refund, refundEnded(refund, 'succeeded', end));
  return insertRefund(refundEnded(refundMadeElsewhere(deps, paid, now), 'succeeded', end));
}

/** The end of a refund of all that was paid. If the buyer's bank has taken a part as well, a person learns of it (D-734). */
function endedInFull(deps: LossDeps, paid: PaidOrder, provider_refund_id: string, now: Date): Write[] {
  const isTaken = paid.complaints.some(
    ({ status, dispute_id }) => status === 'confirmed' && dispute_id !== null,
  );
  const told = isTaken ? tellOfChargeback(deps, paid, provider_refund_id, now) : [];
  return [storeFinishedRefund(deps, paid, provider_refund_id, now), ...told];
}

/** A refund that was not requested here. */
const refundMadeElsewhere = (deps: LossDeps, { attempt }: PaidOrder, now: Date): Refund =>
  newRefund(deps, attempt, 'made at the provider', now);
