/** When a notification is tried again, and when it is given up. */
import { hours, later, minutes } from '../../base/time/clock.ts';

/** The delay after the end of each failed attempt (R-277, D-142). */
const retryDelays_ms = [
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

/** The first attempt, and one after each delay. */
export const maxAutomaticAttempts = retryDelays_ms.length + 1;

/** How an attempt ended. An interrupted attempt may have reached the receiver, so it counts (D-143). */
export type DeliveryAttemptEnd = 'acknowledged' | 'failed' | 'interrupted';

export interface EndedDeliveryAttempt {
  end: DeliveryAttemptEnd;
  /** Its number, from 1. Replays continue the count. */
  attempt: number;
  /** Made for a replay, which grants exactly one attempt (D-144). */
  manual: boolean;
  /** When it ended, or when its interruption was noticed. */
  at: Date;
}

export type NextDeliveryAttempt =
  | { delivery_status: 'pending'; next_attempt_at: Date }
  | { delivery_status: 'delivered' | 'failed'; next_attempt_at: null };

/** What follows an attempt: the event is delivered, or given up, or due again (R-276, D-142, D-143, D-144). */
export function nextDeliveryAttempt({ end, attempt, manual, at }: EndedDeliveryAttempt): NextDeliveryAttempt {
  if (end === 'acknowledged') return { delivery_status: 'delivered', next_attempt_at: null };
  const delay_ms = retryDelays_ms[attempt - 1];
  if (manual || delay_ms === undefined) return { delivery_status: 'failed', next_attempt_at: null };
  return { delivery_status: 'pending', next_attempt_at: end === 'interrupted' ? at : later(at, delay_ms) };
}
