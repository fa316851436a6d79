/** Proves that a creation without a clear answer, or a refused retry, made no session at the provider (D-093, D-196). */
import { later, seconds } from '../../base/time/clock.ts';
import { type Attempt, endedAttempt } from './attempt.ts';
import { checkAtDeadline } from './check-schedule.ts';

/** Minimum time between the two look-ups that prove an absence, and from the last request to the second of them. */
const betweenLooks_ms = seconds(60);
const afterCreation_ms = seconds(120);

/**
 * The attempt after a look-up that found no session. Before the deadline this proves nothing, and workers request the
 * session again (D-092). After the deadline, the second such look-up in a row ends the attempt, if it is late enough
 * (R-184, D-093). So an order in review whose session never was known can expire (D-003, D-087).
 *
 * @param looked_at when the provider was asked. The answer can be applied much later, so it decides what the look
 *   proves
 */
export function afterNothingFound(
  known: Attempt,
  expires_at: Date,
  now: Date,
  looked_at: Date = now,
): Attempt {
  if (looked_at < expires_at) return known;
  const { absent_at } = known.detail;
  // guard: two-looks-for-an-absence
  if (absent_at === undefined) {
    const detail = { ...known.detail, absent_at: looked_at.toISOString() };
    return { ...known, detail, check_at: later(now, betweenLooks_ms) };
  }
  const since = known.unclear_since ?? known.created_at;
  const lateEnough =
    looked_at >= later(new Date(absent_at), betweenLooks_ms) && looked_at >= later(since, afterCreation_ms);
  if (/* guard: two-looks-for-an-absence = true */ lateEnough)
    return { ...endedAttempt(known, 'absent', now), check_at: checkAtDeadline(expires_at, now) };
  return { ...known, check_at: later(now, betweenLooks_ms) };
}

/**
 * Whether a refused retry proves that no session exists: no request had an answer, and the look-up that followed this
 * claim of the attempt found nothing (D-196, D-351). It can miss a session while the provider's lists are late: a payment
 * through that one is settled as of any ended attempt (D-861).
 */
export const isProvedAbsent = (
  { state, detail, unclear_since }: Attempt,
  { absent_since }: { absent_since?: Date },
): boolean =>
  state === 'unknown' &&
  detail.unreached === true &&
  absent_since !== undefined &&
  unclear_since?.getTime() === absent_since.getTime();
