/** How long a session lives, by the role of its person (D-201). Pure; all times are real time. */
import { days, hours, later, minutes } from '../../base/time/clock.ts';
import { platformRoleOf, type SessionUser } from '../people/index.ts';

interface Life {
  /** After the last use. */
  idle_ms: number;
  /** After the sign-in, however often the session is used. */
  absolute_ms: number;
  /** A use is written only after this time, so that there is no write for every request. */
  noteAfter_ms: number;
}

/** D-201 */
const ofPeople: Life = { idle_ms: days(14), absolute_ms: days(90), noteAfter_ms: minutes(5) };
const ofStaff: Life = { idle_ms: minutes(30), absolute_ms: hours(12), noteAfter_ms: minutes(1) };

/** The role of now counts, so that a person who gets a role on the platform has the short lifetimes at once. */
const lifeOf = (role: SessionUser['role']): Life => (platformRoleOf(role) === null ? ofPeople : ofStaff);

/** The times of a session. */
export interface SessionTimes {
  created_at: Date;
  last_used_at: Date;
}

/** When a session ends unless it is used again. */
export function endOfSession(role: SessionUser['role'], { created_at, last_used_at }: SessionTimes): Date {
  const { idle_ms, absolute_ms } = lifeOf(role);
  const idle = later(last_used_at, idle_ms);
  const absolute = later(created_at, absolute_ms);
  return idle < absolute ? idle : absolute;
}

/** Whether to write a use at `now`. */
export const isUseNoted = (role: SessionUser['role'], { last_used_at }: SessionTimes, now: Date): boolean =>
  now >= later(last_used_at, lifeOf(role).noteAfter_ms);

/** The last use of a session that an older release stored: that release kept 14 days after the last use only. */
export const lastUseBefore = (expires_at: Date): Date => later(expires_at, -ofPeople.idle_ms);
