/** Follows a webhook about a session to the attempt it was created for. */
import { type Attempt, type Seen, selectAttempt } from '../attempts/index.ts';
import { type PaymentDeps, unfinished, finished, type HintResult } from '../engine/index.ts';
import { settle } from '../settling/index.ts';
import { lookUpSession, lookUpOtherSession } from './look-up-session.ts';

/** The members of a session in a webhook that say where to look. They are not trusted. */
export interface SessionHint {
  id?: string;
  client_reference_id?: string | null;
  metadata?: Record<string, string> | null;
}

/**
 * The attempt that a session names as its own, even if its session is not known yet (R-229, D-108); null if there is
 * none.
 */
export async function findAttempt(deps: PaymentDeps, hint: SessionHint): Promise<Attempt | null> {
  const merchant_id = hint.metadata?.merchant_id;
  const attempt_id = hint.client_reference_id;
  if (merchant_id === undefined || !uuid.test(merchant_id) || typeof attempt_id !== 'string') return null;
  return selectAttempt(deps.db, merchant_id, attempt_id);
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Looks up an attempt, and another session with its reference if the hint names one, and applies the answers, which alone
 * decide, in any order of events (R-230, D-103): a session that is closed unpaid ends review (R-185, D-087), and a payment
 * counts, also through a session that has outlived its order.
 */
export async function followAttempt(
  deps: PaymentDeps,
  attempt: Attempt,
  { id }: SessionHint,
): Promise<HintResult> {
  const named = typeof id === 'string' ? id : null;
  if (named !== null && attempt.session_id !== null && named !== attempt.session_id) {
    return followOtherSession(deps, attempt, named);
  }
  const seen = await lookUpSession(deps, attempt, false);
  const after = await settle(deps, attempt, seen);
  // The search found another session than the hint names, or none.
  if (named !== null && attempt.session_id === null && named !== after.session_id) {
    return followOtherSession(deps, after, named);
  }
  return resultOf(seen, after);
}

async function followOtherSession(
  deps: PaymentDeps,
  attempt: Attempt,
  session_id: string,
): Promise<HintResult> {
  const seen = await lookUpOtherSession(deps, attempt, session_id);
  if (seen === null) return finished('another session of the attempt, unpaid');
  if (seen.kind === 'failed_lookup') return unfinished(seen.kind);
  return resultOf(seen, await settle(deps, attempt, seen));
}

function resultOf({ kind }: Seen, { state }: Attempt): HintResult {
  const outcome = `${kind}: attempt ${state}`;
  return kind === 'failed_lookup' ? unfinished(outcome) : finished(outcome);
}
