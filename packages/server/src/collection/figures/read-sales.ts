/** Reads and caches the sales of merchants for their home pages. */
import type { Clock } from '../../base/time/clock.ts';
import type { Database } from '../../base/pg/index.ts';
import { invalid } from '../../base/errors.ts';
import { dayAt, dayBefore } from '../../base/time/zone-days.ts';
import { createFigureCache } from './figure-cache.ts';
import { type Days, daysBefore, lengthOf, salesJson } from './sales.ts';
import { selectEndings, selectPaidWithin, selectProgress } from './sales.sql.ts';

/** Maximum number of cached ranges: most are of the merchants whose home page is open. */
const mostCached = 500;
const usualDays = 30;
const mostDays = 366;

export type Sales = ReturnType<typeof salesJson>;

/** Creates a reader of a merchant's sales. A result is at most one minute old. */
export function createSales({
  db,
  clock,
}: {
  db: Database;
  clock: Clock;
}): (merchant_id: string, days: Days, time_zone: string) => Promise<Sales> {
  const cached = createFigureCache<Sales>(clock, mostCached);
  return (merchant_id, days, time_zone) =>
    cached([merchant_id, days.from, days.until, time_zone].join(' '), async () => {
      const after = dayBefore(days.until, -1);
      const both = { first: daysBefore(days).from, after, time_zone };
      const [progress, payments, endings] = await Promise.all([
        selectProgress(db, merchant_id, both),
        selectPaidWithin(db, merchant_id, both),
        selectEndings(db, merchant_id, { ...both, first: days.from }),
      ]);
      return salesJson({ days, progress, payments, endings });
    });
}

/**
 * Reads `from` and `until` of a call: dates, both included, at most 366 days; the last thirty days if both are absent.
 *
 * @throws AppError `invalid_request`
 */
export function readDays(
  { from, until }: Readonly<Record<string, unknown>>,
  now: Date,
  time_zone: string,
): Days {
  if (from === undefined && until === undefined) {
    const today = dayAt(now, time_zone);
    return { from: dayBefore(today, usualDays - 1), until: today };
  }
  const days = { from: readDay('from', from), until: readDay('until', until) };
  if (days.until < days.from) throw invalid('until', 'until must not be before from.');
  if (lengthOf(days) > mostDays) throw invalid('until', `A range has at most ${mostDays} days.`);
  return days;
}

function readDay(field: string, value: unknown): string {
  // The year is bounded, so that the days before have a date too.
  if (typeof value === 'string' && /^2\d{3}-\d\d-\d\d$/.test(value) && isDate(value)) return value;
  throw invalid(field, `${field} must be a date such as 2026-03-02.`);
}

/** Not 2026-02-30. */
const isDate = (day: string): boolean => {
  const at = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day);
};
