import { type Clock, days, later, minutes } from '../../base/time/clock.ts';
import type { Database } from '../../base/pg/index.ts';
import { dayAt } from '../../base/time/zone-days.ts';
import { figuresJson } from './figures.ts';
import { selectPlatformFigures } from './figures.sql.ts';

/** Enough for thirty days and for a month, in whatever zone. */
const span_ms = days(33);
/** However many look, the orders of a month are added up once in so long. */
const trust_ms = minutes(1);
/** More zones than administrators sit in. */
const mostZones = 24;

type Figures = ReturnType<typeof figuresJson>;

/** What all merchants together have taken: today, this month, and the last thirty days one by one, a minute old at most. */
export function createPlatformFigures({
  db,
  clock,
}: {
  db: Database;
  clock: Clock;
}): (time_zone: string) => Promise<Figures> {
  const known = new Map<string, { at: number; figures: Promise<Figures> }>();

  async function addUp(time_zone: string): Promise<Figures> {
    const now = clock.now();
    const { created, paid } = await selectPlatformFigures(db, { since: later(now, -span_ms), time_zone });
    return figuresJson({ today: dayAt(now, time_zone), created, paid });
  }

  return (time_zone) => {
    const at = clock.now().getTime();
    const last = known.get(time_zone);
    if (last !== undefined && at - last.at < trust_ms) return last.figures;
    const figures = addUp(time_zone).catch((error: unknown) => {
      known.delete(time_zone);
      throw error;
    });
    if (known.size >= mostZones) known.clear();
    known.set(time_zone, { at, figures });
    return figures;
  };
}
