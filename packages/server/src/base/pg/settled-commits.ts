/** Commits that are not finished on all servers: those of a distributed database, and standbys. */
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from './sql.ts';
import type { Queryable, Tx } from './transactions.ts';

const between_ms = 20;
const tries = 250;

/**
 * Waits until every server shows what the coordinator has committed so far: a transaction of several servers
 * is committed there first, and on each of them a moment later. Where the coordinator has died in between, its recovery
 * finishes that within a minute. Does nothing on a database of one server (D-425).
 *
 * @returns false if something is still not finished
 */
export async function settledCommits(tx: Tx): Promise<boolean> {
  if (tx.isDistributed !== true) return true;
  let waiting = await preparedNow(tx);
  for (let tried = 0; waiting.size > 0 && tried < tries; tried++) {
    await pause(between_ms);
    // Those that were prepared later were not committed when this began.
    const now = await preparedNow(tx);
    waiting = new Set([...waiting].filter((gid) => now.has(gid)));
  }
  return waiting.size === 0;
}

async function preparedNow(tx: Tx): Promise<Set<string>> {
  const rows = await tx.query<{ gids: string }>(
    sql`SELECT result AS gids FROM run_command_on_all_nodes(
      $$SELECT coalesce(string_agg(gid, ' '), '') FROM pg_prepared_xacts WHERE database = current_database()$$)`,
  );
  return new Set(rows.flatMap(({ gids }) => gids.split(' ')).filter((gid) => gid !== ''));
}

/**
 * The commits of this role that have waited for a synchronous standby for more than three seconds (D-1359). Each keeps a
 * connection of the server until a standby confirms it, also where the process has given it up.
 */
export async function waitingCommits(db: Queryable): Promise<number> {
  const [row] = await db.query<{ waiting: number }>(
    sql`SELECT count(*)::int AS waiting FROM pg_stat_activity WHERE datname = current_database()
      AND wait_event = 'SyncRep' AND query_start < clock_timestamp() - interval '3 seconds'`,
  );
  return row?.waiting ?? 0;
}
