/** Whether the schema of a database fits a build: pure rules over what was applied and what the build knows. */
import { isOlder, isRelease } from '../../release.ts';
import type { Migration } from './migration-files.ts';
import { SchemaError } from './schema-error.ts';

/** A migration that a database has applied. */
export interface Applied {
  version: number;
  checksum: string;
  compatible_from: string | null;
}

/** The migrations that the database lacks, in their order. One that landed late may be older than the newest applied. */
export const missingIn = (applied: readonly Applied[], migrations: readonly Migration[]): Migration[] =>
  migrations.filter(({ version }) => !applied.some((one) => one.version === version));

/** The applied migrations that this build does not know: a newer release has migrated the database. */
export const unknownIn = (applied: readonly Applied[], migrations: readonly Migration[]): Applied[] =>
  applied.filter(({ version }) => !migrations.some((one) => one.version === version));

/**
 * Refuses a schema on which a release may not serve: a newer one that does not declare itself compatible.
 *
 * @throws SchemaError
 */
export function refuseIncompatible(
  applied: readonly Applied[],
  migrations: readonly Migration[],
  release: string,
): void {
  for (const { version, compatible_from } of unknownIn(applied, migrations)) {
    const newest = Math.max(0, ...migrations.map((migration) => migration.version));
    const is = `The database schema is at version ${version}, which is newer than this Paydesk (${newest})`;
    if (compatible_from === null || !isRelease(compatible_from))
      throw new SchemaError(`${is}: upgrade Paydesk.`);
    if (isOlder(release, compatible_from)) {
      throw new SchemaError(
        `${is} and works with release ${compatible_from} or newer, not with ${release}: upgrade Paydesk.`,
      );
    }
  }
}

/**
 * Refuses a database to which another text of a migration was applied.
 *
 * @throws SchemaError
 */
export function refuseChanged(applied: readonly Applied[], migrations: readonly Migration[]): void {
  for (const { version, checksum } of applied) {
    const known = migrations.find((migration) => migration.version === version);
    if (known === undefined || [known.checksum, known.recorded_checksum].includes(checksum)) continue;
    throw new SchemaError(
      `Migration ${known.name} was changed after it was applied: the database has the checksum ${short(checksum)}, this Paydesk ${short(known.checksum)}. Restore the original file, or use the release that applied it.`,
    );
  }
}

/**
 * Refuses a database whose triggers do not fire: seals and sums would miss what is written, and rows could be changed that must
 * not be (D-661).
 *
 * @throws SchemaError
 */
export function refuseReplica(session_replication_role: string | undefined): void {
  if (session_replication_role !== 'replica') return;
  throw new SchemaError(
    'session_replication_role is "replica" for this database or role, so no trigger fires: reset it with ALTER DATABASE or ALTER ROLE.',
  );
}

const short = (checksum: string): string => checksum.slice(0, 12);
