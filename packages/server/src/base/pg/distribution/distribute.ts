/**
 * Distributes the tables of a database over the nodes of its cluster, and keeps later migrations from leaving half
 * (D-336).
 */
import type pg from 'pg';
import { withConnection } from '../driver/open-driver.ts';
import { checkSchema, migrate, type MigrateOptions, type SchemaOptions } from '../schema/migrate.ts';
import { SchemaError } from '../schema/schema-error.ts';
import { withSchemaLock } from '../schema/schema-lock.ts';
import { demandCoordinator } from './demand-coordinator.ts';
import { hasEngine, hindrancesOf, problemsOf, readEngine, readTables } from './engine.ts';
import { isBegun, type Placement, placementsOf } from './marks.ts';
import { placeTables } from './place-tables.ts';

export interface DistributeOptions {
  /** In how many parts the merchants are cut. It counts only the first time. */
  shards: number;
  /** Gets a line about each table when it is placed. */
  say: (line: string) => void;
}

/**
 * Distributes all tables that are not distributed yet, rows included. Nothing may write meanwhile, so it refuses while
 * processes of the service are connected. A run that was interrupted is completed by the next.
 *
 * @returns how many tables were placed
 * @throws SchemaError if the cluster is not ready, a process is connected, or the schema does not fit this build
 */
export async function distribute(url: string, { shards, say }: DistributeOptions): Promise<number> {
  await withConnection(url, checkSchema);
  return withSchemaLock(url, say, (isHeld) =>
    withConnection(url, async (client) => {
      const placements = await placementsLeft(client, say);
      await refuseConnected(client);
      await isHeld();
      await placeTables(client, placements, { shards, say });
      return placements.length;
    }),
  );
}

/**
 * What `distribute` would do. Changes nothing.
 *
 * @param say gets a line about each problem that keeps merchants from moving
 * @throws SchemaError if the cluster is not ready
 */
export const plannedPlacements = (url: string, say: (line: string) => void): Promise<Placement[]> =>
  withConnection(url, (client) => placementsLeft(client, say));

async function placementsLeft(
  client: pg.Client,
  say: (line: string) => void = () => undefined,
): Promise<Placement[]> {
  const engine = await readEngine(client);
  const problems = problemsOf(engine);
  if (problems.length > 0) throw new SchemaError(problems.join('\n'));
  for (const line of engine === null ? [] : hindrancesOf(engine)) say(`For later: ${line}`);
  return placementsOf(await readTables(client));
}

/** A process that writes while its tables are copied would lose what it writes. */
async function refuseConnected(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ process: string }>(
    `SELECT DISTINCT application_name AS process FROM pg_stat_activity
      WHERE datname = current_database() AND application_name IN ('paydesk all', 'paydesk web', 'paydesk worker')`,
  );
  if (rows.length === 0) return;
  throw new SchemaError(
    `Processes of the service are connected (${rows.map(({ process }) => process).join(', ')}): stop them first.`,
  );
}

/**
 * As `migrate` of the schema. On a distributed database the new tables are placed as well; it refuses another node's
 * address (D-621).
 */
export async function migrateAndPlace(url: string, options: MigrateOptions = {}): Promise<number[]> {
  const isCluster = await withConnection(url, async (client) => {
    await demandCoordinator(client);
    return hasEngine(client);
  });
  const applied = await migrate(url, options);
  const say = options.say ?? (() => undefined);
  if (isCluster && (await withConnection(url, unplaced)) > 0) {
    await withSchemaLock(url, say, () =>
      // The others of its column tell the number of shards.
      withConnection(url, async (client) => {
        await placeTables(client, await placementsLeft(client), { shards: usualShards, say });
      }),
    );
  }
  return applied;
}

/** Enough for 32 workers with a shard each, and few enough for the work that asks all shards. */
export const usualShards = 32;

/**
 * As `checkSchema` of the schema. It also refuses a database of which only a part is distributed, and another node's
 * address (D-621).
 */
export async function checkPlacedSchema(url: string, options: SchemaOptions = {}): Promise<void> {
  const left = await withConnection(url, async (client) => {
    await demandCoordinator(client);
    await checkSchema(client, options);
    return unplaced(client);
  });
  if (left > 0) {
    throw new SchemaError(
      `${left} table(s) of this distributed database lie on the coordinator alone: run "npx paydesk distribute" first.`,
    );
  }
}

/** How many tables are not distributed, if others are. */
async function unplaced(client: pg.Client): Promise<number> {
  if (!(await hasEngine(client))) return 0;
  const tables = await readTables(client);
  return isBegun(tables) ? placementsOf(tables).length : 0;
}
