import { hours, later, minutes } from '../../base/time/clock.ts';
import type { Attempt } from './attempt.ts';

/** Each minute for the first hour, then hourly. */
export function nextCheckWhileWaiting({ created_at }: Attempt, now: Date): Date {
  const age_ms = now.getTime() - created_at.getTime();
  return later(now, age_ms < hours(1) ? minutes(1) : hours(1));
}

/** At the deadline, or now where that has passed: then the order still has to follow. */
export const checkAtDeadline = (expires_at: Date, now: Date): Date =>
  expires_at > now ? expires_at : later(now, minutes(1));

/** An unclear creation is tried again each minute, and looked up at the deadline (D-092). */
export const nextCreationTry = (expires_at: Date, now: Date): Date =>
  new Date(Math.min(later(now, minutes(1)).getTime(), checkAtDeadline(expires_at, now).getTime()));

/** An ended session is asked about every minute for an hour, then hourly for two days (D-111). */
export function nextCheckAfterEnd(attempt: Attempt, now: Date): Date | null {
  const age_ms = now.getTime() - (attempt.closed_at ?? now).getTime();
  if (age_ms < hours(1)) return later(now, minutes(1));
  return age_ms < hours(48) ? later(now, hours(1)) : null;
}
