/** Compares what the provider has with what was requested. */
import type { ComparedMember } from '@paydesk/contract';
import type { CardSession } from '../../channels/card/index.ts';
import type { Attempt } from '../attempts/index.ts';

/**
 * Compares a session with the request of its attempt. A session that differs pays nothing: the buyer
 * gets `provider_result_mismatch` (R-217, D-104), and the operator a case.
 *
 * @returns the first member that differs, or null
 */
export function disagreement(attempt: Attempt, session: CardSession): ComparedMember | null {
  // guard: session-compared
  if (attempt.session_id !== null && attempt.session_id !== session.id) return 'session';
  if (session.reference !== attempt.attempt_id) return 'reference';
  if (session.order_no !== null && session.order_no !== attempt.order_no) return 'order';
  // guard: amount-compared
  if (session.amount !== attempt.amount) return 'amount';
  // guard: currency-compared
  if (session.currency !== attempt.currency) return 'currency';
  return session.mode_matches ? null : 'mode';
}
