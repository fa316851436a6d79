/** The PostgreSQL server of the benchmarks, and its databases. */
import pg from 'pg';
import { BenchError } from '../bench-error.ts';
import { builtFiles } from '../built-files.ts';

/** The functions of the service’s launcher that are used here. */
interface Launcher {
  openEmbedded: (options: {
    data_dir: string;
    purpose: string;
    durable: boolean;
  }) => Promise<{ connection: Connection; stop(): Promise<void> }>;
  urlOf: (connection: Connection) => string;
}

/** How to reach a database: the members of a driver's configuration. */
export interface Connection {
  /** The directory of the socket, or the loopback address. */
  host: string;
  port: number;
  user: string;
  database: string;
  password?: string;
}

/**
 * The benchmark’s own PostgreSQL server, for the service and the references, with the durability of
 * production.
 */
export interface Databases {
  /** Creates an empty database, in the place of one that an earlier run left. */
  create(name: string): Promise<Database>;
  /** Opens a database of an earlier run. */
  reopen(name: string): Database;
  /** In how many shards the tables are distributed; absent: they are not. */
  shards?: number;
  stop(): Promise<void>;
}

export interface Database {
  connection: Connection;
  url: string;
  query<R extends pg.QueryResultRow = pg.QueryResultRow>(text: string, values?: unknown[]): Promise<R[]>;
  /** Runs statements in one transaction. */
  write(texts: readonly string[]): Promise<void>;
}

/** Queries and writes on the connections of a pool. */
export const onPool = (pool: pg.Pool): Pick<Database, 'query' | 'write'> => ({
  async query<R extends pg.QueryResultRow = pg.QueryResultRow>(text: string, values: unknown[] = []) {
    return (await pool.query<R>(text, values)).rows;
  },
  async write(texts) {
    const client = await pool.connect();
    try {
      await client.query('BEGIN');
      for (const text of texts) await client.query(text);
      await client.query('COMMIT');
      client.release();
    } catch (error) {
      client.release(true);
      throw error;
    }
  },
});

export async function openDatabases(data_dir: string): Promise<Databases> {
  const { openEmbedded, urlOf } = (await import(builtFiles.embedded.href)) as Launcher;
  const embedded = await openEmbedded({ data_dir, purpose: 'npm run bench', durable: true }).catch(
    (error: unknown) => {
      throw new BenchError((error as Error).message, { cause: error });
    },
  );
  const pools: pg.Pool[] = [];
  const open = (connection: Connection): pg.Pool => {
    const pool = new pg.Pool({ ...connection, max: 2 });
    // The next query reports a lost connection.
    pool.on('error', () => undefined);
    pools.push(pool);
    return pool;
  };
  const server = open(embedded.connection);
  const reopen = (name: string): Database => {
    const connection = { ...embedded.connection, database: name };
    const pool = open(connection);
    return {
      connection,
      url: urlOf(connection),
      ...onPool(pool),
    };
  };
  return {
    async create(name) {
      await server.query(`DROP DATABASE IF EXISTS ${pg.escapeIdentifier(name)}`);
      await server.query(`CREATE DATABASE ${pg.escapeIdentifier(name)}`);
      return reopen(name);
    },
    reopen,
    async stop() {
      await Promise.all(pools.map((pool) => pool.end()));
      await embedded.stop();
    },
  };
}
