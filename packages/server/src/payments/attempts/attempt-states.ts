/** The state machine of an attempt. */
import { hours, later, minutes } from '../../base/time/clock.ts';
import type { CardSession } from '../../channels/card/index.ts';
import { withNote } from './attempt-history.ts';
import {
  type Attempt,
  type AttemptDetail,
  type AttemptState,
  endedAttempt,
  endedUnpaid,
  isPaid,
} from './attempt.ts';
import { isUnlockedByRefusal } from './method-lock.ts';
import { type Seen, describeObservation } from './observation.ts';
import {
  checkAtDeadline,
  nextCheckAfterEnd,
  nextCreationTry,
  nextOpenCheck,
  nextProcessingCheck,
  nextCheckWhileWaiting,
} from './check-schedule.ts';
import { afterNothingFound } from './proof-of-absence.ts';

/** States in which we do not know of a session yet. */
const creationStates: readonly AttemptState[] = ['creating', 'unknown'];

/**
 * Returns the attempt after an observation (the table in docs/states.md). Pure: the caller writes the result, guarded
 * by the state that it read, together with the changes of the order.
 *
 * Invariants: a paid attempt stays paid, and a late answer does not overwrite a newer state. An
 * attempt ends unpaid if its session is closed unpaid, if it is proved that there is none, or by a
 * decision: never because time has passed (R-187, D-003, D-087).
 *
 * @param expires_at the order's deadline
 */
export function afterObservation(before: Attempt, seen: Seen, expires_at: Date, now: Date): Attempt {
  // guard: a-payment-is-final
  if (isPaid(before)) return paidAfterObservation(before, seen, now);
  const told: Attempt = { ...before, detail: detailAfter(before, seen, now) };
  const known: Attempt = 'session' in seen ? withPayment(told, seen) : told;
  if (seen.kind === 'paid' || seen.kind === 'accepted') {
    return {
      ...known,
      state: endedUnpaid(before) ? 'paid_late' : 'paid',
      provider_trade_no: seen.trade_no,
      paid_at: seen.occurred_at,
      lease_until: null,
      check_at: isPaidByOtherSession(seen, before) ? later(now, minutes(1)) : null,
    };
  }
  // A mismatch waits for a person. Only a payment or a decision changes it (D-105).
  if (before.state === 'mismatch') return awaitingDecision(known, seen, expires_at, now);
  // A person sees every mismatch, also a late one. A rejected attempt has no session that could
  // disagree: one that turns up late changes nothing until it is paid (D-861).
  const isForPerson = seen.kind === 'mismatch' && before.state !== 'rejected';
  if (seen.kind === 'withdrawn' && isWithdrawable(before) && now < expires_at) return withdrawn(known, now);
  if (endedUnpaid(before) && !isForPerson) return { ...known, check_at: nextCheckAfterEnd(before, now) };
  const inCreation = creationStates.includes(before.state);
  switch (seen.kind) {
    case 'processing':
      return { ...known, state: 'processing', lease_until: null, check_at: nextProcessingCheck(before, now) };
    case 'open':
      // A complete session never opens again, so this answer is older.
      if (before.state === 'processing') return { ...known, check_at: nextProcessingCheck(before, now) };
      return { ...known, state: 'open', lease_until: null, check_at: nextOpenCheck(before, expires_at, now) };
    case 'closed':
    case 'failed':
    case 'withdrawn':
      // The attempt still counts, so the method stays locked until the deadline (D-102).
      return {
        ...endedAttempt(known, seen.kind === 'failed' ? 'failed' : 'closed', now),
        check_at: checkAtDeadline(expires_at, now),
      };
    case 'mismatch':
      return awaitingDecision({ ...known, state: 'mismatch', lease_until: null }, seen, expires_at, now);
    case 'refused':
      if (isUnlockedByRefusal(before, seen)) {
        return endedAttempt({ ...known, unclear_since: null }, 'rejected', now);
      }
      if (!inCreation) return known;
      return { ...known, state: 'unknown', lease_until: null, check_at: nextCreationTry(expires_at, now) };
    case 'unclear':
      if (!inCreation) return known;
      // The attempt still counts, so the method stays locked.
      return {
        ...known,
        state: 'unknown',
        lease_until: null,
        unclear_since: now,
        check_at: nextCreationTry(expires_at, now),
      };
    case 'given_up':
      if (!inCreation) return known;
      return { ...endedAttempt(known, 'absent', now), check_at: checkAtDeadline(expires_at, now) };
    case 'settled_by_case':
    case 'voided':
    case 'returned':
      return known;
    case 'none':
      return inCreation ? afterNothingFound(known, expires_at, now, seen.looked_at) : known;
    case 'failed_lookup':
      return { ...known, check_at: checkAfterFailure(before, expires_at, now) };
  }
}

function checkAfterFailure(before: Attempt, expires_at: Date, now: Date): Date {
  if (before.state === 'processing') return nextProcessingCheck(before, now);
  return before.state === 'open' ? nextOpenCheck(before, expires_at, now) : later(now, minutes(1));
}

/** The provider's own message that the session is closed can be applied before the answer to our request. */
const isWithdrawable = ({ state }: Attempt): boolean => state === 'open' || state === 'closed';

/**
 * The attempt after the provider has closed its unpaid session for a buyer who wants to choose another method (D-258).
 * It no longer counts, so the order can have another attempt, and never two open sessions. Like every ended
 * session it is looked at for two days (D-111).
 */
const withdrawn = (attempt: Attempt, now: Date): Attempt => ({
  ...endedAttempt({ ...attempt, unclear_since: null, provider_trade_no: null }, 'rejected', now),
  check_at: nextCheckAfterEnd({ ...attempt, closed_at: now }, now),
});

/** Whether a person accepted a payment of another session. The attempt's own session can then still be paid. */
const isPaidByOtherSession = (seen: Seen, { session_id }: Attempt): boolean =>
  seen.kind === 'accepted' && session_id !== null && seen.receipt.session_id !== session_id;

/**
 * A paid attempt stays paid. If another session paid it, its own session is closed and checked until it can no longer
 * be paid. This finds a second payment even if no webhook arrives (D-082).
 */
function paidAfterObservation(paid: Attempt, seen: Seen, now: Date): Attempt {
  if (paid.check_at === null) return paid;
  if ('session' in seen && seen.session.id !== paid.session_id) return paid;
  const isUnderWay = seen.kind === 'open' || seen.kind === 'processing' || seen.kind === 'failed_lookup';
  const last = later(paid.session_expires_at ?? paid.created_at, hours(48));
  const next = isUnderWay && now < last ? nextCheckWhileWaiting(paid, now) : null;
  return { ...paid, detail: detailAfter(paid, seen, now), check_at: next };
}

/**
 * A mismatch that waits for a person. Until it is paid, workers check it regularly, because money can arrive without a
 * webhook (D-111). The decision closes it.
 */
function awaitingDecision(attempt: Attempt, seen: Seen, expires_at: Date, now: Date): Attempt {
  if (seen.kind === 'returned' || seen.kind === 'voided') {
    // The order still has to expire at its deadline.
    return { ...endedAttempt(attempt, 'closed', now), check_at: checkAtDeadline(expires_at, now) };
  }
  if (seen.kind === 'settled_by_case' || (seen.kind === 'mismatch' && seen.session.paid)) {
    return { ...attempt, check_at: null };
  }
  const last = later(attempt.session_expires_at ?? attempt.created_at, hours(48));
  return { ...attempt, check_at: now < last ? nextCheckWhileWaiting(attempt, now) : null };
}

/**
 * The detail after an observation. Any answer but `none` resets `absent_at` (D-093). An unclear answer that came from
 * the provider resets `unreached` (D-196).
 */
function detailAfter({ detail, unclear_since }: Attempt, seen: Seen, now: Date): AttemptDetail {
  const { absent_at } = detail;
  const paid_with = ('paid_with' in seen ? seen.paid_with : null) ?? detail.paid_with;
  const declined = ('declined' in seen ? seen.declined : null) ?? detail.declined;
  const unreached =
    seen.kind === 'unclear'
      ? seen.unreached === true && (unclear_since === null || detail.unreached === true)
      : detail.unreached === true;
  return {
    last: describeObservation(seen),
    at: now.toISOString(),
    history: withNote(
      detail.history ?? [],
      { asked: seen.asked ?? null, seen: describeObservation(seen) },
      now,
    ),
    ...(seen.kind === 'none' && absent_at !== undefined ? { absent_at } : {}),
    ...(unreached ? { unreached } : {}),
    ...(paid_with === undefined ? {} : { paid_with }),
    ...(declined === undefined ? {} : { declined }),
  };
}

/** The observations of a session whose payment, if it has one, was declined: it is not what pays the order. */
const withoutPayment: readonly Seen['kind'][] = ['open', 'closed', 'withdrawn'];

/** The attempt with its session and payment. The payment of another session belongs to its case alone (D-860). */
function withPayment(attempt: Attempt, { session, kind }: Seen & { session: CardSession }): Attempt {
  const isOwn = attempt.session_id === null || attempt.session_id === session.id;
  const payment_id = withoutPayment.includes(kind) || !isOwn ? null : session.payment_id;
  return {
    ...attempt,
    session_id: attempt.session_id ?? session.id,
    session_url: attempt.session_url ?? session.url,
    provider_trade_no: attempt.provider_trade_no ?? payment_id,
  };
}
