/** A paid order with everything that its losses depend on. */
import type { Tx, Write } from '../../base/pg/index.ts';
import { isErased } from '../../identity/people/index.ts';
import { type Attempt, isPaid, selectAttempts, selectBuyer } from '../attempts/index.ts';
import { endHold, type Hold, selectHold } from '../holds/index.ts';
import type { KindOf, Payable, PayableKind } from '../engine/index.ts';
import { selectQuotes } from '../quotes/index.ts';
import { AppError } from '../../base/errors.ts';
import { type Complaint, sumOfLosses } from './complaint.ts';
import { selectComplaints, updateComplaint } from './complaint.sql.ts';
import { isUnderWay, type Refund } from './refund.ts';
import { selectRefunds } from './refund.sql.ts';

/** A locked order with the payment that settled it, its hold, refunds and complaints. */
export interface PaidOrder {
  kind: PayableKind;
  order: Payable;
  /** The attempt that paid it. */
  attempt: Attempt;
  /** Paid on the merchant's own channel: no money of the platform moves (P5, P7o). */
  owned: boolean;
  /** The running hold. */
  hold: Hold | null;
  /** Newest first. */
  refunds: readonly Refund[];
  /** The refund under way. */
  refund: Refund | null;
  /** Newest first. */
  complaints: readonly Complaint[];
  open_complaint: Complaint | null;
  /** The confirmed losses, in minor units of the payment currency. */
  lost: bigint;
}

/**
 * Locks an order and reads everything that its losses depend on, under that lock. One round trip.
 *
 * @returns null if no payment of this service has settled the order
 */
export async function lockPaidOrder(
  { kindOf }: { kindOf: KindOf },
  tx: Tx,
  merchant_id: string,
  order_no: string,
): Promise<PaidOrder | null> {
  const kind = kindOf(order_no);
  const [order, attempts, quotes, hold, refunds, complaints] = await Promise.all([
    kind.lock(tx, merchant_id, order_no),
    selectAttempts(tx, merchant_id, order_no),
    selectQuotes(tx, merchant_id, order_no),
    selectHold(tx, merchant_id, order_no),
    selectRefunds(tx, merchant_id, order_no),
    selectComplaints(tx, merchant_id, order_no),
  ]);
  const attempt = attempts.find(
    (candidate) => isPaid(candidate) && candidate.provider_trade_no === order?.provider_trade_no,
  );
  const quote = quotes.find(({ method_id }) => method_id === attempt?.method_id);
  if (order === null || attempt === undefined || quote === undefined) return null;
  return {
    kind,
    order,
    attempt,
    owned: quote.owner === 'merchant',
    hold: hold?.released_at === null ? hold : null,
    refunds,
    refund: refunds.find(isUnderWay) ?? null,
    complaints,
    open_complaint: complaints.find(({ status }) => status === 'open') ?? null,
    lost: sumOfLosses(complaints),
  };
}

/**
 * The same, for a request to take the payment back.
 *
 * @throws AppError `payment_conflict` if the order is not paid, or its payment was taken back already
 */
export async function lockStandingOrder(
  deps: { kindOf: KindOf },
  tx: Tx,
  merchant_id: string,
  order_no: string,
): Promise<PaidOrder> {
  const paid = await lockPaidOrder(deps, tx, merchant_id, order_no);
  if (paid === null) throw conflict('No payment of this order has been settled.');
  // guard: nothing-back-twice
  if (paid.order.reversed === 'refunded') throw conflict('The order has already been refunded.');
  // guard: nothing-back-twice
  if (paid.order.reversed === 'chargeback') throw conflict('The order has already been charged back.');
  return paid;
}

/**
 * Checks that PTK can go back to the buyer: no one could use them in the wallet of an erased account (D-627).
 *
 * @throws AppError `payment_conflict`
 */
export async function demandReachableBuyer(tx: Tx, { attempt }: PaidOrder): Promise<void> {
  const { provider, buyer_user_id } = attempt;
  if (provider !== 'ptk' || buyer_user_id === null) return;
  const buyer = await selectBuyer(tx, buyer_user_id);
  if (buyer !== null && isErased(buyer)) {
    throw conflict('The account of the buyer was erased, so no one could use the PTK.');
  }
}

export const conflict = (description: string): AppError =>
  new AppError('payment_conflict', { field: 'order_no', description });

/** The writes that end the hold and the open complaint of an order whose payment went back. */
export function endHoldAndComplaint({ order, hold, open_complaint }: PaidOrder, now: Date): Write[] {
  const { merchant_id, order_no } = order;
  return [
    ...(hold === null ? [] : [endHold(merchant_id, order_no, now)]),
    ...(open_complaint === null
      ? []
      : [
          updateComplaint(open_complaint, {
            ...open_complaint,
            status: 'closed',
            decided_at: now,
            check_at: null,
          }),
        ]),
  ];
}
