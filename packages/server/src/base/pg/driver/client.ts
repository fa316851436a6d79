import type { Socket } from 'node:net';
import pg from 'pg';
import { batchingSocket } from './batching-socket.ts';
import { isReadOnly } from './db-errors.ts';
import { type EnterOpening, NotTriedError } from './opening-turns.ts';
import {
  type BatchStatement,
  beginMessages,
  limitsOf,
  limitStatement,
  type SessionLimit,
} from './session-limits.ts';
import type { Servers } from './servers.ts';

/** What all connections of a process have in common. */
export interface Driver {
  servers: Servers;
  /** All connections that are open or being opened. */
  open: Set<DriverClient>;
  /** Whether the process gives up its connections: no further one is opened. */
  aborted: boolean;
  /** Whether the tables are distributed over several servers; known with the first connection. */
  isDistributed: boolean;
  enterOpening: EnterOpening;
  /** Called at each new connection. */
  onConnected: () => void;
}

/** TCP looks after this time whether the other machine is still there, for statements without a time limit. */
const keepAlive_ms = 5_000;

/**
 * One connection to PostgreSQL: the connection of the driver, with additions.
 *
 * - Its errors always have a listener. The driver throws an error that has none, which ends the process.
 * - It pipelines, and what is sent in one tick leaves in one system call.
 * - `destroy` ends it at once. If no answer comes in time (`query_timeout`), the driver does the same, because what the
 *   server will still send is unknown then.
 * - If there are several servers, it refuses one that does not accept writes.
 * - Its time limits are not part of the start of the connection, because poolers refuse them there. They are set once for
 *   the session. A pooler may give each transaction another session, so behind a pooler each transaction sets them.
 */
export class DriverClient extends pg.Client {
  readonly socket: Socket;
  readonly #driver: Driver;
  readonly #server: pg.ClientConfig;
  readonly #limits: readonly SessionLimit[];
  readonly #connect_ms: number | undefined;
  #isPooled = false;
  #hasBegun = false;

  constructor(driver: Driver, settings: pg.ClientConfig) {
    const socket = batchingSocket();
    const server = driver.servers.current();
    const { limits, others } = limitsOf(settings);
    super({
      ...others,
      ...server,
      pipeline: true,
      stream: () => socket,
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAlive_ms,
    });
    this.socket = socket;
    this.#driver = driver;
    this.#server = server;
    this.#limits = limits;
    // 0 means no limit.
    this.#connect_ms = settings.connectionTimeoutMillis === 0 ? undefined : settings.connectionTimeoutMillis;
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

  /**
   * Waits for its turn at most half of its time, so that it never begins with too little left. All of it ends in time:
   * the wait, the connection and the start of the session.
   */
  async #connect(): Promise<this> {
    const timer =
      this.#connect_ms === undefined
        ? undefined
        : setTimeout(() => {
            this.destroy();
          }, this.#connect_ms);
    let leave: () => void = () => undefined;
    try {
      leave = await this.#enter();
      return await this.#open();
    } catch (error) {
      if (!(error instanceof NotTriedError)) this.leaveServer();
      this.destroy();
      throw error;
    } finally {
      clearTimeout(timer);
      leave();
    }
  }

  async #enter(): Promise<() => void> {
    const { socket } = this;
    const most_ms = this.#connect_ms === undefined ? undefined : this.#connect_ms / 2;
    const leave = await this.#driver.enterOpening(socket, most_ms);
    if (!socket.destroyed && this.#driver.servers.current() === this.#server) return leave;
    leave();
    throw new NotTriedError('Connection terminated: it was ended, or its server was left');
  }

  async #open(): Promise<this> {
    if (this.#driver.aborted) throw new Error('Connection terminated: the process stops');
    this.#hasBegun = true;
    await super.connect();
    if (this.#limits.length > 0 || this.#driver.servers.mustWrite) await this.#beginSession();
    this.#driver.onConnected();
    return this;
  }

  override end(): Promise<void>;
  override end(callback: (error: Error) => void): void;
  override end(callback?: (error: Error) => void): Promise<void> | void {
    // While it waits for its turn, it has no server that could receive the message.
    if (!this.#hasBegun) this.destroy();
    if (callback === undefined) return super.end();
    super.end(callback);
  }

  /**
   * Sets limits and the isolation level, whatever the database or the role has by default (D-661), unless a pooler is
   * between: then the number of the server process is not the announced one.
   */
  async #beginSession(): Promise<void> {
    const { processID } = this as unknown as { processID: number | null };
    const isDirect = `pg_backend_pid() = ${processID ?? 0}`;
    const set = [
      ...this.#limits.map(({ name, ms }) => [name, ms, isDirect]),
      ['default_transaction_isolation', 'read committed', isDirect],
      // They would end connections that wait, and long checks (D-1467). The second one is of PostgreSQL 17.
      ['idle_session_timeout', 0, isDirect],
      ['transaction_timeout', 0, `${isDirect} AND current_setting('transaction_timeout', true) IS NOT NULL`],
      // What the driver reads and statements are written in. Poolers pass these on, and they are rarely odd.
      ['DateStyle', 'ISO', `current_setting('DateStyle') NOT LIKE 'ISO%'`],
      ['standard_conforming_strings', 'on', `current_setting('standard_conforming_strings') = 'off'`],
    ].map(([name, value, where]) => `, CASE WHEN ${where} THEN set_config('${name}', '${value}', false) END`);
    const text = `SELECT current_setting('transaction_read_only') AS read_only, ${isDirect} AS is_direct,
      to_regclass('pg_dist_partition') IS NOT NULL AS has_engine${set.join('')}`;
    const asked: pg.QueryConfig & { query_timeout?: number } = { text };
    if (this.#connect_ms !== undefined) asked.query_timeout = this.#connect_ms;
    const { rows } = await this.query<{ read_only: string; is_direct: boolean; has_engine: boolean }>(asked);
    if (this.#driver.servers.mustWrite && rows[0]?.read_only !== 'off') {
      throw new Error('Connection terminated: the server does not accept writes');
    }
    this.#isPooled = rows[0]?.is_direct !== true;
    if (rows[0]?.has_engine === true) {
      const placed = await this.query({
        ...asked,
        text: `SELECT FROM pg_dist_partition WHERE partmethod = 'h' LIMIT 1`,
      });
      this.#driver.isDistributed = placed.rows.length > 0;
    }
  }

  /** Whether the tables are distributed over several servers. */
  get isDistributed(): boolean {
    return this.#driver.isDistributed;
  }

  /** Whether a pooler is between this process and the server. */
  get isPooled(): boolean {
    return this.#isPooled;
  }

  /**
   * Begins a transaction that keeps the limits of this connection.
   *
   * @param lock_timeout_ms the limit of waits for locks, instead of the limit of the connection
   */
  async begin(lock_timeout_ms?: number): Promise<void> {
    const { isPooled, isDistributed } = this;
    const messages = beginMessages({ limits: this.#limits, isPooled, isDistributed, lock_timeout_ms });
    await Promise.all(messages.map((message) => this.query(message)));
  }

  /** The limits as the first statement of a message without BEGIN; null if the session has them. */
  get limitStatement(): BatchStatement | null {
    return this.#isPooled ? limitStatement(this.#limits) : null;
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

  /** Checks an error of a statement: if the server has stopped accepting writes, another one is used. */
  noteError(error: unknown): void {
    if (this.#driver.servers.mustWrite && isReadOnly(error)) this.leaveServer();
  }
}
