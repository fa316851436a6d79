/** Whether PostgreSQL allows the connections that the processes of `serve` may open. */
import { type Database, openDatabase, sql } from '../../base/pg/index.ts';

export interface ConnectionRoom {
  /** Whose limit it is: the server's, or one that the role or the database has. */
  whose: 'PostgreSQL' | 'The role' | 'The database';
  /** What it allows, without what is kept for roles with special rights. */
  allowed: number;
  /** What is open of it. */
  used: number;
}

/** Asks the server; its own connection does not count. */
export async function readConnectionRoom(url: string): Promise<ConnectionRoom> {
  const db = openDatabase({ url, max: 1, application_name: 'paydesk serve' });
  try {
    const room = await selectConnectionRoom(db);
    return { ...room, used: room.used - 1 };
  } finally {
    await db.close();
  }
}

/** The limit that leaves least (D-1469). What a role may not read of others' connections is empty; whose they are is not. */
export async function selectConnectionRoom(db: Database): Promise<ConnectionRoom> {
  const [room] = await db.query<ConnectionRoom & { [member: string]: unknown }>(sql`
    WITH open AS MATERIALIZED (
      SELECT datid, usesysid FROM pg_stat_activity WHERE datid IS NOT NULL AND usesysid IS NOT NULL)
    SELECT whose, allowed, used FROM (
      SELECT 'PostgreSQL' AS whose, (SELECT count(*)::int FROM open) AS used,
        current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
          - coalesce(current_setting('reserved_connections', true), '0')::int AS allowed
      UNION ALL SELECT 'The role', (SELECT count(*)::int FROM open WHERE usesysid = role.oid), rolconnlimit
      FROM pg_roles AS role WHERE rolname = current_user AND rolconnlimit >= 0 AND NOT rolsuper
      UNION ALL SELECT 'The database', (SELECT count(*)::int FROM open WHERE datid = base.oid), datconnlimit
      FROM pg_database AS base WHERE datname = current_database() AND datconnlimit >= 0) AS rooms
    ORDER BY allowed - used LIMIT 1`);
  if (room === undefined) throw new Error('a server without a limit');
  return room;
}

/** The setting that raises the limit. */
export const settingOf = (whose: ConnectionRoom['whose']): string =>
  whose === 'PostgreSQL' ? 'max_connections' : 'its CONNECTION LIMIT';

/**
 * What an operator should know before connections run out under load (D-432); null if there is room for all. It is no reason
 * to refuse: a pooler in between, which opens fewer, cannot be told from PostgreSQL.
 */
export function connectionWarning(
  { processes, db_pool }: { processes: number; db_pool: number },
  { whose, allowed, used }: ConnectionRoom,
): string | null {
  const need = processes * db_pool;
  if (need + used <= allowed) return null;
  const may = whose === 'PostgreSQL' ? 'allows' : 'may have';
  return `${whose} ${may} ${allowed} connections and others have ${used} of them, but ${processes} × PAYDESK_DB_POOL (${db_pool}) may open ${need}: under load requests would be answered 503. Raise ${settingOf(whose)}, lower PAYDESK_DB_POOL or --processes, or put a pooler between (docs/operating/connections.md)`;
}
