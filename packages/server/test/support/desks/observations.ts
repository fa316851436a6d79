import { later, minutes } from '../../../src/base/time/clock.ts';
import { afterObservation } from '../../../src/payments/attempts/attempt-states.ts';
import type { Attempt, AttemptState } from '../../../src/payments/attempts/attempt.ts';
import type { Observation } from '../../../src/payments/attempts/observation.ts';
import { deadline, sampleAttempt, sampleSession, t0 } from './samples.ts';

/** Attempts in each state and observations of the provider, for tests of how an attempt follows an observation. */

/** An instant before the order's deadline, and one after it. */
export const inTime = later(t0, minutes(10));
export const overdue = later(deadline, minutes(10));
const session = sampleSession();

export const observations = {
  paid: { kind: 'paid', session, trade_no: 'pi_1', occurred_at: inTime },
  processing: { kind: 'processing', session },
  open: { kind: 'open', session },
  closed: { kind: 'closed', session },
  failed: { kind: 'failed', session },
  mismatch: { kind: 'mismatch', session, why: 'amount', paid_at: null },
  refused: { kind: 'refused', why: 'card_declined' },
  unclear: { kind: 'unclear', why: 'timeout' },
  none: { kind: 'none' },
  failed_lookup: { kind: 'failed_lookup', why: 'timeout' },
} as const satisfies Record<string, Observation>;

export type Sight = keyof typeof observations;

/** An attempt in a state, with the members that every way into that state sets. */
export function attemptIn(state: AttemptState): Attempt {
  const known = { session_id: 'cs_1', session_url: session.url };
  const ended = { closed_at: inTime };
  const byState: Record<AttemptState, Partial<Attempt>> = {
    creating: { lease_until: inTime },
    unknown: { unclear_since: inTime },
    open: known,
    processing: known,
    closed: { ...known, ...ended },
    failed: { ...known, ...ended },
    absent: { unclear_since: inTime, ...ended },
    rejected: ended,
    paid: { ...known, provider_trade_no: 'pi_0', paid_at: inTime },
    paid_late: { ...known, provider_trade_no: 'pi_0', paid_at: inTime },
    mismatch: known,
  };
  return sampleAttempt({ state, ...byState[state] });
}

/** The attempt after one look. */
export const look = (attempt: Attempt, seen: Observation, now: Date): Attempt =>
  afterObservation(attempt, seen, deadline, now);
