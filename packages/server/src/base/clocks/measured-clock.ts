/** The database's time, measured once. Commands use it; `timekeeper.ts` measures again and again. */
import type { Database } from '../pg/index.ts';
import { OffsetClock } from '../time/clock.ts';
import { DatabaseTime, type TimeSample } from '../time/database-time.ts';

/** The first question opens a connection, so the shortest of several round trips counts. */
const firstSamples = 3;

/** A clock at the database's time, for a command: it is measured once. */
export async function measuredClock(db: Pick<Database, 'askTime'>): Promise<OffsetClock> {
  const time = new DatabaseTime();
  await takeFirst(db, time);
  return new OffsetClock(time);
}

/** Measures for the first time. */
export async function takeFirst(db: Pick<Database, 'askTime'>, time: DatabaseTime): Promise<void> {
  const samples: TimeSample[] = [];
  while (samples.length < firstSamples) samples.push(await db.askTime());
  const trip_ms = ({ sent_ms, received_ms }: TimeSample): number => received_ms - sent_ms;
  for (const sample of samples.sort((a, b) => trip_ms(a) - trip_ms(b))) time.take(sample);
}
