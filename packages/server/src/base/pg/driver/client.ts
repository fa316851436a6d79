import type { Socket } from 'node:net';
import pg from 'pg';
import { batchingSocket } from './batching-socket.ts';
import { isReadOnly } from './db-errors.ts';
import type { Servers } from './servers.ts';

/** What all connections of a process have in common. */
export interface Driver {
  servers: Servers;
  /** All connections that are open or being opened. */
  open: Set<DriverClient>;
  /** Whether the process gives up its connections: no further one is opened. */
  aborted: boolean;
  /** Told of each new connection. */
  onConnected: () => void;
}

/** TCP looks after this time whether the other machine is still there, for statements without a time limit. */
const keepAlive_ms = 5_000;

/**
 * One connection to PostgreSQL: the driver's own, with what it lacks.
 *
 * - Its errors always have a listener. The driver throws an error that has none, which ends the process.
 * - It pipelines, and what is sent in one tick leaves in one system call.
 * - `destroy` ends it at once. If no answer comes in time (`query_timeout`), the driver does the same, because what the
 *   server will still send is unknown then.
 * - If there are several servers, it refuses one that does not accept writes.
 */
export class DriverClient extends pg.Client {
  readonly socket: Socket;
  readonly #driver: Driver;
  readonly #server: pg.ClientConfig;

  constructor(driver: Driver, settings: pg.ClientConfig) {
    const socket = batchingSocket();
    const server = driver.servers.current();
    super({
      ...settings,
      ...server,
      pipeline: true,
      stream: () => socket,
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAlive_ms,
    });
    this.socket = socket;
    this.#driver = driver;
    this.#server = server;
    driver.open.add(this);
    socket.once('close', () => driver.open.delete(this));
    this.on('error', () => undefined);
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: (error: Error | null) => void): void;
  override connect(callback?: (error: Error | null) => void): Promise<pg.Client> | void {
    const connected = this.#connect();
    if (callback === undefined) return connected;
    connected.then(() => {
      callback(null);
    }, callback);
  }

  async #connect(): Promise<this> {
    try {
      if (this.#driver.aborted) throw new Error('Connection terminated: the process stops');
      await super.connect();
      if (this.#driver.servers.mustWrite) await this.#demandPrimary();
      this.#driver.onConnected();
      return this;
    } catch (error) {
      this.leaveServer();
      throw error;
    }
  }

  async #demandPrimary(): Promise<void> {
    const { rows } = await this.query<{ transaction_read_only: string }>('SHOW transaction_read_only');
    if (rows[0]?.transaction_read_only !== 'off') {
      throw new Error('Connection terminated: the server does not accept writes');
    }
  }

  /** Ends the connection at once. Everything under way on it fails. */
  destroy(): void {
    this.socket.destroy();
  }

  /** Ends the connection, and lets the next one go to the next server. */
  leaveServer(): void {
    this.#driver.servers.leave(this.#server);
    this.destroy();
  }

  /** Looks at an error of a statement: a server that has stopped accepting writes is left. */
  noteError(error: unknown): void {
    if (this.#driver.servers.mustWrite && isReadOnly(error)) this.leaveServer();
  }
}
