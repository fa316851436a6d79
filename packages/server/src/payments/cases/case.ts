/** A case: money or an answer of the provider that does not fit the books, put to a person (docs/states.md). */
import type { CaseAction, CaseKind, CaseState, Contradiction } from '@paydesk/contract';
import type { PaymentDeps } from '../engine/index.ts';

/** How a case was resolved: by a person's decision, or `cleared` by what was learned later. */
export type Resolution = CaseAction | 'cleared';

export interface PaymentCase {
  /** Owner of the book: a merchant, or the platform. */
  merchant_id: string;
  case_id: string;
  kind: CaseKind;
  /** Identifies the subject: there is one case for each kind and key. */
  dedupe_key: string;
  state: CaseState;
  order_no: string | null;
  attempt_id: string | null;
  payment_no: string | null;
  /** At the provider. */
  session_id: string | null;
  provider_payment_id: string | null;
  test_mode: boolean;
  /** Amount received or in question, in minor units of `currency`. */
  amount: bigint | null;
  currency: string | null;
  /** Null if the platform does not keep the currency. */
  currency_decimals: number | null;
  paid_at: Date | null;
  /** Whether the money was booked to suspense (P10, P11). */
  booked: boolean;
  opened_at: Date;
  check_at: Date | null;
  tries: number;
  /** `requested` until the provider confirms that it has the refund, then `pending` until it is done. */
  refund_status: 'requested' | 'pending' | null;
  refund_amount: bigint | null;
  provider_refund_id: string | null;
  refund_seq: number;
  resolution: Resolution | null;
  reason: string | null;
  resolved_at: Date | null;
  detail: CaseDetail;
}

/** For the operator. Holds no secret and no data of the buyer. */
export interface CaseDetail {
  /** Why the case was opened, in a few words. */
  why: string;
  /** What we requested from the provider, and what it has. */
  asked?: Record<string, string | boolean | null>;
  seen?: Record<string, string | boolean | null>;
  /** Reason given when the receipt paid the order. The rest is still in suspense. */
  accepted?: string;
  /** The order that the receipt has paid, and its attempt, after it was adopted. */
  adopted?: { order_no: string; merchant_no: string; attempt_id: string };
  /** What lost disputes about a part have taken of the money (D-725), and refunds in the dashboard (D-845). */
  lost_parts?: readonly LostPart[];
  /**
   * The lost dispute that has taken all that was left, and what it has taken of the receipt (D-730). `is_beyond`: together
   * with refunds, more has gone back than a receipt that paid an order (D-847).
   */
  charged_back?: { dispute_id: string; amount: string; is_beyond?: true };
  /** A lost dispute in another currency: a person must say whether it has taken all that is left (D-874). */
  lost_in_other_currency?: string;
  /** Latest news, in a few words. */
  last?: string;
}

/** What has taken a part of the money of a case at the provider. */
export type Taker = { dispute_id: string } | { refund_id: string };

export type LostPart = Taker & {
  /** In minor units. */
  amount: string;
  at: string;
};

export const takerId = (by: Taker): string => ('dispute_id' in by ? by.dispute_id : by.refund_id);

/** The required values of a new case; all others begin empty. */
export type NewCase = Pick<PaymentCase, 'merchant_id' | 'kind' | 'dedupe_key' | 'detail'> &
  Partial<Omit<PaymentCase, 'case_id' | 'opened_at'>>;

/** A new case; its state is open by default. */
export function newCase({ ids }: Pick<PaymentDeps, 'ids'>, about: NewCase, now: Date): PaymentCase {
  return {
    case_id: `ca_${ids.ulid(now)}`,
    state: 'open',
    order_no: null,
    attempt_id: null,
    payment_no: null,
    session_id: null,
    provider_payment_id: null,
    test_mode: false,
    amount: null,
    currency: null,
    currency_decimals: null,
    paid_at: null,
    booked: false,
    opened_at: now,
    check_at: null,
    tries: 0,
    refund_status: null,
    refund_amount: null,
    provider_refund_id: null,
    refund_seq: 0,
    resolution: null,
    reason: null,
    resolved_at: null,
    ...about,
  };
}

/** The case after it was resolved. */
export function resolved(
  before: PaymentCase,
  resolution: Resolution,
  reason: string,
  now: Date,
): PaymentCase {
  return {
    ...before,
    state: 'resolved',
    resolution,
    reason,
    resolved_at: now,
    check_at: null,
    refund_status: null,
  };
}

/** Whether the receipt paid an order; the case holds only the rest, if there is one. The payment then belongs to both. */
export const isPartOfOrder = ({ detail }: PaymentCase): boolean =>
  detail.accepted !== undefined || detail.adopted !== undefined;

/** What lost disputes about a part, and refunds in the dashboard, have taken of the receipt, in minor units. */
export const lostOf = ({ detail }: PaymentCase): bigint =>
  (detail.lost_parts ?? []).reduce((sum, { amount }) => sum + BigInt(amount), 0n);

/** Whether the case knows that this dispute or refund has taken a part of its money. */
export const hasLostTo = ({ detail }: PaymentCase, id: string): boolean =>
  detail.lost_parts?.some((part) => takerId(part) === id) === true;

/** What this dispute or refund has taken of the money of the case, in minor units: a part, or all that was left. */
export function takenTo({ detail: { lost_parts = [], charged_back } }: PaymentCase, id: string): bigint {
  const parts = charged_back === undefined ? lost_parts : [...lost_parts, charged_back];
  return parts.filter((part) => takerId(part) === id).reduce((sum, { amount }) => sum + BigInt(amount), 0n);
}

/** What has been taken of the money of the case without a decision, in minor units. */
export const takenOf = (held: PaymentCase): bigint =>
  lostOf(held) + BigInt(held.detail.charged_back?.amount ?? 0);

/** What refunds in the dashboard have taken of the rest of a receipt that paid an order: parts, or all that was left. */
export function refundedOfRest({ resolution, refund_amount, detail }: PaymentCase): bigint {
  const { lost_parts = [], charged_back } = detail;
  const last = resolution === 'cleared' && charged_back === undefined ? (refund_amount ?? 0n) : 0n;
  return lost_parts
    .filter((part) => 'refund_id' in part)
    .reduce((sum, { amount }) => sum + BigInt(amount), last);
}

/** Whether a decision has paid back the money of a receipt that paid no order: at the provider, or by bank. */
export const isPaidBack = (held: PaymentCase): boolean =>
  held.state === 'resolved' &&
  (held.resolution === 'repay' || held.resolution === 'refund') &&
  !isPartOfOrder(held);

/**
 * The key of a case about a refund or a dispute that contradicts the books. A dispute is told once, and once more if it is
 * won after it was booked as lost (D-843).
 */
export const toldUnder = (id: string, why: string): string =>
  why === ('won after it was booked as lost' satisfies Contradiction) ? `${id} won` : id;
