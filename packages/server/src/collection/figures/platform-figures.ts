/** Computes and caches the figures of all merchants for the administrators' overview. */
import { type Clock, days, hours, later } from '../../base/time/clock.ts';
import type { Logger } from '../../base/log.ts';
import type { Database } from '../../base/pg/index.ts';
import { dayAt } from '../../base/time/zone-days.ts';
import { createFigureCache, type Dated } from '../../base/caches/figure-cache.ts';
import { figuresJson } from './figures.ts';
import { selectMerchantsToSum } from './sum-marks.sql.ts';
import {
  type DaySums,
  orderSums,
  selectDays,
  selectMerchantsWithOrders,
  selectPlatformDays,
} from './order-sums.sql.ts';

/** Covers thirty days and a whole month in every time zone. */
const span_ms = days(33);
/** The clock of a provider may be ahead. */
const ahead_ms = days(1);
/** The sums of a merchant are usually not older than this. */
const near_ms = hours(3);
/** Maximum number of cached time zones. */
const mostZones = 24;

type Figures = ReturnType<typeof figuresJson>;

/**
 * Creates a reader of the figures of all merchants. They are at most one minute old, or an hour if they take long
 * (D-502).
 */
export function createPlatformFigures({
  db,
  clock,
  log,
}: {
  db: Database;
  clock: Clock;
  log: Logger;
}): (time_zone: string) => Promise<Dated<Figures>> {
  const cached = createFigureCache<Figures>({ clock, log }, mostZones);
  return (time_zone) =>
    cached(time_zone, async () => {
      const now = clock.now();
      const days = await readPlatformDays(db, now, time_zone);
      return figuresJson({ today: dayAt(now, time_zone), days });
    });
}

/**
 * Reads the merchants together. Merchants whose sums are not kept so far, as after a restore or an import, are read one by
 * one: to add up their orders takes long, and no statement may take long (D-573). On several servers no sums are kept.
 */
export async function readPlatformDays(db: Database, now: Date, time_zone: string): Promise<DaySums[]> {
  const is_kept = db.isDistributed !== true;
  const span = { since: later(now, -span_ms), until: later(now, ahead_ms), time_zone, is_kept };
  const apart = is_kept
    ? await selectMerchantsToSum(db, orderSums, { until: later(now, -near_ms), now })
    : await selectMerchantsWithOrders(db);
  const found = is_kept ? await selectPlatformDays(db, span, apart) : [];
  for (const merchant_id of apart) found.push(...(await selectDays(db, merchant_id, span)));
  return found;
}
