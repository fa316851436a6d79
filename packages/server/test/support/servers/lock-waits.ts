import { type Database, type Queryable, sql, type Tx } from '../../../src/base/pg/index.ts';
import { eventually } from '../desks/service.ts';

/**
 * Waits until at least so many sessions wait for locks of an open transaction, or behind one that does.
 * Other waits of the same database, such as a worker's, do not count.
 *
 * @param db connections of their own, to look
 */
export async function untilBlocked(db: Queryable, by: Queryable, sessions = 1): Promise<void> {
  const [holder] = await by.query<{ pid: number }>(sql`SELECT pg_backend_pid() AS pid`);
  // On a cluster they wait on other servers, and the engine tells whose sessions of this one wait there.
  const waits =
    by.isDistributed === true
      ? sql`SELECT (waiting_gpid % 10000000000)::int AS pid, (blocking_gpid % 10000000000)::int AS blocker FROM citus_lock_waits`
      : sql`SELECT a.pid, unnest(pg_blocking_pids(a.pid)) AS blocker FROM pg_stat_activity a`;
  const blocked = (): Promise<unknown[]> =>
    db.query(
      sql`WITH RECURSIVE waits AS (${waits}), blocked AS (SELECT ${holder?.pid ?? 0}::int AS pid
        UNION SELECT w.pid FROM waits w JOIN blocked b ON b.pid = w.blocker)
      SELECT pid FROM blocked`,
    );
  // The holder is the first of them.
  await eventually(blocked, ({ length }) => length > sessions);
}

/**
 * Does a change in a transaction, and lets a call wait for its lock until it commits; gives the call's answer.
 *
 * @param look connections of their own, to look
 */
export async function overtaken<T>(
  db: Database,
  look: Queryable,
  change: (tx: Tx) => Promise<unknown>,
  call: () => Promise<T>,
): Promise<T> {
  const { running } = await db.transaction(async (tx) => {
    await change(tx);
    const running = call();
    await Promise.race([untilBlocked(look, tx), running]);
    return { running };
  });
  return running;
}
