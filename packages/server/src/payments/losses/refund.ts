import { hours, later, minutes } from '../../base/time/clock.ts';
import type { CardRefund } from '../../channels/index.ts';
import type { Attempt } from '../attempts/index.ts';

/**
 * `requested` until the provider is known to have it, `pending` while it takes its time there. `partial` is not one
 * that was asked for: another amount than was paid has gone back, and a person decides (D-076).
 */
export type RefundStatus = 'requested' | 'pending' | 'succeeded' | 'failed' | 'partial';

/** The return of a payment, in full but for `partial`. */
export interface Refund {
  merchant_id: string;
  refund_id: string;
  order_no: string;
  /** The payment that goes back. */
  attempt_id: string;
  /** The buyer's total, or what has gone back of it, in minor units of `currency`. */
  amount: bigint;
  currency: string;
  currency_decimals: number;
  status: RefundStatus;
  provider_refund_id: string | null;
  requested_at: Date;
  ended_at: Date | null;
  check_at: Date | null;
  /** What was last learned, in a few words for the operator. */
  detail: string;
}

export const isUnderWay = ({ status }: Pick<Refund, 'status'>): boolean =>
  status === 'requested' || status === 'pending';

/** What the provider's records say about the return of one payment. */
export type RefundView =
  /** Nothing has gone back, and nothing is about to. */
  | { kind: 'none' }
  /** All of it goes back: for certain, or as soon as the provider is done. */
  | { kind: 'full' | 'pending'; provider_refund_id: string }
  /** Something else than the buyer's total has gone back (D-076). */
  | { kind: 'partial'; provider_refund_id: string; returned: bigint };

/**
 * Reads refunds of one payment against what the buyer paid: several that come to the whole are a full refund,
 * what failed does not count.
 */
export function refundView(
  { amount, currency }: Pick<Attempt, 'amount' | 'currency'>,
  refunds: readonly CardRefund[],
): RefundView {
  const live = refunds.filter(({ status }) => status !== 'failed');
  const [latest] = live;
  if (latest === undefined) return { kind: 'none' };
  const returned = live.reduce((sum, refund) => sum + refund.amount, 0n);
  if (returned !== amount || live.some((refund) => refund.currency !== currency)) {
    return { kind: 'partial', provider_refund_id: latest.id, returned };
  }
  const isDone = live.every(({ status }) => status === 'succeeded');
  return { kind: isDone ? 'full' : 'pending', provider_refund_id: latest.id };
}

/** The refund after the provider was seen to have it. */
export function refundPending(refund: Refund, provider_refund_id: string, now: Date): Refund {
  return {
    ...refund,
    status: 'pending',
    provider_refund_id,
    check_at: nextRefundCheck(refund, now),
    detail: 'under way at the provider',
  };
}

/** The refund after it ended. */
export function refundEnded(
  refund: Refund,
  status: Exclude<RefundStatus, 'requested' | 'pending'>,
  { now, detail, provider_refund_id }: { now: Date; detail: string; provider_refund_id?: string },
): Refund {
  return {
    ...refund,
    status,
    provider_refund_id: provider_refund_id ?? refund.provider_refund_id,
    ended_at: now,
    check_at: null,
    detail,
  };
}

/** A refund that is under way is asked about each minute for an hour, then hourly. */
export function nextRefundCheck({ requested_at }: Pick<Refund, 'requested_at'>, now: Date): Date {
  const age_ms = now.getTime() - requested_at.getTime();
  return later(now, age_ms < hours(1) ? minutes(1) : hours(1));
}
