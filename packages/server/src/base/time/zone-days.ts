import { invalid } from '../errors.ts';

/**
 * Reads the `time_zone` of a call; UTC where there is none. Only names of places, which PostgreSQL reads alike.
 *
 * @throws AppError `invalid_request`
 */
export function readTimeZone(value: unknown): string {
  if (value === undefined || value === '') return 'UTC';
  if (typeof value === 'string' && /^(?:UTC|[A-Z][A-Za-z_]+(?:\/[A-Z][A-Za-z0-9_+-]+){1,2})$/.test(value)) {
    try {
      return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone;
    } catch {
      // None that we know.
    }
  }
  throw invalid('time_zone', 'time_zone names a zone of the IANA database, such as Europe/Berlin.');
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

/** The date so many days before another. */
export function dayBefore(day: string, days: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(Date.UTC(year, month - 1, date - days)).toISOString().slice(0, 10);
}

/** The last days up to one, oldest first. */
export const daysUpTo = (day: string, count: number): string[] =>
  Array.from({ length: count }, (_, i) => dayBefore(day, count - 1 - i));
