/** The database of a process that serves: opened, migrated, and reached under a role that owns nothing. */
import { checkSchema, grantRole, migrate, probePooler } from '../base/pg/index.ts';
import type { Embedded } from '../embedded/open-embedded.ts';

/**
 * Migrates the database, or only checks its schema. The embedded database is migrated by its owner; the service's own
 * role then gets its rights.
 *
 * @param embedded null: the database of `database_url` is used, under the role of that address
 * @param say gets a line about each delay of the migrations
 * @returns the address for the service
 * @throws SchemaError if this build may not serve on the schema
 */
export async function prepareDatabase(
  embedded: Embedded | null,
  database_url: string | null,
  { migrates, say }: { migrates: boolean; say: (line: string) => void },
): Promise<string> {
  const url = embedded?.url ?? database_url ?? '';
  if (embedded === null) await probePooler(url);
  if (migrates) await migrate(url, { say });
  else await checkSchema(url);
  if (embedded === null) return url;
  await grantRole(embedded.url, embedded.service_role);
  return embedded.service_url;
}
