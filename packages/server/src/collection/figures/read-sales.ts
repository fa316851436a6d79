/** Reads and caches the sales of merchants for their home pages. */
import type { Clock } from '../../base/time/clock.ts';
import type { Database } from '../../base/pg/index.ts';
import type { Logger } from '../../base/log.ts';
import { invalid } from '../../base/errors.ts';
import { dayAt, dayBefore, daysUpTo, startOfDay } from '../../base/time/zone-days.ts';
import { createFigureCache, type Dated } from '../../base/caches/figure-cache.ts';
import { type Days, daysBefore, lengthOf, type SalesFacts, salesJson } from './sales.ts';
import { type DaySums, selectDays } from './order-sums.sql.ts';
import {
  countUnkept,
  type DayOfProgress,
  type Endings,
  selectEndings,
  selectProgress,
} from './progress-sums.sql.ts';

/** Maximum number of cached ranges: most are of the merchants whose home page is open. */
const mostCached = 500;
const usualDays = 30;
const mostDays = 366;

export type Sales = ReturnType<typeof salesJson>;

/**
 * Orders without sums that are read at once. If there are more, each day is read separately, so statements stay short
 * (D-503).
 */
const mostAtOnce = 50_000;

/**
 * Creates a reader of a merchant's sales, which are at most one minute old, or an hour if they take long (D-332, D-502). For each
 * member, one range is read at a time (D-610).
 */
export function createSales({
  db,
  clock,
  log,
}: {
  db: Database;
  clock: Clock;
  log: Logger;
}): (merchant_id: string, days: Days, time_zone: string, member: string) => Promise<Dated<Sales>> {
  const cached = createFigureCache<Sales>({ clock, log }, mostCached);
  return (merchant_id, days, time_zone, member) =>
    cached(
      [merchant_id, days.from, days.until, time_zone].join(' '),
      async () => salesJson(await readFacts(db, merchant_id, days, time_zone)),
      member,
    );
}

/**
 * Reads the facts of a range and of the days before it.
 *
 * @param most if more orders than this have no sums, each day is read by itself
 */
export async function readFacts(
  db: Database,
  merchant_id: string,
  days: Days,
  time_zone: string,
  most = mostAtOnce,
): Promise<SalesFacts> {
  const all = { from: daysBefore(days).from, until: days.until };
  const readingOf = ({ from, until }: Days) => ({
    merchant_id,
    since: startOfDay(from, time_zone),
    until: startOfDay(dayBefore(until, -1), time_zone),
    time_zone,
    is_kept: db.isDistributed !== true,
  });
  const isLarge = (await countUnkept(db, readingOf(all), most)) === BigInt(most);
  const parts = isLarge
    ? daysUpTo(all.until, lengthOf(all)).map((day) => ({ from: day, until: day }))
    : [all];
  const progress: DayOfProgress[] = [];
  const payments: DaySums[] = [];
  const endings: Endings[] = [];
  for (const part of parts) {
    const ofDays = { ...part, from: part.from < days.from ? days.from : part.from };
    const found = await Promise.all([
      selectProgress(db, readingOf(part)),
      selectDays(db, merchant_id, readingOf(part)),
      ofDays.from > ofDays.until ? [] : selectEndings(db, readingOf(ofDays)),
    ]);
    progress.push(...found[0]);
    payments.push(...found[1]);
    endings.push(...found[2]);
  }
  return { days, progress, payments, endings };
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
  if (lengthOf(days) > mostDays) throw invalid('until', `A range must have at most ${mostDays} days.`);
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
