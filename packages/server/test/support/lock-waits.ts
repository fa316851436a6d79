import { type Queryable, sql } from '../../src/base/pg/index.ts';
import { eventually } from './service.ts';

/**
 * Waits until at least so many sessions wait for locks of an open transaction, or behind one that does.
 * Other waits of the same database, such as a worker's, do not count.
 *
 * @param db connections of their own, to look
 */
export async function untilBlocked(db: Queryable, by: Queryable, sessions = 1): Promise<void> {
  const [holder] = await by.query<{ pid: number }>(sql`SELECT pg_backend_pid() AS pid`);
  const blocked = (): Promise<unknown[]> =>
    db.query(
      sql`WITH RECURSIVE blocked AS (SELECT ${holder?.pid ?? 0}::int AS pid
        UNION SELECT a.pid FROM pg_stat_activity a JOIN blocked b ON b.pid = ANY (pg_blocking_pids(a.pid)))
      SELECT pid FROM blocked`,
    );
  // The holder is the first of them.
  await eventually(blocked, ({ length }) => length > sessions);
}
