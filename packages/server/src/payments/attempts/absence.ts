import { later, seconds } from '../../base/time/clock.ts';
import { type Attempt, endedAttempt } from './attempt.ts';
import { checkAtDeadline } from './check-schedule.ts';

/** When a look at the records counts as conclusive: the second clean one, and late enough (D-093). */
const betweenLooks_ms = seconds(60);

const afterCreation_ms = seconds(120);

/**
 * A creation of which the records show nothing. Before the deadline that proves nothing and changes nothing: it is
 * asked for again. After it, the second clean look ends the attempt, where it comes late enough (D-092, D-093).
 */
export function afterNothingFound(known: Attempt, expires_at: Date, now: Date): Attempt {
  if (now < expires_at) return known;
  const { absent_at } = known.detail;
  // guard: two-looks-for-an-absence
  if (absent_at === undefined) {
    const detail = { ...known.detail, absent_at: now.toISOString() };
    return { ...known, detail, check_at: later(now, betweenLooks_ms) };
  }
  const since = known.unclear_since ?? known.created_at;
  const lateEnough =
    now >= later(new Date(absent_at), betweenLooks_ms) && now >= later(since, afterCreation_ms);
  if (/* guard: two-looks-for-an-absence = true */ lateEnough)
    return { ...endedAttempt(known, 'absent', now), check_at: checkAtDeadline(expires_at, now) };
  return { ...known, check_at: later(now, betweenLooks_ms) };
}
