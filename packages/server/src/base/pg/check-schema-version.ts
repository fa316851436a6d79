/** Whether a running process still fits the schema, which a newer release may have migrated meanwhile. */
import { release } from '../release.ts';
import { missingIn, refuseIncompatible, refuseReplica } from './schema/compatibility.ts';
import { type Migration, migrationsDir, readMigrations } from './schema/migration-files.ts';
import { SchemaError } from './schema/schema-error.ts';
import { sql } from './sql.ts';
import type { Queryable } from './transactions.ts';

/** The number of the last migration of the database. */
export async function readSchemaVersion(db: Queryable): Promise<number> {
  const [row] = await db.query<{ version: number }>(
    sql`SELECT coalesce(max(version), 0)::int AS version FROM schema_migrations`,
  );
  return row?.version ?? 0;
}

let known: Promise<Migration[]> | undefined;

/**
 * Checks that this process may serve on the schema. One round trip.
 *
 * @throws SchemaError if the schema is older (D-644), or newer and not compatible, or its triggers do not fire
 */
export async function checkVersion(db: Queryable): Promise<void> {
  known ??= readMigrations(migrationsDir);
  const migrations = await known;
  const applied = await db.query<{
    version: number;
    checksum: string;
    compatible_from: string | null;
    replication_role: string;
  }>(
    sql`SELECT version, checksum, to_jsonb(m) ->> 'compatible_from' AS compatible_from,
        current_setting('session_replication_role') AS replication_role
      FROM schema_migrations m`,
  );
  refuseReplica(applied[0]?.replication_role);
  refuseIncompatible(applied, migrations, release);
  const missing = missingIn(applied, migrations).map(({ version }) => version);
  if (missing.length > 0) {
    throw new SchemaError(
      `The schema lacks migration(s) ${missing.join(', ')}, which this process needs: run "npx paydesk migrate".`,
    );
  }
}
