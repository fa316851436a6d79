/** Shows operators the state of a cluster, and moves a large merchant to its own server. */
import type pg from 'pg';
import { withConnection } from '../driver/open-driver.ts';
import { SchemaError } from '../schema/schema-error.ts';
import {
  addressOf,
  type ClusterNode,
  copiesLive,
  hasEngine,
  hindrancesOf,
  readEngine,
  readNodes,
  readTables,
} from './engine.ts';

export interface ClusterView {
  nodes: (ClusterNode & { shards: number; bytes: bigint })[];
  /** The largest table of merchants, and the merchants with the most rows in it. */
  largest: { table: string; merchants: { merchant_id: string; rows: bigint; node: string }[] } | null;
}

/**
 * @param most how many merchants to name
 * @throws SchemaError if nothing is distributed
 */
export const readCluster = (url: string, most: number): Promise<ClusterView> =>
  withConnection(url, async (client) => {
    await demandDistributed(client);
    const { rows: filled } = await client.query<{ node: string; shards: number; bytes: string }>(
      `SELECT nodename || ':' || nodeport AS node, count(*)::int AS shards, sum(shard_size)::text AS bytes
        FROM citus_shards GROUP BY 1`,
    );
    const nodes = (await readNodes(client)).map((node) => {
      const one = filled.find((other) => other.node === addressOf(node));
      return { ...node, shards: one?.shards ?? 0, bytes: BigInt(one?.bytes ?? 0) };
    });
    return { nodes, largest: await readLargest(client, most) };
  });

async function demandDistributed(client: pg.Client): Promise<void> {
  const tables = (await hasEngine(client)) ? await readTables(client) : [];
  if (tables.some(({ placed }) => placed === 'by merchant_id')) return;
  throw new SchemaError('This database is not distributed: run "npx paydesk distribute" first.');
}

async function readLargest(client: pg.Client, most: number): Promise<ClusterView['largest']> {
  const { rows: tables } = await client.query<{ table: string }>(
    `SELECT logicalrelid::text AS table FROM pg_dist_partition
      WHERE partmethod = 'h' AND column_to_column_name(logicalrelid, partkey) = 'merchant_id'
      ORDER BY citus_total_relation_size(logicalrelid) DESC, 1 LIMIT 1`,
  );
  const [largest] = tables;
  if (largest === undefined) return null;
  const { table } = largest;
  const { rows } = await client.query<{ merchant_id: string; rows: string }>(
    `SELECT merchant_id::text, count(*)::text AS rows FROM ${table} GROUP BY merchant_id
      ORDER BY count(*) DESC, merchant_id LIMIT $1`,
    [most],
  );
  const merchants = [];
  for (const one of rows) {
    const { node } = await findShard(client, table, one.merchant_id);
    merchants.push({ merchant_id: one.merchant_id, rows: BigInt(one.rows), node });
  }
  return { table, merchants };
}

/** The shard of a merchant. */
interface Shard {
  shard_id: string;
  node: string;
  /** Whether it has the rows of this merchant alone, as far as hashes can tell. */
  alone: boolean;
}

async function findShard(client: pg.Client, table: string, merchant_id: string): Promise<Shard> {
  const { rows } = await client.query<Shard>(
    `SELECT s.shardid::text AS shard_id, p.nodename || ':' || p.nodeport AS node,
        s.shardminvalue = s.shardmaxvalue AS alone
      FROM pg_dist_shard s JOIN pg_dist_shard_placement p USING (shardid)
      WHERE s.shardid = get_shard_id_for_distribution_column($1, $2::uuid)`,
    [table, merchant_id],
  );
  const [shard] = rows;
  if (shard === undefined) throw new SchemaError(`The merchant ${merchant_id} has no shard.`);
  return shard;
}

/**
 * Gives a merchant separate shards, and moves them to a node. If the servers have `wal_level = logical`, requests of
 * the merchant continue meanwhile; otherwise its writes wait.
 *
 * @param to the address of the node; null: the one with the fewest bytes
 * @param say gets one line for each step
 * @throws SchemaError if nothing is distributed, there is no such node, or the settings of a node forbid it
 */
export async function moveMerchant(
  url: string,
  { merchant_id, to }: { merchant_id: string; to: string | null },
  say: (line: string) => void,
): Promise<void> {
  const { nodes } = await readCluster(url, 0);
  await withConnection(url, async (client) => {
    let shard = await findShard(client, 'merchants', merchant_id);
    const target = targetOf(nodes, to, shard.node);
    const mode = await transferMode(client, say);
    if (!shard.alone) {
      await rearrange(
        client,
        `SELECT isolate_tenant_to_new_shard('merchants', $1::uuid, 'CASCADE', shard_transfer_mode => $2)`,
        [merchant_id, mode],
      );
      shard = await findShard(client, 'merchants', merchant_id);
      say(`The merchant ${merchant_id} has separate shards now.`);
    }
    if (addressOf(target) === shard.node) {
      say(`They lie on ${shard.node}.`);
      return;
    }
    const split = shard.node.lastIndexOf(':');
    await rearrange(client, 'SELECT citus_move_shard_placement($1, $2, $3, $4, $5, $6)', [
      ...[shard.shard_id, shard.node.slice(0, split), Number(shard.node.slice(split + 1))],
      ...[target.host, target.port, mode],
    ]);
    say(`They moved from ${shard.node} to ${addressOf(target)}.`);
  });
}

/** The engine refuses two at once. The server goes on with that of a command that was killed (D-1398). */
async function rearrange(client: pg.Client, statement: string, values: unknown[]): Promise<void> {
  await client.query(statement, values).catch((error: unknown) => {
    if (!(error as Error).message.startsWith('could not acquire the lock required to')) throw error;
    throw new SchemaError(
      'These shards are being moved, by another command or by one that was killed: run this again when that has ended.',
    );
  });
}

function targetOf(nodes: ClusterView['nodes'], to: string | null, from: string): ClusterNode {
  const able = nodes.filter(({ active, holds_shards }) => active && holds_shards);
  const others = able.filter((node) => addressOf(node) !== from).sort((a, b) => Number(a.bytes - b.bytes));
  const target = to === null ? (others[0] ?? able[0]) : able.find((node) => addressOf(node) === to);
  if (target !== undefined) return target;
  throw new SchemaError(
    `There is no node ${to ?? ''} for merchants: use one of ${able.map(addressOf).join(', ')}.`,
  );
}

/**
 * How rows are copied: while they change, or, where the servers do not allow that, while writes wait. Refuses to begin where
 * the copy could not end (D-426).
 */
async function transferMode(client: pg.Client, say: (line: string) => void): Promise<string> {
  const engine = await readEngine(client);
  if (engine === null) return 'block_writes';
  const hindrances = hindrancesOf(engine);
  if (!copiesLive(engine)) {
    hindrances.forEach(say);
    return 'block_writes';
  }
  if (hindrances.length > 0) throw new SchemaError(hindrances.join('\n'));
  return 'force_logical';
}
