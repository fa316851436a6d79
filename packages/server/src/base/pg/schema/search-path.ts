/** Whether the search_path of a database or a role leads to the tables of the service, and to no others (D-680). */
import type pg from 'pg';
import { withConnection } from '../driver/open-driver.ts';
import { SchemaError } from './schema-error.ts';

/** Where names without a schema lead. */
interface Paths {
  search_path: string;
  role: string;
  /** The schema in which new tables are made; null without one. */
  makes_in: string | null;
  /** The schema of the table of migrations; null if it is not found. */
  found_in: string | null;
  /** A schema with tables of a Paydesk that are not found. */
  hidden_in: string | null;
  /** Whether the role may look into that schema. */
  may_use: boolean;
  /** A table beside the table of migrations that is not found, because another one of its name comes first. */
  shadowed: string | null;
}

const question = `
  WITH home AS (SELECT relnamespace FROM pg_class WHERE oid = to_regclass('schema_migrations')),
  hidden AS (
    SELECT relnamespace FROM pg_class
    WHERE relname = 'collection_orders' AND relkind IN ('r', 'p') AND NOT pg_table_is_visible(oid) LIMIT 1)
  SELECT current_setting('search_path') AS search_path, current_user::text AS role, current_schema()::text AS makes_in,
    (SELECT relnamespace::regnamespace::text FROM home) AS found_in,
    (SELECT relnamespace::regnamespace::text FROM hidden) AS hidden_in,
    (SELECT has_schema_privilege(relnamespace, 'USAGE') FROM hidden) AS may_use,
    (SELECT min(relnamespace::regnamespace || '.' || relname) FROM pg_class
      WHERE relnamespace = (SELECT relnamespace FROM home) AND relkind IN ('r', 'p') AND NOT relispartition
        AND NOT pg_table_is_visible(oid)) AS shadowed`;

/**
 * Refuses a search_path that hides tables of the service: a migrated database would look empty, or other tables would be
 * read and written.
 *
 * @param will_create whether tables will be made, which must come into the schema of the others
 * @throws SchemaError
 */
export async function refuseStrayPath(client: pg.Client, will_create: boolean): Promise<void> {
  const { rows } = await client.query<Paths>(question);
  const problem = rows[0] === undefined ? null : problemOf(rows[0], will_create);
  if (problem !== null) throw new SchemaError(problem);
}

/** The same, over a connection of its own. */
export const checkSearchPath = (url: string): Promise<void> =>
  withConnection(url, (client) => refuseStrayPath(client, false));

function problemOf(paths: Paths, will_create: boolean): string | null {
  const { search_path, role, makes_in, found_in, hidden_in, may_use, shadowed } = paths;
  const path = `The search_path of the role "${role}" is ${search_path === '' ? 'empty' : `'${search_path}'`}`;
  const advice = 'change it with ALTER ROLE or ALTER DATABASE';
  if (found_in === null && hidden_in !== null) {
    return may_use
      ? `${path}, which does not lead to the tables of Paydesk in the schema ${hidden_in}: ${advice}.`
      : `The role "${role}" may not use the schema ${hidden_in} with the tables of Paydesk: run "npx paydesk grant-role ${role}" as the owner.`;
  }
  if (shadowed !== null) {
    return `${path}, in which another table comes before ${shadowed}: ${advice}.`;
  }
  if (!will_create) return null;
  if (makes_in === null) return `${path}, which names no schema that exists: ${advice}.`;
  if (found_in === null || found_in === makes_in) return null;
  return `${path}, so new tables would come into the schema ${makes_in}, and those of Paydesk are in ${found_in}: ${advice}.`;
}
