/** Reads and writes which processes have a local clock that is off (table `clock_alarms`). */
import { type Queryable, type Row, sql } from '../pg/index.ts';

/** A process whose local clock differs from the database's. */
export interface OffClock {
  /** Its role, machine and process number. */
  process: string;
  since: Date;
}

export interface OffClockRow extends OffClock {
  process_id: string;
  offset_ms: number;
  seen_at: Date;
}

export async function upsertOffClock(db: Queryable, row: OffClockRow): Promise<void> {
  const { process_id, process, offset_ms, since, seen_at } = row;
  await db.query(
    sql`INSERT INTO clock_alarms (process_id, process, offset_ms, since, seen_at)
      VALUES (${process_id}, ${process}, ${Math.round(offset_ms)}, ${since}, ${seen_at})
      ON CONFLICT (process_id) DO UPDATE SET offset_ms = excluded.offset_ms, seen_at = excluded.seen_at`,
  );
}

/** Deletes the row of a process, and the rows of processes that ended without deleting theirs. */
export async function deleteOffClocks(db: Queryable, process_id: string, seen_before: Date): Promise<void> {
  await db.query(sql`DELETE FROM clock_alarms WHERE process_id = ${process_id} OR seen_at < ${seen_before}`);
}

/** The processes that renewed their row after this time, the longest off first. */
export const selectOffClocks = (db: Queryable, seen_after: Date): Promise<OffClock[]> =>
  db.query<OffClock & Row>(
    sql`SELECT process, since FROM clock_alarms WHERE seen_at > ${seen_after} ORDER BY since, process LIMIT 100`,
  );
