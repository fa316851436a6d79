import type pg from 'pg';
import { SchemaError } from '../schema/schema-error.ts';
import { addressOf, hasEngine, readNodes } from './engine.ts';

/**
 * Refuses another node of a cluster than its coordinator. Rows that are written through another node have the numbers of its transactions: seals and checks may miss them
 * (D-621).
 *
 * @throws SchemaError that names the coordinator’s address
 */
export async function demandCoordinator(client: pg.Client): Promise<void> {
  if (!(await hasEngine(client))) return;
  const { rows: elsewhere } = await client.query('SELECT FROM pg_dist_local_group WHERE groupid <> 0');
  if (elsewhere.length === 0) return;
  const coordinator = (await readNodes(client)).find(({ group }) => group === 0);
  throw new SchemaError(
    `This server is not the coordinator of its cluster${coordinator === undefined ? '' : `, which is ${addressOf(coordinator)}`}: connect to the coordinator.`,
  );
}
