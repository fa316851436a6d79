import type { Tx, Write } from '../../base/pg/index.ts';
import { type Attempt, isPaid, selectAttempts } from '../attempts/index.ts';
import { endHold, type Hold, selectHold } from '../holds/index.ts';
import type { KindOf, Payable, PayableKind } from '../engine/index.ts';
import { selectQuotes } from '../quotes/index.ts';
import { AppError } from '../../base/errors.ts';
import { type Complaint, sumOfLosses } from './complaint.ts';
import { selectComplaints, updateComplaint } from './complaint.sql.ts';
import { isUnderWay, type Refund } from './refund.ts';
import { selectRefunds } from './refund.sql.ts';

/** A locked order with the payment that settled it, and whatever may take that payment back. */
export interface PaidOrder {
  kind: PayableKind;
  order: Payable;
  /** The attempt that paid it. */
  attempt: Attempt;
  /** Paid into the merchant's own account: no money of the platform moves when it goes back (P5, P7o). */
  owned: boolean;
  /** The hold that has not ended. */
  hold: Hold | null;
  /** Newest first. */
  refunds: readonly Refund[];
  /** The one that is under way. */
  refund: Refund | null;
  /** Newest first. */
  complaints: readonly Complaint[];
  open_complaint: Complaint | null;
  /** What complaints have cost already, in minor units of the payment currency. */
  lost: bigint;
}

/**
 * Locks an order and reads all that its losses depend on, as it stands once the lock is granted. One round trip.
 *
 * @returns null where no payment of this service has settled it
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
 * The same for those who want to take a payment back: it must still stand.
 *
 * @throws AppError `payment_conflict` where the order is not paid, or what was paid went back already
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
  if (paid.order.reversed === 'refunded') throw conflict('The order has been refunded already.');
  // guard: nothing-back-twice
  if (paid.order.reversed === 'chargeback') throw conflict('The order has been charged back already.');
  return paid;
}

export const conflict = (description: string): AppError =>
  new AppError('payment_conflict', { field: 'order_no', description });

/** What ends with an order whose payment went back: its hold, and the complaint that was open about it. */
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
