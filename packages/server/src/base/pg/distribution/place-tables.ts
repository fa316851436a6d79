/** Places tables on the nodes of a cluster, each in a separate transaction, so that an interrupted run can continue. */
import pg from 'pg';
import { inPatientTransaction } from '../schema/apply.ts';
import { usualPatience } from '../schema/lock-patience.ts';
import type { Placement } from './marks.ts';

/** What a line says of a table. */
export const lineOf = ({ table, mark, beside }: Placement): string =>
  `${table}: ${mark}${beside === null ? '' : `, beside ${beside}`}`;

/**
 * Places these tables, with their triggers. All nodes get the functions of the schema before.
 *
 * @param shards in how many parts the first table of a column is cut
 * @param say gets a line about each table when it is placed
 */
export async function placeTables(
  client: pg.Client,
  placements: readonly Placement[],
  { shards, say }: { shards: number; say: (line: string) => void },
): Promise<void> {
  if (placements.length === 0) return;
  const patience = { ...usualPatience, say };
  await placeFunctions(client);
  for (const placement of placements) {
    await inPatientTransaction(client, `Table ${placement.table}`, patience, () =>
      place(client, placement, shards),
    );
    say(lineOf(placement));
  }
}

async function place(client: pg.Client, { table, column, beside }: Placement, shards: number): Promise<void> {
  const name = pg.escapeIdentifier(table);
  if (column === null) {
    await client.query('SELECT create_reference_table($1)', [name]);
  } else if (beside === null) {
    await client.query(
      `SELECT create_distributed_table($1, $2, colocate_with => 'none', shard_count => $3)`,
      [...[name, column, shards]],
    );
  } else {
    const other = pg.escapeIdentifier(beside);
    await client.query('SELECT create_distributed_table($1, $2, colocate_with => $3)', [name, column, other]);
  }
}

/** The functions of the schema that other nodes may lack: those that were there before the engine. */
async function placeFunctions(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT p.oid::regprocedure::text AS name FROM pg_proc p
      WHERE p.pronamespace = (SELECT relnamespace FROM pg_class WHERE oid = to_regclass('schema_migrations'))
        AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
        AND NOT EXISTS (SELECT FROM pg_dist_object o WHERE o.classid = 'pg_proc'::regclass AND o.objid = p.oid)
      ORDER BY 1`,
  );
  for (const { name } of rows) await client.query('SELECT create_distributed_function($1)', [name]);
}
