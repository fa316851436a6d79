/** Calendar days in a time zone, for figures by day. */
import { invalid } from '../errors.ts';
import { days, hours, later, minutes } from './clock.ts';

/** The IANA names of three letters. */
const shortNames = /^(?:CET|EET|EST|GMT|HST|MET|MST|PRC|ROC|ROK|UCT|UTC|WET)$/;

/**
 * Reads the `time_zone` of a call; the default is UTC. Names are accepted, also those of one word that some systems have,
 * such as EST5EDT (D-1304). Offsets such as +02:00 are not: they have no rules for summer time. Nor are the abbreviations
 * that Node.js knows beside the names: its BST is the time of Bangladesh, not of London (D-1308).
 *
 * @throws AppError `invalid_request`
 */
export function readTimeZone(value: unknown): string {
  if (value === undefined || value === '') return 'UTC';
  const isName = typeof value === 'string' && (/^[a-z]{3}$/i.test(value) ? shortNames : /^[A-Z]/).test(value);
  if (isName) {
    try {
      return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone;
    } catch {
      // Unknown name.
    }
  }
  throw invalid('time_zone', 'time_zone must be the name of an IANA time zone, such as Europe/Berlin.');
}

/** The date in a zone at an instant, such as 2026-03-02. */
export const dayAt = (at: Date, time_zone: string): string => dayReader(time_zone)(at);

/** Reads the date of many instants: to make a format takes much longer than to use it. */
function dayReader(time_zone: string): (at: Date) => string {
  const format = new Intl.DateTimeFormat('en', {
    timeZone: time_zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  return (at) => {
    const parts = format.formatToParts(at);
    const part = (type: Intl.DateTimeFormatPartTypes): string =>
      parts.find((one) => one.type === type)?.value ?? '';
    return `${part('year')}-${part('month')}-${part('day')}`;
  };
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
export const startOfDay = (day: string, time_zone: string): Date =>
  startIn(day, time_zone, dayReader(time_zone));

function startIn(day: string, time_zone: string, dayOf: (at: Date) => string): Date {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  if (time_zone === 'UTC') return new Date(midnight);
  // No zone is further from UTC than 15 hours. A day begins once, at a whole minute, so its start can be halved towards.
  let [before, begun] = [midnight - hours(15), midnight + hours(15)];
  while (begun - before > minutes(1)) {
    const middle = before + Math.floor((begun - before) / minutes(2)) * minutes(1);
    if (dayOf(new Date(middle)) < day) before = middle;
    else begun = middle;
  }
  return new Date(begun);
}

/** A day of a zone, such as 2026-03-02, and the instant at which it begins. */
export interface ZoneDay {
  day: string;
  start: Date;
}

/** The days of a zone from the one of an instant up to the one of another, oldest first. */
export function zoneDays(since: Date, until: Date, time_zone: string): ZoneDay[] {
  const dayOf = dayReader(time_zone);
  const last = dayOf(until);
  const found: ZoneDay[] = [];
  let start: Date | undefined;
  for (let day = dayOf(since); day <= last; day = dayBefore(day, -1)) {
    // Most days are 24 hours long, so that two looks are enough in place of a search.
    const usual: Date | undefined = start && later(start, days(1));
    const isStart = usual !== undefined && dayOf(usual) === day && dayOf(later(usual, -minutes(1))) < day;
    start = isStart ? usual : startIn(day, time_zone, dayOf);
    found.push({ day, start });
  }
  return found;
}
