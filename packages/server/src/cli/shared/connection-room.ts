/** Whether PostgreSQL allows the connections that the processes of `serve` may open. */
import { openDatabase, sql } from '../../base/pg/index.ts';

export interface ConnectionRoom {
  /** What PostgreSQL allows roles without special rights. */
  allowed: number;
  /** What others have open. */
  used: number;
}

/** Asks the server; its own connection does not count. */
export async function readConnectionRoom(url: string): Promise<ConnectionRoom> {
  const db = openDatabase({ url, max: 1, application_name: 'paydesk serve' });
  try {
    const [row] = await db.query<{ allowed: number; used: number }>(
      sql`SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
          - coalesce(current_setting('reserved_connections', true), '0')::int AS allowed,
        (SELECT count(*)::int FROM pg_stat_activity
          WHERE backend_type = 'client backend' AND application_name <> 'paydesk serve') AS used`,
    );
    return row ?? { allowed: Infinity, used: 0 };
  } finally {
    await db.close();
  }
}

/**
 * What an operator should know before connections run out under load (D-432); null if there is room for all. It is no reason
 * to refuse: a pooler in between, which opens fewer, cannot be told from PostgreSQL.
 */
export function connectionWarning(
  { processes, db_pool }: { processes: number; db_pool: number },
  { allowed, used }: ConnectionRoom,
): string | null {
  const need = processes * db_pool;
  if (need + used <= allowed) return null;
  return `PostgreSQL allows ${allowed} connections and others have ${used} of them, but ${processes} × PAYDESK_DB_POOL (${db_pool}) may open ${need}: under load requests would be answered 503. Raise max_connections, lower PAYDESK_DB_POOL or --processes, or put a pooler between (docs/operating/connections.md)`;
}
