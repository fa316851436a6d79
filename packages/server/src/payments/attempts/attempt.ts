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

/** What the provider is asked for when a session is created; a retry repeats it to the letter (D-092). */
export interface SessionRequest {
  attempt_id: string;
  order_no: string;
  title: string;
  success_url: string;
  cancel_url: string;
  /** Unix seconds in the provider's time (D-100). */
  expires_at: number;
  /** No session of the attempt is older; Unix seconds, with some room for clocks that differ. */
  created_from: number;
}

/** One try to pay an order through one channel. */
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
  provider_trade_no: string | null;
  check_at: Date | null;
  paid_at: Date | null;
  closed_at: Date | null;
  request: SessionRequest | null;
  detail: AttemptDetail;
}

/** For the operator: what was asked of the provider and what it said, latest and before. */
export interface AttemptDetail {
  /** What was last asked or learned, in a few words. */
  last?: string;
  /** When that was. */
  at?: string;
  /** When the provider's records were first read without finding the session, after the deadline. */
  absent_at?: string;
  /** What was asked and seen, oldest first; only the latest are kept. */
  history?: HistoryNote[];
}

/** Whether an attempt holds the method of its order and keeps it from expiring unasked (D-090). */
export const counts = (attempt: Pick<Attempt, 'state'>): boolean => attempt.state !== 'rejected';

/** The place of the next attempt among those of its order, newest first; only refused ones come before another. */
export const nextSeq = (attempts: readonly Pick<Attempt, 'seq'>[]): number => (attempts[0]?.seq ?? 0) + 1;

/** The state to show and to act on: a creation whose lease ran out left its result unknown (D-099). */
export function effectiveState(attempt: Pick<Attempt, 'state' | 'lease_until'>, real: Date): AttemptState {
  const { state, lease_until } = attempt;
  return state === 'creating' && (lease_until === null || lease_until <= real) ? 'unknown' : state;
}

/** States that ended without payment: only a payment still moves them. */
const endedStates: readonly AttemptState[] = ['closed', 'failed', 'absent', 'rejected'];

export const endedUnpaid = (attempt: Pick<Attempt, 'state'>): boolean => endedStates.includes(attempt.state);

export const isPaid = ({ state }: Pick<Attempt, 'state'>): boolean =>
  state === 'paid' || state === 'paid_late';

/** An attempt that ended without payment. */
export function endedAttempt(
  attempt: Attempt,
  state: 'closed' | 'failed' | 'absent' | 'rejected',
  now: Date,
): Attempt {
  return { ...attempt, state, lease_until: null, closed_at: now, check_at: null };
}
