/** The refund of an order's payment: its data, its states, and how the provider's records are read. */
import { hours, later, minutes } from '../../base/time/clock.ts';
import type { CardRefund } from '../../channels/card/index.ts';
import type { Attempt } from '../attempts/index.ts';
import type { PaymentDeps } from '../engine/index.ts';

/**
 * `requested` until the provider confirms that it has the refund, then `pending` until it is done. `partial` was not
 * requested: the provider has returned another amount than was paid, and a person decides (D-076).
 */
export type RefundStatus = 'requested' | 'pending' | 'succeeded' | 'failed' | 'partial';

/** A refund of the full payment, or a `partial` one that was seen at the provider. */
export interface Refund {
  merchant_id: string;
  refund_id: string;
  order_no: string;
  /** The attempt whose payment goes back. */
  attempt_id: string;
  /** The buyer's total, or the returned amount if `partial`, in minor units of `currency`. */
  amount: bigint;
  currency: string;
  currency_decimals: number;
  status: RefundStatus;
  provider_refund_id: string | null;
  requested_at: Date;
  ended_at: Date | null;
  check_at: Date | null;
  /** Latest news, in a few words for the operator. */
  detail: string;
}

/** A new refund of all that an attempt has paid, due at once. */
export function newRefund(
  { ids }: Pick<PaymentDeps, 'ids'>,
  { merchant_id, order_no, attempt_id, amount, currency, currency_decimals }: Attempt,
  detail: string,
  now: Date,
): Refund {
  return {
    ...{ merchant_id, refund_id: `rf_${ids.ulid(now)}`, order_no, attempt_id },
    ...{ amount, currency, currency_decimals },
    status: 'requested',
    provider_refund_id: null,
    requested_at: now,
    ended_at: null,
    check_at: now,
    detail,
  };
}

export const isUnderWay = ({ status }: Pick<Refund, 'status'>): boolean =>
  status === 'requested' || status === 'pending';

/** What the provider's records say about the refunds of one payment. */
export type RefundView =
  /** No money has gone back, and none will. */
  | { kind: 'none' }
  /** The full amount has gone back (`full`), or will go back (`pending`). */
  | { kind: 'full' | 'pending'; provider_refund_id: string }
  /** Another amount or currency than the buyer's total has gone back (D-076). */
  | { kind: 'partial'; provider_refund_id: string; returned: bigint };

/**
 * Compares the refunds of one payment with what the buyer paid. Several refunds can add up to a full one; failed
 * refunds do not count.
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

/**
 * The refund that has failed at the provider after the books had returned the payment with it (D-840).
 *
 * @param known the refunds of the order
 * @param lost what disputes have taken of the payment
 * @returns null if there is none, or if other refunds have returned the payment
 */
export function failedAfterBooking(
  { amount }: Pick<Attempt, 'amount'>,
  known: readonly Refund[],
  lost: bigint,
  refunds: readonly CardRefund[],
): CardRefund | null {
  const booked = known.find(({ status }) => status === 'succeeded');
  // A look-up of another refund says nothing about the booked one.
  if (!refunds.some(({ id }) => id === booked?.provider_refund_id)) return null;
  const returned = refunds
    .filter(({ status }) => status !== 'failed')
    .reduce((sum, refund) => sum + refund.amount, lost);
  return returned >= amount ? null : (refunds.find(({ status }) => status === 'failed') ?? null);
}

/** The refund after the provider has confirmed that it has it. */
export function refundPending(refund: Refund, provider_refund_id: string, now: Date): Refund {
  return {
    ...refund,
    status: 'pending',
    provider_refund_id,
    check_at: nextRefundCheck(refund, now),
    detail: 'under way at the provider',
  };
}

/** The refund after its end. */
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

/**
 * Whether the provider may have forgotten the idempotency key of a request made at `since` or later: it keeps keys for a
 * day. A request is then repeated only after its records show no refund (D-378).
 */
export const mayBeForgotten = (since: Date, now: Date): boolean =>
  since.getTime() <= later(now, -hours(23)).getTime();

/** When a refund under way is checked next: every minute for an hour, then every hour. */
export function nextRefundCheck({ requested_at }: Pick<Refund, 'requested_at'>, now: Date): Date {
  const age_ms = now.getTime() - requested_at.getTime();
  return later(now, age_ms < hours(1) ? minutes(1) : hours(1));
}
