/** Listens for notifications of the database, on a connection of its own. */
import pg from 'pg';
import { type Driver, DriverClient } from './driver/client.ts';
import type { Pool } from './driver/pool.ts';

export interface ListenerOptions {
  settings: pg.ClientConfig;
  /** Time between two checks whether the server still answers. */
  heartbeat_ms: number;
  /** Behind a pooler that passes no notifications on: time between two looks whether it does now. */
  retry_ms: number;
  onError: (error: Error) => void;
}

/** All that this process listens to. */
export interface Listeners {
  /**
   * Calls `wake` at each notification on the channel, and after each connect, because notifications may have been missed.
   *
   * @returns a function that stops it
   * @throws the driver's error if the first connection fails
   */
  listen(channel: string, wake: (payload: string) => void): Promise<() => Promise<void>>;
  /** Resolves with words about how it hears; rejects while it hears nothing. */
  check(): Promise<string>;
  /** Whether it hears what is sent now. */
  hears(): boolean;
  stop(): Promise<void>;
}

interface Heard {
  channel: string;
  wake: (payload: string) => void;
}

/**
 * Listens on one connection for all channels. If it is lost or silent, it is opened again every second.
 *
 * A pooler that gives each transaction another session passes no notifications on. Behind one, this process does not
 * listen, and only the callers' polls wake them. The pooler may change, so each minute it is tried again.
 */
export class ListenConnection implements Listeners {
  readonly #driver: Driver;
  readonly #pool: Pool;
  readonly #options: ListenerOptions;
  readonly #heard = new Set<Heard>();
  #client: DriverClient | undefined;
  #connecting: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #heartbeat: NodeJS.Timeout | undefined;
  /** Whether the sessions of the pooler are shared. */
  #isShared = false;
  #hears = false;

  constructor(driver: Driver, pool: Pool, options: ListenerOptions) {
    this.#driver = driver;
    this.#pool = pool;
    this.#options = options;
  }

  async listen(channel: string, wake: Heard['wake']): Promise<() => Promise<void>> {
    const one = { channel, wake };
    const begun = this.#connecting;
    this.#heard.add(one);
    try {
      // A connection that is being opened may have begun to listen without this channel.
      await begun?.catch(() => undefined);
      if (this.#isShared) wake('');
      else if (this.#client === undefined) await this.#connect();
      else await hear(this.#client, [one]);
    } catch (error) {
      // The caller gets no function to stop it.
      await this.#forget(one);
      throw error;
    }
    return () => this.#forget(one);
  }

  async check(): Promise<string> {
    if (this.#client === undefined && !this.#isShared && this.#heard.size > 0) await this.#connect();
    if (this.#isShared) return 'it polls, because the pooler passes no notifications on';
    await this.#client?.query('SELECT 1');
    return 'it listens';
  }

  hears(): boolean {
    return this.#hears;
  }

  async stop(): Promise<void> {
    this.#heard.clear();
    await this.#close();
  }

  #connect(): Promise<void> {
    this.#connecting ??= this.#open().finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  async #open(): Promise<void> {
    clearTimeout(this.#timer);
    const next = this.#openClient();
    try {
      await next.connect();
      const wasShared = this.#isShared;
      this.#isShared = next.isPooled && (await sharesSessions(next, this.#pool));
      // It may have been stopped meanwhile.
      if (this.#client !== next) next.destroy();
      else if (this.#isShared) {
        if (!wasShared) for (const { wake } of this.#heard) wake('');
        await this.#close();
        this.#connectIn(this.#options.retry_ms);
      } else {
        await hear(next, [...this.#heard]);
        this.#hears = this.#client === next;
      }
    } catch (error) {
      this.#lose(next, error as Error);
      next.destroy();
      throw error;
    }
  }

  #openClient(): DriverClient {
    const { settings, heartbeat_ms } = this.#options;
    const next = new DriverClient(this.#driver, settings);
    this.#client = next;
    // If no answer comes, the driver ends the connection.
    clearInterval(this.#heartbeat);
    this.#heartbeat = setInterval(() => void next.query('SELECT 1').catch(() => undefined), heartbeat_ms);
    next.on('error', (error) => {
      this.#lose(next, error);
    });
    next.on('end', () => {
      this.#lose(next);
    });
    next.on('notification', ({ channel, payload }) => {
      for (const one of this.#heard) if (one.channel === channel) one.wake(payload ?? '');
    });
    return next;
  }

  /** Notes that a connection is lost, and opens another one in a second. */
  #lose(client: DriverClient, error?: Error): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    this.#hears = false;
    clearInterval(this.#heartbeat);
    if (error !== undefined) this.#options.onError(error);
    this.#connectIn(this.#isShared ? this.#options.retry_ms : 1_000);
  }

  #connectIn(ms: number): void {
    clearTimeout(this.#timer);
    if (this.#heard.size === 0) return;
    this.#timer = setTimeout(() => void this.#connect().catch(() => undefined), ms);
  }

  async #forget(one: Heard): Promise<void> {
    this.#heard.delete(one);
    if (this.#heard.size === 0) await this.#close();
    else if (![...this.#heard].some(({ channel }) => channel === one.channel)) {
      await this.#client?.query(`UNLISTEN ${pg.escapeIdentifier(one.channel)}`).catch(() => undefined);
    }
  }

  async #close(): Promise<void> {
    clearTimeout(this.#timer);
    clearInterval(this.#heartbeat);
    const last = this.#client;
    this.#client = undefined;
    this.#hears = false;
    await last?.end().catch(() => undefined);
  }
}

async function hear(client: DriverClient, all: readonly Heard[]): Promise<void> {
  const channels = new Set(all.map(({ channel }) => channel));
  await client.query([...channels].map((channel) => `LISTEN ${pg.escapeIdentifier(channel)}`).join('; '));
  for (const { wake } of all) wake('');
}

/** Tries to show that two connections use one session. A pooler that is busy may escape three tries. */
const tries = 3;

/** Whether a pooler gives each transaction any session that is free: then LISTEN reaches a session that others use. */
async function sharesSessions(client: DriverClient, pool: Pool): Promise<boolean> {
  const { connection, release } = pool.borrow();
  try {
    const { client: other } = await connection;
    for (let i = 0; i < tries; i++) {
      const before = await sessionOf(client);
      await other.query('BEGIN');
      // If the session was free for the other one, or the other one has moved this one to another session.
      const taken = await sessionOf(other);
      const after = await sessionOf(client);
      await other.query('ROLLBACK');
      if (taken === before || after !== before) return true;
    }
    return false;
  } finally {
    release();
  }
}

async function sessionOf(client: DriverClient): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]?.pid;
}
