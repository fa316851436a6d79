/** Brings the schema of a database up to date, and checks that it fits this build. Migrations only go forward. */
import type pg from 'pg';
import { withConnection } from '../driver/open-driver.ts';
import { release } from '../../release.ts';
import { applyMigration, inPatientTransaction } from './apply.ts';
import {
  type Applied,
  missingIn,
  refuseChanged,
  refuseIncompatible,
  refuseReplica,
  unknownIn,
} from './compatibility.ts';
import { renewGrants } from './grant-role.ts';
import { type LockPatience, usualPatience } from './lock-patience.ts';
import { type Migration, migrationsDir, readMigrations } from './migration-files.ts';
import { SchemaError } from './schema-error.ts';
import { refuseStrayPath } from './search-path.ts';
import { withSchemaLock } from './schema-lock.ts';

/** What may differ from the usual build. */
export interface SchemaOptions {
  dir?: string;
  /** The release that will serve; by default the release of this build. */
  release?: string;
}

export interface MigrateOptions extends SchemaOptions {
  /** Changes a migration's text before it runs. Tests use it to create partitioned tables. */
  transform?: (text: string) => string;
  /** How long statements wait for locks. */
  patience?: Partial<Omit<LockPatience, 'say'>>;
  /** Gets a line about what takes time: a lock that is not free, an index that is built again. */
  say?: (line: string) => void;
}

/**
 * Applies all missing migrations in their order, and lets the service's roles use the new tables. Other processes wait
 * meanwhile. If nothing is missing, it changes nothing, so a role that owns nothing may call it.
 *
 * @returns the versions that were applied
 * @throws SchemaError if the schema is newer than this build and not compatible with it, an applied migration has
 *   changed, this role may not apply the missing ones, or a migration does not get a lock
 */
export async function migrate(url: string, options: MigrateOptions = {}): Promise<number[]> {
  const migrations = await readMigrations(options.dir ?? migrationsDir);
  const say = options.say ?? (() => undefined);
  const isComplete = await withConnection(url, async (client) => {
    const missing = await missingAndFit(client, migrations, options, say);
    if (missing.length > 0) {
      await refuseStrayPath(client, true);
      await refuseForeignRole(client, missing.length);
    }
    return missing.length === 0;
  });
  if (isComplete) return [];
  return withSchemaLock(url, say, (isHeld) =>
    withConnection(url, async (client) => {
      // Another process may have applied them while this one waited.
      const missing = await missingAndFit(client, migrations, options);
      const patience = { ...usualPatience, ...options.patience, say };
      await prepareTables(client, patience);
      for (const migration of missing) {
        await isHeld();
        const text = options.transform?.(migration.text) ?? migration.text;
        await applyMigration(client, { ...migration, text }, patience);
        // After each, so that a later one that fails leaves no table without rights.
        await renewGrants(client);
      }
      return missing.map(({ version }) => version);
    }),
  );
}

/**
 * Checks that this build may serve on the schema: it has every migration of this build, and each further one declares
 * itself compatible. Changes nothing.
 *
 * @throws SchemaError otherwise
 */
export async function checkSchema(client: pg.Client, options: SchemaOptions = {}): Promise<void> {
  const missing = await missingOn(client, options);
  if (missing.length > 0) {
    throw new SchemaError(
      `The database lacks ${missing.length} migration(s): run "npx paydesk migrate" first.`,
    );
  }
}

/**
 * The migrations that `migrate` would apply, in their order. Changes nothing.
 *
 * @throws SchemaError if this build may not serve on the schema even with them
 */
export async function missingMigrations(url: string, options: SchemaOptions = {}): Promise<Migration[]> {
  return withConnection(url, (client) => missingOn(client, options));
}

const missingOn = async (client: pg.Client, options: SchemaOptions): Promise<Migration[]> =>
  missingAndFit(client, await readMigrations(options.dir ?? migrationsDir), options);

/** The migrations that the database lacks. First refuses every problem that they cannot repair. */
async function missingAndFit(
  client: pg.Client,
  migrations: readonly Migration[],
  options: SchemaOptions,
  say?: (line: string) => void,
): Promise<Migration[]> {
  const { rows } = await client.query<{ session_replication_role: string }>('SHOW session_replication_role');
  refuseReplica(rows[0]?.session_replication_role);
  await refuseStrayPath(client, false);
  const applied = await appliedMigrations(client);
  refuseIncompatible(applied, migrations, options.release ?? release);
  refuseChanged(applied, migrations);
  const missing = missingIn(applied, migrations);
  const newer = unknownIn(applied, migrations).length;
  if (missing.length > 0 && newer > 0) {
    throw new SchemaError(
      `A newer Paydesk has migrated the database, which lacks ${missing.length} migration(s) of this one: run "npx paydesk migrate" of the newer release.`,
    );
  }
  if (newer > 0)
    say?.(`the schema has ${newer} migration(s) of a newer release, which this release may serve on`);
  return missing;
}

/** Empty if there is no schema yet. Builds before 0.2.0 made the table without `compatible_from`. */
async function appliedMigrations(client: pg.Client): Promise<Applied[]> {
  const { rows: found } = await client.query(`SELECT WHERE to_regclass('schema_migrations') IS NOT NULL`);
  if (found.length === 0) return [];
  const { rows } = await client.query<Applied>(
    `SELECT version, checksum, to_jsonb(m) ->> 'compatible_from' AS compatible_from
      FROM schema_migrations m ORDER BY version`,
  );
  return rows;
}

/** Refuses, with a clear sentence, a role that PostgreSQL would refuse in the middle of a migration. */
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
 * The runner's own tables: what was applied, and how far a migration in batches has come. A database of a build before
 * 0.2.0 gets what is missing; its rows count as rows of the first release.
 */
async function prepareTables(client: pg.Client, patience: LockPatience): Promise<void> {
  const { rows } = await client.query(`SELECT FROM pg_attribute
    WHERE attrelid = to_regclass('schema_migrations') AND attname = 'compatible_from'`);
  if (rows.length > 0) return;
  await inPatientTransaction(client, 'The table of migrations', patience, () =>
    client.query(`
      CREATE TABLE IF NOT EXISTS schema_migrations (
        version integer PRIMARY KEY, name text NOT NULL, checksum text NOT NULL, applied_at timestamptz NOT NULL);
      ALTER TABLE schema_migrations ADD COLUMN compatible_from text;
      UPDATE schema_migrations SET compatible_from = '0.1.0';
      CREATE TABLE schema_batches (version integer PRIMARY KEY, after_key text NOT NULL)`),
  );
}
