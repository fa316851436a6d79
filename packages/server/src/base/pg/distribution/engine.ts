/** The engine that distributes tables (Citus): whether it is there, its nodes, and what they lack. */
import type pg from 'pg';
import type { MarkedTable } from './marks.ts';

/** One server of the cluster. */
export interface ClusterNode {
  host: string;
  port: number;
  /** 0 is the coordinator. */
  group: number;
  active: boolean;
  /** Whether it may have the rows of merchants. */
  holds_shards: boolean;
}

export interface Engine {
  version: string;
  nodes: ClusterNode[];
  /** The settings of each node that answers, by its address. */
  limits: NodeSettings[];
  /** Tables of merchants and people whose rows cannot be told apart by a key: they cannot change while they move. */
  without_key: string[];
}

/** What a node is set to. */
export interface NodeSettings {
  node: string;
  /** `max_prepared_transactions` and `max_connections`. */
  prepared: number;
  connections: number;
  wal_level: string;
  /** `output_plugin_libraries`; null where PostgreSQL does not have this setting. */
  plugins: string | null;
}

/** The oldest version that Paydesk was tested with is 13.2; the calls that it uses exist since version 12. */
const oldestVersion = 12;

export const addressOf = ({ host, port }: Pick<ClusterNode, 'host' | 'port'>): string => `${host}:${port}`;

/** Whether the database has the engine. */
export async function hasEngine(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(`SELECT FROM pg_extension WHERE extname = 'citus'`);
  return rows.length > 0;
}

/** The nodes of a database that has the engine. */
export async function readNodes(client: pg.Client): Promise<ClusterNode[]> {
  const { rows } = await client.query<ClusterNode>(
    `SELECT nodename AS host, nodeport AS port, groupid AS group, isactive AS active,
      shouldhaveshards AS holds_shards FROM pg_dist_node WHERE noderole = 'primary' ORDER BY groupid`,
  );
  return rows;
}

/** The engine of a database, or null without one. */
export async function readEngine(client: pg.Client): Promise<Engine | null> {
  if (!(await hasEngine(client))) return null;
  const { rows: versions } = await client.query<{ version: string }>(
    `SELECT extversion AS version FROM pg_extension WHERE extname = 'citus'`,
  );
  const nodes = await readNodes(client);
  const { rows } = await client.query<NodeSettings>(
    `SELECT n.nodename || ':' || n.nodeport AS node, (s ->> 'prepared')::int AS prepared,
        (s ->> 'connections')::int AS connections, s ->> 'wal_level' AS wal_level, s ->> 'plugins' AS plugins
      FROM (SELECT nodeid, result::json AS s FROM run_command_on_all_nodes(
          $$SELECT json_build_object('prepared', current_setting('max_prepared_transactions'),
            'connections', current_setting('max_connections'), 'wal_level', current_setting('wal_level'),
            'plugins', current_setting('output_plugin_libraries', true))$$) WHERE success) answered
        JOIN pg_dist_node n USING (nodeid)`,
  );
  const { rows: keyless } = await client.query<{ table: string }>(
    `SELECT c.relname::text AS table FROM pg_class c
      WHERE c.relkind = 'r' AND obj_description(c.oid, 'pg_class') IN ('by merchant_id', 'by user_id')
        AND c.relreplident <> 'f'
        AND NOT EXISTS (SELECT FROM pg_index i WHERE i.indrelid = c.oid AND (i.indisprimary OR i.indisreplident))
      ORDER BY 1`,
  );
  return {
    version: versions[0]?.version ?? '',
    nodes,
    limits: rows,
    without_key: keyless.map(({ table }) => table),
  };
}

/** The decoders with which the engine copies rows that change meanwhile. */
const decoders = ['citus', 'pgoutput'];

/** Whether the engine can copy rows of a merchant that change meanwhile, as far as `wal_level` tells. */
export const copiesLive = ({ limits }: Pick<Engine, 'limits'>): boolean =>
  limits.every(({ wal_level }) => wal_level === 'logical');

/** What keeps merchants from moving to another node while their requests continue, each in a sentence (D-426). */
export function hindrancesOf({ limits, without_key }: Pick<Engine, 'limits' | 'without_key'>): string[] {
  const ofNodes = limits.flatMap(({ node, wal_level, plugins }) => {
    if (wal_level !== 'logical') {
      return [
        `wal_level of ${node} is ${wal_level}: set it to logical, or a merchant's writes wait while it moves.`,
      ];
    }
    const allowed = plugins?.split(',').map((name) => name.trim());
    const lacking = allowed === undefined ? [] : decoders.filter((name) => !allowed.includes(name));
    if (lacking.length === 0) return [];
    return [
      `output_plugin_libraries of ${node} lacks ${lacking.join(' and ')}: set it to 'citus, pgoutput', or no merchant can move.`,
    ];
  });
  return [
    ...ofNodes,
    ...without_key.map(
      (table) => `The table ${table} has no primary key: its rows cannot change while they move.`,
    ),
  ];
}

/** What keeps tables from being distributed, each in a sentence. */
export function problemsOf(engine: Engine | null): string[] {
  if (engine === null) {
    return [
      'This database has no Citus: run CREATE EXTENSION citus on every node, then citus_add_node for each worker.',
    ];
  }
  const { version, nodes, limits } = engine;
  const problems: string[] = [];
  if (!(Number.parseInt(version, 10) >= oldestVersion)) {
    problems.push(`Citus ${version} is too old: use ${oldestVersion} or later.`);
  }
  if (!nodes.some(({ group }) => group === 0)) {
    problems.push(
      'The coordinator does not know its own address: run SELECT citus_set_coordinator_host(HOST, PORT).',
    );
  }
  if (!nodes.some(({ group, holds_shards }) => group !== 0 && holds_shards)) {
    problems.push('There is no worker: run SELECT citus_add_node(HOST, PORT) for each.');
  }
  for (const node of nodes.filter(({ active }) => !active)) {
    problems.push(`The node ${addressOf(node)} is not active: run SELECT citus_activate_node(HOST, PORT).`);
  }
  for (const node of nodes) {
    const limit = limits.find((one) => one.node === addressOf(node));
    if (limit === undefined) problems.push(`The node ${addressOf(node)} does not answer.`);
    else if (limit.prepared < limit.connections) {
      problems.push(
        `max_prepared_transactions of ${limit.node} is ${limit.prepared}: set it to max_connections (${limit.connections}), since each transaction of two owners is prepared on its nodes.`,
      );
    }
  }
  return problems;
}

/** The tables of the schema, with their marks and places. Without the engine no table has a place. */
export async function readTables(client: pg.Client): Promise<MarkedTable[]> {
  const placed = (await hasEngine(client))
    ? `(SELECT CASE WHEN p.partmethod = 'h' THEN 'by ' || column_to_column_name(p.logicalrelid, p.partkey)
          WHEN p.repmodel = 't' THEN 'on every node' ELSE 'on the coordinator' END
        FROM pg_dist_partition p WHERE p.logicalrelid = c.oid)`
    : 'NULL';
  const { rows } = await client.query<MarkedTable>(
    `SELECT c.relname::text AS table, obj_description(c.oid, 'pg_class') AS mark, ${placed} AS placed
      FROM pg_class c WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition
        AND c.relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = to_regclass('schema_migrations'))
        AND c.relowner = (SELECT relowner FROM pg_class WHERE oid = to_regclass('schema_migrations'))
      ORDER BY 1`,
  );
  return rows;
}
