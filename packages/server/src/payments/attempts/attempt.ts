/** An attempt to pay one order through one channel: its data, its states, and the questions that its state answers. */
import type { DeclineReason } from '@paydesk/contract';
import type { OrderRecovery, PaidWith } from '../../channels/card/index.ts';
import type { Provider } from '../../channels/index.ts';
import type { HistoryNote } from './attempt-history.ts';

export type AttemptState =
  | 'creating'
  | 'open'
  | 'unknown'
  | 'processing'
  | 'paid'
  | 'paid_late'
  | 'closed'
  | 'failed'
  | 'absent'
  | 'rejected'
  | 'mismatch';

/** The request that creates a session. A retry sends exactly the same request (D-092). */
export interface SessionRequest {
  attempt_id: string;
  order_no: string;
  title: string;
  success_url: string;
  cancel_url: string;
  /** What the provider keeps of the order, for a restored database. */
  recovery?: OrderRecovery;
  /** The language of the provider's page, in the provider's name (D-261). */
  locale?: string;
  /** The methods that the provider may offer (D-260). Absent: all of the account. */
  payment_method_types?: readonly string[];
  /** Unix seconds in the provider's time (D-196). */
  expires_at: number;
  /** No session of the attempt is older than this. Unix seconds, with room for clocks that differ. */
  created_from: number;
}

export interface Attempt {
  merchant_id: string;
  attempt_id: string;
  order_no: string;
  seq: number;
  method_id: string;
  payment_no: string;
  provider: Provider;
  test_mode: boolean;
  state: AttemptState;
  /** The buyer's total in minor units of `currency`. */
  amount: bigint;
  currency: string;
  currency_decimals: number;
  buyer_user_id: string | null;
  created_at: Date;
  lease_until: Date | null;
  unclear_since: Date | null;
  session_id: string | null;
  session_url: string | null;
  session_expires_at: Date | null;
  /** The payment of its own session. The payment of another session belongs to that payment's case alone (D-860). */
  provider_trade_no: string | null;
  check_at: Date | null;
  paid_at: Date | null;
  closed_at: Date | null;
  request: SessionRequest | null;
  detail: AttemptDetail;
}

/** For the operator: the questions to the provider and its answers. */
export interface AttemptDetail {
  /** The latest answer, in a few words. */
  last?: string;
  /** Time of the latest answer. */
  at?: string;
  /** Time of the first look-up after the deadline that found no session. */
  absent_at?: string;
  /** Every unclear request for the session ended before a byte of an answer (D-196). */
  unreached?: true;
  /** What the buyer paid with, as far as the provider tells (D-263). */
  paid_with?: PaidWith;
  /** Why the buyer's latest try was declined, as far as the provider tells (D-331). */
  declined?: DeclineReason;
  /** Oldest first; only the latest are kept. */
  history?: HistoryNote[];
}

/**
 * The number of the order's next attempt.
 *
 * @param attempts the order's attempts, newest first; all of them were rejected
 */
export const nextSeq = (attempts: readonly Pick<Attempt, 'seq'>[]): number => (attempts[0]?.seq ?? 0) + 1;

/**
 * The state to show and to act on: if the lease of a creation has run out, its result is unknown (D-099).
 *
 * @param real the real time, not the clock of the orders
 */
export function effectiveState(attempt: Pick<Attempt, 'state' | 'lease_until'>, real: Date): AttemptState {
  const { state, lease_until } = attempt;
  return state === 'creating' && (lease_until === null || lease_until <= real) ? 'unknown' : state;
}

/** States that ended without payment: only a payment can change them. */
const endedStates: readonly AttemptState[] = ['closed', 'failed', 'absent', 'rejected'];

export const endedUnpaid = (attempt: Pick<Attempt, 'state'>): boolean => endedStates.includes(attempt.state);

export const isPaid = ({ state }: Pick<Attempt, 'state'>): boolean =>
  state === 'paid' || state === 'paid_late';

/** The attempt after it has ended without payment. */
export function endedAttempt(
  attempt: Attempt,
  state: 'closed' | 'failed' | 'absent' | 'rejected',
  now: Date,
): Attempt {
  return { ...attempt, state, lease_until: null, closed_at: now, check_at: null };
}
