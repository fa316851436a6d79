/** The driver for the servers of a database, and single connections outside of its pool. */
import type pg from 'pg';
import { type Driver, DriverClient } from './client.ts';
import { createOpening } from './opening-turns.ts';
import { createServers, oneServer } from './servers.ts';

/** Number of connections that a process opens at once: few, as the processes that share a server all do. */
const openedAtOnce = 3;

/** The driver for the servers of an address. It opens no connection by itself. */
export const openDriver = (
  address: string | pg.ClientConfig,
  onConnected: () => void = () => undefined,
): Driver => ({
  servers: typeof address === 'string' ? createServers(address) : oneServer(address),
  open: new Set(),
  aborted: false,
  isDistributed: false,
  enterOpening: createOpening(openedAtOnce),
  onConnected,
});

/** Ends all connections at once, and opens no other. */
export function abortDriver(driver: Driver): void {
  driver.aborted = true;
  for (const client of driver.open) client.destroy();
}

/** Opens one connection outside the pool. If there are several servers, it tries each of them. */
export async function connectOnce(driver: Driver, settings: pg.ClientConfig): Promise<DriverClient> {
  for (let tries = 1; ; tries++) {
    const client = new DriverClient(driver, settings);
    try {
      await client.connect();
      return client;
    } catch (error) {
      if (tries >= driver.servers.count) throw error;
    }
  }
}

/** Connects, outside the pool and without limits of time for statements, and disconnects after `work`. */
export async function withConnection<T>(
  address: string | pg.ClientConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  // D-1365: the role or the database may have a limit.
  const limits = { connectionTimeoutMillis: 10_000, statement_timeout: false as const };
  const client = await connectOnce(openDriver(address), limits);
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
