/** The pool of connections that callers borrow. */
import pg from 'pg';
import { isUnreachable } from './db-errors.ts';
import { type Driver, DriverClient } from './client.ts';
import { NotTriedError } from './opening-turns.ts';

/** A connection that is borrowed from the pool. */
export interface Borrowed {
  client: DriverClient;
  /** Ends it, so that it is not used again: what the server will still send on it is unknown. */
  discard: () => void;
}

export interface Pool {
  /**
   * Takes a connection: a free one or a new one. Give each back with `release`, once, even if it could not be opened.
   *
   * @param lost called if the connection is lost meanwhile
   */
  borrow(lost?: () => void): { connection: Promise<Borrowed>; release: () => void };
  /**
   * Gives up the place of one connection, for a connection beside the pool, so that the process has no more than before.
   * The last place is not given up.
   *
   * @returns a function that takes the place back
   */
  cede(): Promise<() => void>;
  /** Ends all connections, each when it is given back. */
  end(): Promise<void>;
}

/** The connections of a pool now. */
export interface PoolUse {
  max: number;
  /** In use by callers. */
  busy: number;
  idle: number;
  /** Callers that wait for one. */
  waiting: number;
}

/** Learns how a pool is used. */
export interface PoolObserver {
  /** @param use tells the connections whenever it is called */
  watch(use: () => PoolUse): void;
  /** Called with the time that a caller waited for a connection, whether it got one or not. */
  waited(ms: number): void;
}

export interface PoolOptions {
  settings: pg.ClientConfig;
  /** Maximum number of connections. */
  max: number;
  /** Maximum time to wait for a free connection, or to open one. */
  connect_ms: number;
  /** Called with errors on idle connections. */
  onLost: (error: Error) => void;
  observer?: PoolObserver | undefined;
}

/**
 * The connections that callers borrow, each for themselves.
 *
 * Invariant: only a connection that is outside a transaction and whose protocol state is known is given out again. If
 * one is lost, the idle ones are ended as well: they are likely lost too, and a new one shows whether the server is there.
 */
export function openPool(driver: Driver, { settings, max, connect_ms, onLost, observer }: PoolOptions): Pool {
  const idle = new Set<DriverClient>();
  const perServer_ms = Math.max(Math.ceil(connect_ms / driver.servers.count), 1);
  class PooledClient extends DriverClient {
    constructor() {
      super(driver, { ...settings, connectionTimeoutMillis: perServer_ms });
    }
  }
  const pool = new pg.Pool({
    Client: PooledClient,
    max,
    connectionTimeoutMillis: connect_ms,
    idleTimeoutMillis: 60_000,
  });
  pool.on('acquire', (client) => idle.delete(client as unknown as DriverClient));
  pool.on('release', (_, client) => idle.add(client as unknown as DriverClient));
  pool.on('remove', (client) => idle.delete(client as unknown as DriverClient));
  pool.on('error', (error: Error & { client?: unknown }) => {
    // The pool adds the whole connection, whose statements and buffers would fill the log (D-760).
    delete error.client;
    onLost(error);
  });
  const measureWait = observePool(pool, max, observer);

  /** Takes an open connection, or opens one; at most one to each server. */
  async function connect(): Promise<pg.PoolClient> {
    const until = performance.now() + connect_ms;
    for (let failed = 0; ;) {
      try {
        const pooled = await pool.connect();
        if (!(pooled as unknown as DriverClient).socket.destroyed) return pooled;
        // It was ended while it was idle, and the pool has not noticed yet.
        pooled.release(true);
      } catch (error) {
        if (!mayRepeat(driver, error, until)) failed += 1;
        // If no connection becomes free, another try would wait as long again.
        const isFull = error instanceof Error && error.message.startsWith('timeout exceeded');
        if (failed >= driver.servers.count || isFull || driver.aborted || !isUnreachable(error)) throw error;
      }
    }
  }

  return {
    borrow(lost = () => undefined) {
      let isLost = false;
      const note = (): void => {
        if (isLost) return;
        isLost = true;
        for (const other of idle) other.destroy();
        lost();
      };
      const connection = measureWait(connect()).then((pooled) => {
        const client = pooled as unknown as DriverClient;
        client.on('error', note);
        const discard = (): void => {
          client.destroy();
          note();
        };
        return { client, discard, pooled };
      });
      const giveBack = ({ client, pooled }: Awaited<typeof connection>): void => {
        client.off('error', note);
        const isClean = !isLost && client.getTransactionStatus() === 'I';
        if (!isClean) client.destroy();
        pooled.release(!isClean);
      };
      // If there was no connection, the caller that awaits it gets the error.
      return { connection, release: () => void connection.then(giveBack, () => undefined) };
    },
    async cede() {
      const { options } = pool;
      if (options.max <= 1) return () => undefined;
      const pooled = pool.totalCount < options.max ? null : await connect();
      options.max -= 1;
      pooled?.release(true);
      return () => (options.max += 1);
    },
    end: () => pool.end(),
  };
}

/** A server that was not tried has not failed: with several, the next one is tried as long as there is time. */
const mayRepeat = (driver: Driver, error: unknown, until_ms: number): boolean =>
  error instanceof NotTriedError && driver.servers.count > 1 && performance.now() < until_ms;

/** Lets the observer see a pool; returns what measures the wait for a connection. */
function observePool(pool: pg.Pool, max: number, observer: PoolObserver | undefined) {
  observer?.watch(() => ({
    max,
    busy: pool.totalCount - pool.idleCount,
    idle: pool.idleCount,
    waiting: pool.waitingCount,
  }));
  return <T>(wait: Promise<T>): Promise<T> => {
    if (observer === undefined) return wait;
    const since = performance.now();
    return wait.finally(() => {
      observer.waited(performance.now() - since);
    });
  };
}
