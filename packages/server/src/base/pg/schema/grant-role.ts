/**
 * The database role of the service: it may read and write rows, and owns nothing. It cannot change the schema, switch
 * off a trigger, or change a row of an append-only table.
 */
import pg from 'pg';
import { withConnection } from '../driver/open-driver.ts';
import { beginCommitted } from '../driver/session-limits.ts';
import { RoleError } from './role-error.ts';
import { schemaLock } from './schema-lock.ts';
import { refuseStrayPath } from './search-path.ts';

/**
 * Gives a role what the service needs at run time, and takes from it what the service does not need. Creates the role if
 * it is missing, without a password. A repeated call has no further effect.
 *
 * @param url the address of the owner of the tables
 * @returns whether the role was created
 * @throws RoleError if the role owns tables, may do everything, or is a member of the owner
 */
export const grantRole = (url: string, role: string): Promise<boolean> =>
  withConnection(url, (client) =>
    inTransaction(client, async () => {
      await client.query('SELECT pg_advisory_xact_lock($1)', [schemaLock]);
      await refuseStrayPath(client, false);
      const created = await createIfMissing(client, role);
      await refuseMighty(client, role);
      // Partitions that were added since the last migration lack the trigger against TRUNCATE.
      await client.query('SELECT protect_partitions()');
      await grantTables(client, role);
      return created;
    }),
  );

/**
 * Repeats the grants of the service's roles, for tables that a migration has created. Call it as the owner. A service's
 * role is known by its right to write the audit log. A role that only reads, such as that of a backup, gets nothing.
 */
export async function renewGrants(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ role: string }>(`
    SELECT DISTINCT r.rolname::text AS role
    FROM pg_class c CROSS JOIN LATERAL aclexplode(c.relacl) AS acl JOIN pg_roles r ON r.oid = acl.grantee
    WHERE c.oid = to_regclass('audit_log') AND acl.privilege_type = 'INSERT' AND acl.grantee <> c.relowner`);
  for (const { role } of rows) await inTransaction(client, () => grantTables(client, role));
}

/** The tables on which the role of this address lacks a right that `grantRole` gives. */
export const tablesWithoutRights = (url: string): Promise<string[]> =>
  withConnection(url, async (client) => {
    // Partitions are reached through their table, which has the rights.
    const { rows } = await client.query<{ table: string }>(`
      SELECT t."table" FROM (${serviceTables}) t WHERE NOT t.is_partition AND EXISTS (
        SELECT FROM unnest(string_to_array(t.rights, ', ')) one WHERE NOT has_table_privilege(t.oid, one))`);
    return rows.map(({ table }) => table);
  });

/** Whether the role of this address owns the tables, so that nothing that it does can be refused to it. */
export const ownsTables = (url: string): Promise<boolean> =>
  withConnection(url, async (client) => {
    const { rows } = await client.query<{ owns: boolean }>(
      `SELECT pg_has_role(relowner, 'MEMBER') AS owns FROM pg_class WHERE oid = to_regclass('schema_migrations')`,
    );
    return rows[0]?.owns === true;
  });

async function inTransaction<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  await client.query(beginCommitted);
  try {
    const result = await work();
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}

/** The schema of the tables. It need not be the one in which this role would make new ones. */
const home = `(SELECT relnamespace FROM pg_class WHERE oid = 'schema_migrations'::regclass)`;

/** PostgreSQL's code for a statement that the role may not run. */
const forbidden = '42501';

async function createIfMissing(client: pg.Client, role: string): Promise<boolean> {
  const known = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [role]);
  if (known.rowCount !== 0) return false;
  try {
    await client.query(`CREATE ROLE ${pg.escapeIdentifier(role)} LOGIN`);
  } catch (error) {
    if ((error as { code?: string }).code !== forbidden) throw error;
    throw new RoleError(
      `There is no role "${role}", and the role of DATABASE_URL may not create it: let an administrator of the database run CREATE ROLE ${pg.escapeIdentifier(role)} LOGIN.`,
    );
  }
  return true;
}

async function refuseMighty(client: pg.Client, role: string): Promise<void> {
  const { rows } = await client.query<{ is_super: boolean; is_owner: boolean; is_mine: boolean }>(
    `SELECT r.rolsuper AS is_super,
      EXISTS (SELECT FROM pg_class c WHERE c.relnamespace = ${home}
        AND pg_has_role(r.oid, c.relowner, 'MEMBER')) AS is_owner,
      pg_has_role((SELECT relowner FROM pg_class WHERE oid = 'schema_migrations'::regclass), 'MEMBER') AS is_mine
    FROM pg_roles r WHERE r.rolname = $1`,
    [role],
  );
  const [row] = rows;
  if (row?.is_super === true) {
    throw new RoleError(`The role "${role}" is a superuser, which no grant limits: name another role.`);
  }
  if (row?.is_owner === true) {
    throw new RoleError(`The role "${role}" owns tables, or is a member of their owner: name another role.`);
  }
  if (row?.is_mine !== true) {
    throw new RoleError(
      'The role of DATABASE_URL does not own the tables: run this command with the address of their owner.',
    );
  }
}

/** The tables of the owner of the schema, each with the rights that the service needs on it. */
const serviceTables = `
    SELECT c.oid, c.relispartition AS is_partition, quote_ident(n.nspname) AS schema,
      format('%I.%I', n.nspname, c.relname) AS table,
      CASE WHEN c.relkind = 'v' OR c.relname IN ('schema_migrations', 'schema_batches') THEN 'SELECT'
        WHEN EXISTS (SELECT FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
          WHERE t.tgrelid = c.oid AND p.proname = 'refuse_change') THEN 'SELECT, INSERT'
        ELSE 'SELECT, INSERT, UPDATE, DELETE' END AS rights
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p', 'v') AND c.relnamespace = ${home}
      AND c.relowner = (SELECT relowner FROM pg_class WHERE oid = 'schema_migrations'::regclass)
    ORDER BY c.relname`;

async function grantTables(client: pg.Client, role: string): Promise<void> {
  const name = pg.escapeIdentifier(role);
  const { rows } = await client.query<{ schema: string; table: string; rights: string }>(serviceTables);
  const [first] = rows;
  if (first === undefined) return;
  await grantUsage(client, role, first.schema);
  for (const { table, rights } of rows) {
    await client.query(`REVOKE ALL ON ${table} FROM ${name}`);
    await client.query(`GRANT ${rights} ON ${table} TO ${name}`);
  }
}

/** Lets the role connect and find the tables, where a database does not let every role do so. */
async function grantUsage(client: pg.Client, role: string, schema: string): Promise<void> {
  const name = pg.escapeIdentifier(role);
  const { rows } = await client.query<{ database: string; connects: boolean; finds: boolean }>(
    `SELECT quote_ident(current_database()) AS database,
      has_database_privilege($1, current_database(), 'CONNECT') AS connects,
      has_schema_privilege($1, ${home}, 'USAGE') AS finds`,
    [role],
  );
  const [row] = rows;
  if (row?.connects === false) await client.query(`GRANT CONNECT ON DATABASE ${row.database} TO ${name}`);
  if (row?.finds === false) await client.query(`GRANT USAGE ON SCHEMA ${schema} TO ${name}`);
}
