import { type Attempt, type Seen, selectAttempt } from '../attempts/index.ts';
import { type PaymentDeps, again, ended, type Followed } from '../engine/index.ts';
import { settle } from '../settling/index.ts';
import { lookUp, lookUpOther } from './look-up-session.ts';

/** What a webhook says of a session, as far as it says where to look. */
export interface SessionHint {
  id?: string;
  client_reference_id?: string | null;
  metadata?: Record<string, string> | null;
}

/** The attempt that a session names as the one it was created for (D-108); null where there is none. */
export async function attemptOf(deps: PaymentDeps, hint: SessionHint): Promise<Attempt | null> {
  const merchant_id = hint.metadata?.merchant_id;
  const attempt_id = hint.client_reference_id;
  if (merchant_id === undefined || !uuid.test(merchant_id) || typeof attempt_id !== 'string') return null;
  return selectAttempt(deps.db, merchant_id, attempt_id);
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Looks up what became of an attempt, and of another session that bears its reference, and applies it. */
export async function followAttempt(
  deps: PaymentDeps,
  attempt: Attempt,
  { id }: SessionHint,
): Promise<Followed> {
  const named = typeof id === 'string' ? id : null;
  if (named !== null && attempt.session_id !== null && named !== attempt.session_id) {
    return followOther(deps, attempt, named);
  }
  const seen = await lookUp(deps, attempt, false);
  const after = await settle(deps, attempt, seen);
  // The search found another session of the attempt, or none, which the one that this is news of is not.
  if (named !== null && attempt.session_id === null && named !== after.session_id) {
    return followOther(deps, after, named);
  }
  return outcomeOf(seen, after);
}

async function followOther(deps: PaymentDeps, attempt: Attempt, session_id: string): Promise<Followed> {
  const seen = await lookUpOther(deps, attempt, session_id);
  if (seen === null) return ended('another session of the attempt, unpaid');
  if (seen.kind === 'failed_lookup') return again(seen.kind);
  return outcomeOf(seen, await settle(deps, attempt, seen));
}

function outcomeOf({ kind }: Seen, { state }: Attempt): Followed {
  const outcome = `${kind}: attempt ${state}`;
  return kind === 'failed_lookup' ? again(outcome) : ended(outcome);
}
