/** Computes and caches the figures of all merchants for the administrators' overview. */
import { type Clock, days, later, minutes } from '../../base/time/clock.ts';
import type { Database } from '../../base/pg/index.ts';
import { dayAt } from '../../base/time/zone-days.ts';
import { figuresJson } from './figures.ts';
import { selectPlatformFigures } from './figures.sql.ts';

/** Covers thirty days and a whole month in every time zone. */
const span_ms = days(33);
/** How long a result is cached. */
const cached_ms = minutes(1);
/** Maximum number of cached time zones. */
const mostZones = 24;

type Figures = ReturnType<typeof figuresJson>;

/** Creates a reader of the figures of all merchants. A result is at most one minute old. */
export function createPlatformFigures({
  db,
  clock,
}: {
  db: Database;
  clock: Clock;
}): (time_zone: string) => Promise<Figures> {
  const known = new Map<string, { at: number; figures: Promise<Figures> }>();

  async function computeFigures(time_zone: string): Promise<Figures> {
    const now = clock.now();
    const { created, paid } = await selectPlatformFigures(db, { since: later(now, -span_ms), time_zone });
    return figuresJson({ today: dayAt(now, time_zone), created, paid });
  }

  return (time_zone) => {
    const at = clock.now().getTime();
    const last = known.get(time_zone);
    if (last !== undefined && at - last.at < cached_ms) return last.figures;
    const figures = computeFigures(time_zone).catch((error: unknown) => {
      known.delete(time_zone);
      throw error;
    });
    if (known.size >= mostZones) known.clear();
    known.set(time_zone, { at, figures });
    return figures;
  };
}
