/** Calendar days in a time zone, for figures by day. */
import { invalid } from '../errors.ts';
import { hours, minutes } from './clock.ts';

/**
 * Reads the `time_zone` of a call; the default is UTC. Only names of places are accepted, because PostgreSQL and
 * JavaScript read other forms differently.
 *
 * @throws AppError `invalid_request`
 */
export function readTimeZone(value: unknown): string {
  if (value === undefined || value === '') return 'UTC';
  if (typeof value === 'string' && /^(?:UTC|[A-Z][A-Za-z_]+(?:\/[A-Z][A-Za-z0-9_+-]+){1,2})$/.test(value)) {
    try {
      return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone;
    } catch {
      // Unknown name.
    }
  }
  throw invalid('time_zone', 'time_zone must be the name of an IANA time zone, such as Europe/Berlin.');
}

/** The date in a zone at an instant, such as 2026-03-02. */
export function dayAt(at: Date, time_zone: string): string {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone: time_zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).formatToParts(at);
  const part = (type: Intl.DateTimeFormatPartTypes): string =>
    parts.find((one) => one.type === type)?.value ?? '';
  return `${part('year')}-${part('month')}-${part('day')}`;
}

/** The date `days` days before `day`. */
export function dayBefore(day: string, days: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(Date.UTC(year, month - 1, date - days)).toISOString().slice(0, 10);
}

/** The last `count` days up to and including `day`, oldest first. */
export const daysUpTo = (day: string, count: number): string[] =>
  Array.from({ length: count }, (_, i) => dayBefore(day, count - 1 - i));

/**
 * The instant at which a day begins in a zone: usually midnight, and later where the clocks are put forward then. So a day has
 * as many hours as its zone gives it (D-380).
 *
 * @param day such as 2026-03-02
 */
export function startOfDay(day: string, time_zone: string): Date {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  if (time_zone === 'UTC') return new Date(midnight);
  // No zone is further from UTC than 15 hours. A day begins once, at a whole minute, so its start can be halved towards.
  let [before, begun] = [midnight - hours(15), midnight + hours(15)];
  while (begun - before > minutes(1)) {
    const middle = before + Math.floor((begun - before) / minutes(2)) * minutes(1);
    if (dayAt(new Date(middle), time_zone) < day) before = middle;
    else begun = middle;
  }
  return new Date(begun);
}
