/** Lets the service's own statements explain themselves, and reads what tables and indexes weigh. */
import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import type { Database } from './database.ts';

const settings = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_buffers': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_verbose': 'off',
};

/** From now on, each new connection to the database writes the plan of every statement into the server's log. */
export async function explainAll(database: Database): Promise<void> {
  const name = pg.escapeIdentifier(database.connection.database);
  for (const [setting, value] of Object.entries(settings))
    await database.query(`ALTER DATABASE ${name} SET ${setting} = '${value}'`);
}

export async function stopExplaining(database: Database): Promise<void> {
  await database.query(`ALTER DATABASE ${pg.escapeIdentifier(database.connection.database)} RESET ALL`);
}

/** Returns what the server logs while something runs. */
export async function loggedDuring(logs: string, run: () => Promise<unknown>): Promise<string> {
  const files = await readdir(logs);
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(logs, file))).size));
  await run();
  const parts: string[] = [];
  for (const [i, file] of files.entries()) {
    const handle = await open(join(logs, file));
    try {
      const from = sizes[i] ?? 0;
      const length = (await handle.stat()).size - from;
      if (length > 0) {
        const { buffer } = await handle.read(Buffer.alloc(length), 0, length, from);
        parts.push(buffer.toString());
      }
    } finally {
      await handle.close();
    }
  }
  return parts.join('');
}

/** The size of a table, in bytes. */
export interface TableSize {
  name: string;
  rows: number;
  indexes: number;
}

export async function sizesOf(database: Database): Promise<TableSize[]> {
  const found = await database.query<{ name: string; rows: string; indexes: string }>(
    `SELECT relname AS name, pg_table_size(oid)::text AS rows, pg_indexes_size(oid)::text AS indexes
     FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY pg_total_relation_size(oid) DESC`,
  );
  return found.map(({ name, rows, indexes }) => ({ name, rows: Number(rows), indexes: Number(indexes) }));
}

/** How far the server has written its log. */
export async function logPosition(database: Database): Promise<string> {
  const [at] = await database.query<{ lsn: string }>('SELECT pg_current_wal_insert_lsn()::text AS lsn');
  return at?.lsn ?? '';
}

/** How many bytes the server has written to its log since then, for all databases. */
export async function logBytesSince(database: Database, position: string): Promise<number> {
  const [found] = await database.query<{ bytes: number }>(
    'SELECT (pg_current_wal_insert_lsn() - $1::pg_lsn)::float8 AS bytes',
    [position],
  );
  return found?.bytes ?? NaN;
}
