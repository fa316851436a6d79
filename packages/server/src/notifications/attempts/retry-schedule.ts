import { hours, later, minutes } from '../../base/time/clock.ts';

/** How long after the end of failed attempt n the next one follows, in milliseconds (R-277, D-142). */
export const retryDelays_ms = [
  minutes(1),
  minutes(5),
  minutes(15),
  minutes(30),
  hours(1),
  hours(2),
  hours(4),
  hours(6),
  hours(8),
] as const;

/** The first attempt and one after each delay. */
export const maxAutomaticAttempts = retryDelays_ms.length + 1;

/**
 * How an attempt ended. An interrupted one was begun, and nobody knows what came of it: it may have reached the
 * receiver, so it counts (D-143).
 */
export type AttemptEnd = 'acknowledged' | 'failed' | 'interrupted';

export interface EndedAttempt {
  end: AttemptEnd;
  /** Its number, from 1; counts on through replays. */
  attempt: number;
  /** Asked for by a replay, which grants exactly one attempt (D-144). */
  manual: boolean;
  /** When it ended, or when the interruption was seen. */
  at: Date;
}

export type NextAttempt =
  | { delivery_status: 'pending'; next_attempt_at: Date }
  | { delivery_status: 'delivered' | 'failed'; next_attempt_at: null };

/** What follows an attempt: delivered, given up, or the time of the next one (section 3.3, D-142 to D-144). */
export function nextAttempt({ end, attempt, manual, at }: EndedAttempt): NextAttempt {
  if (end === 'acknowledged') return { delivery_status: 'delivered', next_attempt_at: null };
  const delay_ms = retryDelays_ms[attempt - 1];
  if (manual || delay_ms === undefined) return { delivery_status: 'failed', next_attempt_at: null };
  return { delivery_status: 'pending', next_attempt_at: end === 'interrupted' ? at : later(at, delay_ms) };
}
