/** Periods of statements: calendar months, ISO weeks and days, in a time zone (D-380). Pure. */
import type { Locale } from '@paydesk/checkout';
import { AppError } from '../../base/errors.ts';
import { dayAt, dayBefore, startOfDay } from '../../base/time/zone-days.ts';

export const frequencies = ['daily', 'weekly', 'monthly'] as const;
export type Frequency = (typeof frequencies)[number];

export interface Period {
  /** Such as `2026-10`, `2026-W43` or `2026-10-19`. */
  name: string;
  from: Date;
  /** The end of the period, or now if it has not ended. */
  to: Date;
  complete: boolean;
}

/** The first day of the period of this kind that a day is in. */
export function firstDayOf(frequency: Frequency, day: string): string {
  if (frequency === 'monthly') return `${day.slice(0, 7)}-01`;
  return frequency === 'daily' ? day : dayBefore(day, weekday(day));
}

/** The first day of the period after the one that begins on a day. */
export function nextFirstDay(frequency: Frequency, first: string): string {
  if (frequency === 'daily') return dayBefore(first, -1);
  // The 32nd day of a month is in the next one.
  return frequency === 'weekly' ? dayBefore(first, -7) : firstDayOf('monthly', dayBefore(first, -31));
}

/** The name of the period that begins on a day. */
export function periodName(frequency: Frequency, first: string): string {
  if (frequency === 'daily') return first;
  if (frequency === 'monthly') return first.slice(0, 7);
  // A week belongs to the year of its Thursday, and the first Thursday of a year is in week 1.
  const thursday = dayBefore(first, -3);
  const year = thursday.slice(0, 4);
  const week = Math.floor(daysBetween(`${year}-01-01`, thursday) / 7) + 1;
  return `${year}-W${String(week).padStart(2, '0')}`;
}

const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 86_400_000;

/** Days since Monday. */
const weekday = (day: string): number => (new Date(day).getUTCDay() + 6) % 7;

const form = /^(2\d{3})-(?:(0[1-9]|1[0-2])(?:-(\d\d))?|W(\d\d))$/;

/** The kind and the first day of a period with this name; null if there is none. */
function partsOf(name: string): { frequency: Frequency; first: string } | null {
  const [, year = '', month, day, week] = form.exec(name) ?? [];
  if (year === '') return null;
  const frequency = week !== undefined ? 'weekly' : day !== undefined ? 'daily' : 'monthly';
  const first =
    week === undefined
      ? `${year}-${month ?? ''}-${day ?? '01'}`
      : // The fourth of January is in week 1.
        dayBefore(firstDayOf('weekly', `${year}-01-04`), -7 * (Number(week) - 1));
  // There is no 30 February, and not every year has a week 53.
  const exists = !Number.isNaN(Date.parse(first)) && dayBefore(first, 0) === first;
  return exists && periodName(frequency, first) === name ? { frequency, first } : null;
}

/** The period with this name. Throws `not_found` if there is none, or it has not begun. */
export function periodOf(name: string, now: Date, time_zone = 'UTC'): Period {
  const parts = partsOf(name);
  if (parts === null) throw new AppError('not_found');
  const from = startOfDay(parts.first, time_zone);
  if (from > now) throw new AppError('not_found');
  const end = startOfDay(nextFirstDay(parts.frequency, parts.first), time_zone);
  const complete = end <= now;
  return { name, from, to: complete ? end : now, complete };
}

/** A period in the words of a language: its month, its day, or the days of its week (D-554). */
export function periodIn(locale: Locale, name: string): string {
  const parts = partsOf(name);
  if (parts === null) return name;
  const { frequency, first } = parts;
  const format = new Intl.DateTimeFormat(`${locale}-u-nu-latn-ca-gregory`, {
    ...{ timeZone: 'UTC', year: 'numeric', month: 'long' },
    ...(frequency === 'monthly' ? {} : { day: 'numeric' }),
  });
  const begin = new Date(first);
  return frequency === 'weekly'
    ? format.formatRange(begin, new Date(dayBefore(first, -6)))
    : format.format(begin);
}

/** The first day of the period of this kind that runs now. */
export const runningSince = (frequency: Frequency, now: Date, time_zone: string): string =>
  firstDayOf(frequency, dayAt(now, time_zone));

/** The months of UTC from the one of `first` to the one of `now`, newest first; at most ten years. */
export function monthsSince(first: Date, now: Date): Period[] {
  const months: Period[] = [];
  let day = runningSince('monthly', now, 'UTC');
  const last = firstDayOf('monthly', dayAt(first, 'UTC'));
  while (day >= last && months.length < 120) {
    months.push(periodOf(periodName('monthly', day), now));
    day = firstDayOf('monthly', dayBefore(day, 1));
  }
  return months;
}
