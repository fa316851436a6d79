/** When workers check an attempt at the provider again. */
import { hours, later, minutes } from '../../base/time/clock.ts';
import type { Attempt } from './attempt.ts';

/** A mismatch, or the unused session of a paid attempt: every minute for the first hour, then every hour (D-111). */
export function nextCheckWhileWaiting({ created_at }: Attempt, now: Date): Date {
  const age_ms = now.getTime() - created_at.getTime();
  return later(now, age_ms < hours(1) ? minutes(1) : hours(1));
}

/** At the order's deadline. After the deadline: in a minute, because the order still has to move. */
export const checkAtDeadline = (expires_at: Date, now: Date): Date =>
  expires_at > now ? expires_at : later(now, minutes(1));

/** The shortest and the longest wait between two questions about an open session. */
const openWait_ms = { first: minutes(1), longest: minutes(4) };

/**
 * An open session is looked up at growing intervals: after 1, 2, 3, 4.5 and 6.75 minutes, then every 4 minutes, and at
 * the deadline. So a payment whose webhook was lost is noticed within five minutes.
 */
export function nextOpenCheck(
  { created_at }: Pick<Attempt, 'created_at'>,
  expires_at: Date,
  now: Date,
): Date {
  const half_age_ms = (now.getTime() - created_at.getTime()) / 2;
  const wait_ms = Math.min(Math.max(half_age_ms, openWait_ms.first), openWait_ms.longest);
  return new Date(Math.min(later(now, wait_ms).getTime(), checkAtDeadline(expires_at, now).getTime()));
}

/** The shortest and the longest wait between two questions about an asynchronous payment. */
const processingWait_ms = { first: minutes(1), longest: hours(1) };

/**
 * An asynchronous payment can take days (D-262): each minute at first, then at growing intervals, every hour at last. Its
 * end comes as a webhook.
 */
export function nextProcessingCheck({ created_at }: Pick<Attempt, 'created_at'>, now: Date): Date {
  const half_age_ms = (now.getTime() - created_at.getTime()) / 2;
  return later(now, Math.min(Math.max(half_age_ms, processingWait_ms.first), processingWait_ms.longest));
}

/** An unclear creation: retried every minute, and looked up at the deadline (D-092). */
export const nextCreationTry = (expires_at: Date, now: Date): Date =>
  new Date(Math.min(later(now, minutes(1)).getTime(), checkAtDeadline(expires_at, now).getTime()));

/** An ended session: every minute for an hour, then every hour for two days (D-111). */
export function nextCheckAfterEnd(attempt: Attempt, now: Date): Date | null {
  const age_ms = now.getTime() - (attempt.closed_at ?? now).getTime();
  if (age_ms < hours(1)) return later(now, minutes(1));
  return age_ms < hours(48) ? later(now, hours(1)) : null;
}
