/** Copies of distributed tables on the server that is asked, for questions that an engine cannot put to its shards. */
import { raw, sql } from './sql.ts';
import { settledCommits } from './settled-commits.ts';
import type { Tx } from './transactions.ts';

/**
 * Copies every distributed table to the server that runs the transaction. Until the transaction ends, the names of
 * tables and views mean the copies. The server needs disk space for all rows. Does nothing on a database of one server.
 */
export async function copyDistributed(tx: Tx): Promise<void> {
  if (tx.isDistributed !== true) return;
  const tables = await tx.query<{ name: string; whole: string }>(
    sql`SELECT quote_ident(c.relname) AS name, c.oid::regclass::text AS whole
      FROM pg_dist_partition p JOIN pg_class c ON c.oid = p.logicalrelid WHERE p.partmethod = 'h' ORDER BY 1`,
  );
  // The snapshot is taken: what it shows on the coordinator is awaited on the others.
  if (!(await settledCommits(tx))) {
    throw new Error(
      'A transaction is prepared on some server and not finished: run SELECT recover_prepared_transactions() on the coordinator.',
    );
  }
  // Read before, while the names in it still mean the distributed tables.
  const views = await tx.query<{ name: string; definition: string }>(
    sql`SELECT quote_ident(c.relname) AS name, pg_get_viewdef(c.oid) AS definition FROM pg_class c
      WHERE c.relkind = 'v' AND c.relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = to_regclass('schema_migrations'))
        AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')`,
  );
  await tx.query(sql`SET LOCAL citus.enable_ddl_propagation = off`);
  for (const { name, whole } of tables) {
    await tx.query(sql`CREATE TEMP TABLE ${raw(name)} ON COMMIT DROP AS SELECT * FROM ${raw(whole)}`);
    await tx.query(sql`ANALYZE ${raw(`pg_temp.${name}`)}`);
  }
  for (const { name, definition } of views) {
    await tx.query(sql`CREATE TEMP VIEW ${raw(name)} AS ${raw(definition)}`);
  }
}
