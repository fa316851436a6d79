/** Migrations of the database schema: applies the missing ones and checks the version. They only go forward. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { withConnection } from './driver/open-driver.ts';
import { renewGrants, schemaLock } from './grant-role.ts';
import type { Queryable } from './transactions.ts';
import { sql } from './sql.ts';

/** The directory of the packaged migrations. It is next to `src/` and next to `dist/`. */
export const migrationsDir = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', 'migrations');

interface Migration {
  version: number;
  name: string;
  text: string;
  checksum: string;
}

/** The database schema does not fit this build. The message is one sentence for the operator. */
export class SchemaError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SchemaError';
  }
}

async function readMigrations(dir: string): Promise<Migration[]> {
  const files = (await readdir(dir)).filter((name) => /^\d{4}_.+\.sql$/.test(name)).sort();
  return Promise.all(
    files.map(async (name) => {
      const text = await readFile(join(dir, name), 'utf8');
      const checksum = createHash('sha256').update(text).digest('hex');
      return { version: Number(name.slice(0, 4)), name, text, checksum };
    }),
  );
}

export interface MigrateOptions {
  dir?: string;
  /** Changes a migration's text before it runs. Tests use it to create partitioned tables. */
  transform?: (text: string) => string;
}

/**
 * Applies all missing migrations, each in its own transaction, and lets the service's roles use the new tables. A lock
 * makes other processes wait. If nothing is missing, it changes nothing, so a role that owns nothing may call it.
 *
 * @returns the versions that were applied
 * @throws SchemaError if the schema is newer than this build, an applied migration has changed, or this role may not
 *   apply the missing ones
 */
export async function migrate(url: string, options: MigrateOptions = {}): Promise<number[]> {
  const migrations = await readMigrations(options.dir ?? migrationsDir);
  return withConnection(url, async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [schemaLock]);
    const done = await appliedVersions(client);
    refuseUnknown(done, migrations);
    const missing = migrations.filter(({ version }) => !done.has(version));
    if (missing.length === 0) return [];
    await refuseForeignRole(client, missing.length);
    await client.query(`CREATE TABLE IF NOT EXISTS schema_migrations (
      version integer PRIMARY KEY, name text NOT NULL, checksum text NOT NULL, applied_at timestamptz NOT NULL)`);
    for (const migration of missing) await apply(client, migration, options.transform);
    await renewGrants(client);
    return missing.map(({ version }) => version);
  });
}

/** Refuses in a sentence what PostgreSQL would refuse somewhere in a migration. */
async function refuseForeignRole(client: pg.Client, missing: number): Promise<void> {
  const { rows } = await client.query<{ role: string; may: boolean }>(`
    SELECT current_user::text AS role, has_schema_privilege(current_schema(), 'CREATE') AND NOT EXISTS (
      SELECT FROM pg_class WHERE oid = to_regclass('schema_migrations') AND NOT pg_has_role(relowner, 'MEMBER')) AS may`);
  const [row] = rows;
  if (row?.may === true) return;
  throw new SchemaError(
    `The database lacks ${missing} migration(s), and the role "${row?.role ?? ''}" may not change its schema: run "npx paydesk migrate" with the DATABASE_URL of the owner first.`,
  );
}

/**
 * Checks that the database has exactly the migrations of this build. Changes nothing.
 *
 * @throws SchemaError if migrations are missing, unknown or changed
 */
export async function checkSchema(url: string, dir: string = migrationsDir): Promise<void> {
  const migrations = await readMigrations(dir);
  await withConnection(url, async (client) => {
    const done = await appliedVersions(client);
    refuseUnknown(done, migrations);
    const missing = migrations.filter(({ version }) => !done.has(version));
    if (missing.length > 0) {
      throw new SchemaError(
        `The database lacks ${missing.length} migration(s): run "npx paydesk migrate" first.`,
      );
    }
  });
}

/** The checksum of each applied migration, by its version. Empty if there is no schema yet. */
async function appliedVersions(client: pg.Client): Promise<Map<number, string>> {
  const { rows: found } = await client.query(`SELECT WHERE to_regclass('schema_migrations') IS NOT NULL`);
  if (found.length === 0) return new Map();
  const { rows } = await client.query<{ version: number; checksum: string }>(
    'SELECT version, checksum FROM schema_migrations',
  );
  return new Map(rows.map(({ version, checksum }) => [version, checksum]));
}

function refuseUnknown(done: Map<number, string>, migrations: Migration[]): void {
  const newest = Math.max(0, ...migrations.map(({ version }) => version));
  for (const [version, checksum] of done) {
    const known = migrations.find((migration) => migration.version === version);
    if (known === undefined) {
      throw new SchemaError(
        `The database schema is at version ${version}, which is newer than this Paydesk (${newest}): upgrade Paydesk.`,
      );
    }
    if (known.checksum !== checksum) {
      throw new SchemaError(
        `Migration ${known.name} was changed after it was applied: restore the original file.`,
      );
    }
  }
}

async function apply(
  client: pg.Client,
  migration: Migration,
  transform?: (text: string) => string,
): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query(`SET LOCAL lock_timeout = '10s'`);
    await client.query(transform === undefined ? migration.text : transform(migration.text));
    await client.query(
      'INSERT INTO schema_migrations (version, name, checksum, applied_at) VALUES ($1, $2, $3, now())',
      [migration.version, migration.name, migration.checksum],
    );
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}

let known: Promise<number> | undefined;

/**
 * Checks, in a running process, that the database still has the version of this build. Another process may have
 * migrated it. One round trip.
 *
 * @throws SchemaError if the version differs
 */
export async function checkVersion(db: Queryable): Promise<void> {
  known ??= readMigrations(migrationsDir).then((all) => Math.max(...all.map(({ version }) => version)));
  const [row] = await db.query<{ version: number }>(
    sql`SELECT max(version) AS version FROM schema_migrations`,
  );
  const version = await known;
  if (row?.version !== version) {
    throw new SchemaError(`The schema is at version ${row?.version ?? 0}; this process needs ${version}.`);
  }
}
