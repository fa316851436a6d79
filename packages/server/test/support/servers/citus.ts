import pg from 'pg';
import { distribute, grantRole, migrate } from '../../../src/base/pg/index.ts';
import { serviceRole } from '../../../src/embedded/access.ts';

/** Databases of tests on a Citus cluster: `CITUS_URL` is a database of its coordinator that knows the workers. */

/** Few, because each costs time for each table. */
const shards = 4;

/** Runs statements on a connection of their own, and gives the rows of the last. */
export async function askNode<Row extends pg.QueryResultRow = Record<string, unknown>>(
  url: string,
  ...statements: string[]
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  // A drill kills the server under it.
  client.on('error', () => undefined);
  await client.connect();
  try {
    let rows: Row[] = [];
    for (const statement of statements) rows = (await client.query<Row>(statement)).rows;
    return rows;
  } finally {
    await client.end();
  }
}

const at = (url: string, change: (address: URL) => void): string => {
  const address = new URL(url);
  change(address);
  return address.href;
};

export const inDatabase = (url: string, name: string): string =>
  at(url, (address) => {
    address.pathname = name;
  });

/** The addresses of the workers’ maintenance databases, under the role of the coordinator's address. */
export async function workersOf(url: string): Promise<string[]> {
  const rows = await askNode(
    url,
    'SELECT nodename, nodeport FROM pg_dist_node WHERE groupid > 0 ORDER BY groupid',
  );
  return rows.map(({ nodename, nodeport }) =>
    at(inDatabase(url, 'postgres'), (address) => {
      address.hostname = String(nodename);
      address.port = String(nodeport);
    }),
  );
}

/** A database on the coordinator with every migration applied, for copies: the engine cannot copy distributed ones. */
export async function citusTemplate(url: string): Promise<string> {
  const name = `paydesk_template_${process.pid}`;
  await askNode(url, `CREATE DATABASE ${name} TEMPLATE template0`);
  await migrate(inDatabase(url, name));
  await grantRole(inDatabase(url, name), serviceRole);
  return name;
}

export async function dropCitusTemplate(url: string, name: string): Promise<void> {
  await askNode(url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
}

/**
 * Makes a database on every node.
 *
 * @param template null: without tables
 * @param distributes whether the tables of the template are distributed
 * @returns a function that drops it on every node
 */
export async function createOnCluster(
  url: string,
  name: string,
  template: string | null,
  distributes = template !== null,
): Promise<() => Promise<void>> {
  const workers = await workersOf(url);
  const drop = async (): Promise<void> => {
    for (const node of [url, ...workers]) await askNode(node, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  };
  try {
    await askNode(url, `CREATE DATABASE ${name} TEMPLATE ${template ?? 'template0'}`);
    await Promise.all(
      workers.map(async (worker) => {
        await askNode(worker, `CREATE DATABASE ${name}`);
        await askNode(inDatabase(worker, name), 'CREATE EXTENSION citus');
      }),
    );
    const { hostname, port } = new URL(url);
    const coordinator = inDatabase(url, name);
    await askNode(
      coordinator,
      'CREATE EXTENSION citus',
      `SELECT citus_set_coordinator_host('${hostname}', ${port})`,
      ...workers.map((worker) => {
        const { hostname: host, port: at_port } = new URL(worker);
        return `SELECT citus_add_node('${host}', ${at_port})`;
      }),
    );
    if (distributes) await distribute(coordinator, { shards, say: () => undefined });
    return drop;
  } catch (error) {
    await drop();
    throw error;
  }
}
