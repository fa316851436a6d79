import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { createOnCluster } from './citus.ts';
import { serviceRole } from '../../../src/embedded/access.ts';

/** A database of a test's own. */
export interface TestDatabase {
  /** As its owner. */
  url: string;
  /** As the role of the service, which owns nothing. */
  service_url: string;
  /** Closes all connections and removes it. */
  drop(): Promise<void>;
}

/** A database with every migration applied: a copy of the template that the test run made once. */
export function freshDatabase(): Promise<TestDatabase> {
  return createDatabase(inject('templateDatabase'));
}

/** The same, but workers check its books, which were never checked: one that starts checks them at once. */
export async function uncheckedDatabase(): Promise<TestDatabase> {
  const database = await freshDatabase();
  await askDatabase(
    database.url,
    `UPDATE ledger_verification_marks SET checked_at = NULL, full_at = NULL;
      UPDATE ledger_verification_leases SET lease_id = NULL, lease_until = NULL`,
  );
  return database;
}

/**
 * The same, whose own defaults are not those that the service needs: it has to say itself what it needs (D-661). Of two
 * transactions at once, the later one fails or acts on what it read before, unless it asks for another isolation level.
 */
export async function oddDatabase(): Promise<TestDatabase> {
  const database = await freshDatabase();
  for (const setting of [
    `default_transaction_isolation = 'repeatable read'`,
    `DateStyle = 'SQL, DMY'`,
    `TimeZone = 'Pacific/Chatham'`,
    'standard_conforming_strings = off',
    'bytea_output = escape',
    'row_security = off',
  ]) {
    await alterDatabase(database.url, `SET ${setting}`);
  }
  return database;
}

/** Changes the defaults of a database's later connections. Asked from another one, whose own defaults are as usual. */
export const alterDatabase = (url: string, words: string): Promise<unknown> =>
  administer(`ALTER DATABASE ${new URL(url).pathname.slice(1)} ${words}`);

/** A database without tables, for code that migrates it. */
export function emptyDatabase(): Promise<TestDatabase> {
  return createDatabase('template0');
}

async function createDatabase(template: string): Promise<TestDatabase> {
  const name = `test_${process.pid}_${randomBytes(6).toString('hex')}`;
  const citus_url = inject('citusUrl');
  if (citus_url !== null) {
    const drop = await createOnCluster(citus_url, name, template === 'template0' ? null : template);
    const url = databaseUrl(citus_url, name);
    return { url, service_url: asServiceRole(url), drop };
  }
  // Copying files costs less than writing their pages to the log of a server that need not survive.
  await administer(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
  const url = databaseUrl(inject('adminUrl'), name);
  return {
    url,
    service_url: asServiceRole(url),
    drop: async () => {
      await administer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

/** The same address under the role of the service. */
export const asServiceRole = (url: string): string => url.replace(/\/\/[^:@]*/, `//${serviceRole}`);

/** The address of another database of the same server. */
export function databaseUrl(url: string, database: string): string {
  return url.replace(/\/[^/]*$/, `/${database}`);
}

const administer = (statement: string): Promise<unknown[]> => askDatabase(inject('adminUrl'), statement);

/** Asks the database itself, on a connection of its own. */
export async function askDatabase<Row extends pg.QueryResultRow = Record<string, unknown>>(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  // Some tests stop the server under an idle connection.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}
