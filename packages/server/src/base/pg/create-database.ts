/** Connects to a PostgreSQL server outside the pool: to try a connection, and to create the service's database and role. */
import pg from 'pg';
import { withConnection } from './driver/open-driver.ts';

/** The address of a PostgreSQL server and the name of the service's database on it. */
export interface DatabaseAddress {
  host: string;
  port: number;
  user: string;
  database: string;
  password?: string;
}

/** Connects once and disconnects. Throws the driver's error, with its `code`, if that fails. */
export const tryConnection = (address: DatabaseAddress): Promise<void> =>
  withConnection(address, () => Promise.resolve());

/** Creates the service's database if it is missing: at the first start, or after a kill during the first start. */
export function createDatabaseIfMissing(address: DatabaseAddress): Promise<void> {
  return withConnection({ ...address, database: 'postgres' }, async (client) => {
    const known = await client.query('SELECT FROM pg_database WHERE datname = $1', [address.database]);
    if (known.rowCount === 0) {
      await client.query(`CREATE DATABASE ${pg.escapeIdentifier(address.database)}`);
    }
  });
}

/**
 * Creates a role that can connect, if it is missing, and sets its password. Without a password, the access rules of the
 * server tell who connects.
 */
export function createRole(
  address: DatabaseAddress,
  role: string,
  password: string | undefined,
): Promise<void> {
  return withConnection(address, async (client) => {
    const known = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [role]);
    const secret = password === undefined ? '' : ` PASSWORD ${pg.escapeLiteral(password)}`;
    if (known.rowCount === 0) await client.query(`CREATE ROLE ${pg.escapeIdentifier(role)} LOGIN${secret}`);
    else if (secret !== '') await client.query(`ALTER ROLE ${pg.escapeIdentifier(role)}${secret}`);
  });
}
