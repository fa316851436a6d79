/** Computes and caches the figures of all merchants for the administrators' overview. */
import { type Clock, days, later } from '../../base/time/clock.ts';
import type { Logger } from '../../base/log.ts';
import type { Database } from '../../base/pg/index.ts';
import { dayAt } from '../../base/time/zone-days.ts';
import { createFigureCache, type Dated } from '../../base/live/figure-cache.ts';
import { figuresJson } from './figures.ts';
import { type DaySums, selectDays, selectMerchantsWithOrders, selectPlatformDays } from './order-sums.sql.ts';

/** Covers thirty days and a whole month in every time zone. */
const span_ms = days(33);
/** Maximum number of cached time zones. */
const mostZones = 24;

type Figures = ReturnType<typeof figuresJson>;

/** Creates a reader of the figures of all merchants. They are at most one minute old, or an hour if they take long (D-502). */
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
      const days = await readPlatformDays(db, later(now, -span_ms), time_zone);
      return figuresJson({ today: dayAt(now, time_zone), days });
    });
}

/** In one statement where one server has all orders. Where several have them, each merchant's are read by themselves. */
async function readPlatformDays(db: Database, since: Date, time_zone: string): Promise<DaySums[]> {
  if (db.isDistributed !== true) return selectPlatformDays(db, { since, time_zone, is_kept: true });
  const found: DaySums[] = [];
  for (const merchant_id of await selectMerchantsWithOrders(db)) {
    found.push(...(await selectDays(db, merchant_id, { since, time_zone, is_kept: false })));
  }
  return found;
}
