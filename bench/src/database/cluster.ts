/** Databases on the Citus cluster that `CITUS_URL` names, with the interface of the benchmark’s own server. */
import pg from 'pg';
import { type Database, type Databases, onPool } from './database.ts';

/** Shards of each table: few, as for a small cluster. */
export const clusterShards = 8;

/**
 * Opens the cluster of an address: a database of its coordinator in which the workers are named.
 *
 * @param url under a superuser
 */
export async function openCluster(url: string): Promise<Databases> {
  const pools: pg.Pool[] = [];
  const made: string[] = [];
  const open = (address: string): pg.Pool => {
    const pool = new pg.Pool({ connectionString: address, max: 2 });
    // The next query reports a lost connection.
    pool.on('error', () => undefined);
    pools.push(pool);
    return pool;
  };
  const coordinator = open(url);
  const { rows: nodes } = await coordinator.query<{ host: string; port: number }>(
    'SELECT nodename AS host, nodeport AS port FROM pg_dist_node WHERE groupid > 0 ORDER BY groupid',
  );
  const servers = [{ host: new URL(url).hostname, port: Number(new URL(url).port) }, ...nodes];
  const addressOf = ({ host, port }: { host: string; port: number }, database: string): string => {
    const address = new URL(url);
    address.hostname = host;
    address.port = String(port);
    address.pathname = database;
    return address.href;
  };
  /** Runs statements on every server, in one database. */
  const everywhere = async (database: string, ...statements: string[]): Promise<void> => {
    for (const server of servers) {
      const client = new pg.Client({ connectionString: addressOf(server, database) });
      await client.connect();
      for (const statement of statements) await client.query(statement);
      await client.end();
    }
  };
  const dropOf = (name: string): string =>
    `DROP DATABASE IF EXISTS ${pg.escapeIdentifier(name)} WITH (FORCE)`;
  const reopen = (name: string): Database => {
    const address = addressOf({ host: new URL(url).hostname, port: Number(new URL(url).port) }, name);
    const pool = open(address);
    const { hostname, port, username } = new URL(address);
    return {
      connection: { host: hostname, port: Number(port), user: username, database: name },
      url: address,
      ...onPool(pool),
    };
  };
  return {
    shards: clusterShards,
    async create(of) {
      const name = `paydesk_bench_${of}`;
      made.push(name);
      const maintenance = 'postgres';
      await everywhere(maintenance, dropOf(name), `CREATE DATABASE ${pg.escapeIdentifier(name)}`);
      await everywhere(name, 'CREATE EXTENSION citus');
      const database = reopen(name);
      const [own, ...workers] = servers;
      if (own !== undefined)
        await database.query('SELECT citus_set_coordinator_host($1, $2)', [own.host, own.port]);
      for (const { host, port } of workers)
        await database.query('SELECT citus_add_node($1, $2)', [host, port]);
      return database;
    },
    reopen,
    async stop() {
      await Promise.all(pools.map((pool) => pool.end()));
      for (const name of made) await everywhere('postgres', dropOf(name));
    },
  };
}
