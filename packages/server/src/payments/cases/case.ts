import type { CaseAction, CaseKind, CaseState } from '@paydesk/contract';
import type { PaymentDeps } from '../engine/index.ts';

/** What was decided, by a person or by what became clear without one. */
export type Resolution = CaseAction | 'cleared';

/** Money or an answer of the card provider that does not fit the books. */
export interface PaymentCase {
  /** In whose book it stands: a merchant's, or the platform's own. */
  merchant_id: string;
  case_id: string;
  kind: CaseKind;
  /** What it is about: opened again under the same key, it is the same case. */
  dedupe_key: string;
  state: CaseState;
  order_no: string | null;
  attempt_id: string | null;
  payment_no: string | null;
  /** At the provider. */
  session_id: string | null;
  provider_payment_id: string | null;
  test_mode: boolean;
  /** What came in, or is in question, in minor units of `currency`. */
  amount: bigint | null;
  currency: string | null;
  /** Null where the currency is none that the platform keeps. */
  currency_decimals: number | null;
  paid_at: Date | null;
  /** Whether the money was booked to suspense (P10, P11). */
  booked: boolean;
  opened_at: Date;
  check_at: Date | null;
  tries: number;
  /** `requested` until the provider is known to have the refund, `pending` while it takes its time there. */
  refund_status: 'requested' | 'pending' | null;
  refund_amount: bigint | null;
  provider_refund_id: string | null;
  refund_seq: number;
  resolution: Resolution | null;
  reason: string | null;
  resolved_at: Date | null;
  detail: CaseDetail;
}

/** For the operator: what was asked of the provider and what it said. Nothing secret, nothing of the buyer. */
export interface CaseDetail {
  /** Why it is a case, in a few words. */
  why: string;
  /** What the provider was asked for, and what it has. */
  asked?: Record<string, string | boolean | null>;
  seen?: Record<string, string | boolean | null>;
  /** That the order was paid out of it, and why: what is left is still in suspense. */
  accepted?: string;
  /** What was last learned about it. */
  last?: string;
}

/** What a case needs to come into being; all else begins empty. */
export type NewCase = Pick<PaymentCase, 'merchant_id' | 'kind' | 'dedupe_key' | 'detail'> &
  Partial<Omit<PaymentCase, 'case_id' | 'opened_at'>>;

/** A new case, open unless it says otherwise. */
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

/** The case after its end. */
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
