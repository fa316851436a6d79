/** The pool of connections: queries, transactions, and the limits of both. */
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Sql } from 'sql-template-tag';
import type { DriverClient } from './driver/client.ts';
import { unreachableAsUnavailable } from './driver/db-errors.ts';
import { abortDriver, openDriver } from './driver/open-driver.ts';
import { openLookups } from './driver/lookups.ts';
import { openPool, type Pool, type PoolObserver } from './driver/pool.ts';
import { answerLimit, type Limits, usualLimits } from './time-limits.ts';
import type { TimeSample } from '../time/database-time.ts';
import { askTime } from './ask-time.ts';
import { lookupLanes } from './connection-counts.ts';
import { ListenConnection } from './listen.ts';
import { createLockBudget } from './lock-budget.ts';
import { queryOf, type Row, run, summaryOf, type Write } from './statements.ts';
import { inQuerySpan } from '../tracing/tracing.ts';
import {
  commitAtOnce,
  type Queryable,
  runAll,
  runAlone,
  transact,
  transactUnlimited,
  type Tx,
} from './transactions.ts';

export interface Database extends Queryable {
  /**
   * For look-ups by key, on connections that all requests share. Only for statements that the database answers at once,
   * and never for writes.
   */
  readonly lookups: Queryable;
  /**
   * Runs `work` in one transaction and commits; rolls back if it throws. BEGIN is sent together with the first query.
   * After a deadlock, a serialization failure or a lock that stays taken, it runs again, so `work` must do nothing
   * outside the database.
   *
   * @throws OutcomeUnknownError if the connection was lost after COMMIT was sent: look it up, or let the caller look it up
   */
  transaction<T>(work: (tx: Tx) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /**
   * Runs several writes as one atomic statement in one round trip. Only for writes without guards: inserts under
   * unique keys.
   */
  writeOnce(writes: Write[]): Promise<void>;
  /**
   * Runs these writes as a separate transaction; each list is one statement. Like `Tx.finish`, but for a transaction
   * that only writes, and that waits for no lock (docs/adr/0001).
   *
   * @returns false if nothing has happened: a guard did not hold, or a lock was not free. Lock, read and decide again
   * @throws OutcomeUnknownError if the connection was lost meanwhile
   */
  finish(...lists: Write[][]): Promise<boolean>;
  /** Asks the database for its time, to measure how far it differs from the local clock. */
  askTime(): Promise<TimeSample>;
  /** Calls `wake` at each notification on `channel` and after each reconnect. LISTEN only wakes: poll as well. */
  listen(channel: string, wake: (payload: string) => void): Promise<() => Promise<void>>;
  /** Whether notifications reach this process now: false without a connection, or behind a pooler that drops them. */
  hears(): boolean;
  /** Asks on every connection that look-ups share. Resolves with a word; rejects where one does not answer. */
  checkLookups(): Promise<string>;
  /** Asks every connection that listens. Resolves with a word; rejects where one does not answer. */
  checkListeners(): Promise<string>;
  /** Lets what is under way end, then disconnects. */
  close(): Promise<void>;
  /** Disconnects at once: everything under way fails, and nothing new begins. Call `close` as well. */
  abort(): void;
}

export interface TransactionOptions {
  /**
   * Before a further try: takes the lock that the work may have to wait for, in a separate transaction. So no other
   * lock is held meanwhile. The work itself asks for that lock with NOWAIT.
   */
  waitFirst?: (tx: Tx) => Promise<void>;
  /** Its statements may take any time, on a separate connection. For work that no request waits for. */
  unlimited?: boolean;
}

const int8 = 20;
const numeric = 1700;
const parserOf = pg.types.getTypeParser as (oid: number, format?: string) => (value: string) => unknown;

const types = {
  getTypeParser: (oid: number, format?: string) =>
    oid === int8 || oid === numeric ? BigInt : parserOf(oid, format),
};

export interface DatabaseOptions extends Partial<Limits> {
  /** The address; of several servers, the one that accepts writes is used (driver/servers.ts). */
  url: string;
  /** Maximum number of connections of the pool. */
  max?: number;
  /** Maximum number of connections that work may hold while it waits long for a lock; default a quarter of `max`. */
  max_lock_waiters?: number;
  application_name?: string;
  /** Called with errors on idle connections, where no caller waits. */
  onError?: (error: Error) => void;
  pool_observer?: PoolObserver;
  /** Called at each new connection, whose server may have another clock. */
  onConnected?: () => void;
}

/** How long connections may take to close. */
const goodbye_ms = 1_000;

/** Opens a pool on PostgreSQL. It connects at the first query. */
export function openDatabase({
  url,
  max = 20,
  max_lock_waiters = Math.ceil(max / 4),
  application_name = 'paydesk',
  onError = () => undefined,
  pool_observer,
  onConnected,
  ...given
}: DatabaseOptions): Database {
  const limits: Limits = { ...usualLimits, ...given };
  const driver = openDriver(url, onConnected);
  const settings = settingsOf(limits, application_name);
  const { connect_ms, idle_limit_ms, heartbeat_ms, listen_retry_ms } = limits;
  const pool = openPool(driver, { settings, max, connect_ms, onLost: onError, observer: pool_observer });
  const { runTransaction, runStatement } = createRunners(pool, limits, max_lock_waiters);
  const listeners = new ListenConnection(driver, pool, {
    settings: { ...settings, connectionTimeoutMillis: connect_ms },
    heartbeat_ms,
    retry_ms: listen_retry_ms,
    onError,
  });
  const lookups = openLookups(driver, {
    settings: lookupSettingsOf(settings, limits),
    types,
    lanes: lookupLanes,
    onLost: onError,
  });

  return {
    get isDistributed() {
      return driver.isDistributed;
    },
    lookups: {
      get isDistributed() {
        return driver.isDistributed;
      },
      query: <R extends Row>(asked: Sql) =>
        inQuerySpan(
          () => summaryOf(asked),
          () => unreachableAsUnavailable(async () => (await lookups.send(queryOf(asked))) as R[]),
        ),
    },
    query: <R extends Row>(asked: Sql) =>
      runStatement(
        !/^\s*SELECT/i.test(asked.strings[0] ?? ''),
        (client) => run<R>(client, asked),
        (tx) => tx.query<R>(asked),
      ),
    writeOnce: (writes) =>
      runStatement(
        true,
        (client) => runAll(client, writes),
        (tx) => tx.write(writes),
      ),
    transaction: (work, { unlimited = false, waitFirst } = {}) =>
      unlimited
        ? unreachableAsUnavailable(() =>
            transactUnlimited(driver, pool, { settings, connect_ms, idle_limit_ms }, work),
          )
        : runTransaction(work, waitFirst),
    finish: (...lists) => unreachableAsUnavailable(() => commitAtOnce(pool, lists)),
    askTime: () => unreachableAsUnavailable(() => askTime(pool)),
    listen: (channel, wake) => listeners.listen(channel, wake),
    hears: () => listeners.hears(),
    checkLookups: () => lookups.check().then(() => `${lookupLanes} connections answer`),
    checkListeners: () => listeners.check(),
    async close() {
      const ended = Promise.all([listeners.stop(), pool.end(), lookups.close()]);
      // A connection whose server is silent does not end by itself.
      await Promise.race([ended, pause(goodbye_ms, undefined, { ref: false })]);
      abortDriver(driver);
      await ended;
    },
    abort: () => {
      abortDriver(driver);
    },
  };
}

/** How transactions and single statements run on the pool: at first with a short wait for locks, then with a long one. */
function createRunners(
  pool: Pool,
  { long_lock_timeout_ms, lock_patience_ms }: Limits,
  max_lock_waiters: number,
) {
  const retryLocked = createLockBudget(max_lock_waiters, lock_patience_ms);
  return {
    runTransaction: <T>(work: (tx: Tx) => Promise<T>, waitFirst?: (tx: Tx) => Promise<void>): Promise<T> =>
      inQuerySpan(
        () => 'transaction',
        () =>
          unreachableAsUnavailable(() =>
            retryLocked(async (wait) => {
              if (wait === 'short') return transact(pool, work);
              if (waitFirst !== undefined) await transact(pool, waitFirst, long_lock_timeout_ms);
              return transact(pool, work, long_lock_timeout_ms);
            }),
          ),
      ),
    /** Runs one statement: by itself at first, and where it waits long for a lock, in a transaction that says how long. */
    runStatement: <T>(
      writes: boolean,
      send: (client: DriverClient) => Promise<T>,
      sendIn: (tx: Tx) => Promise<T>,
    ): Promise<T> =>
      unreachableAsUnavailable(() =>
        retryLocked((wait) =>
          wait === 'long' ? transact(pool, sendIn, long_lock_timeout_ms) : runAlone(pool, { writes, send }),
        ),
      ),
  };
}

const lookupSettingsOf = (
  settings: pg.ClientConfig,
  { connect_ms, lookup_timeout_ms }: Limits,
): pg.ClientConfig => ({
  ...settings,
  connectionTimeoutMillis: connect_ms,
  statement_timeout: lookup_timeout_ms,
  query_timeout: answerLimit(lookup_timeout_ms),
});

const settingsOf = (
  { statement_timeout_ms, lock_timeout_ms, idle_limit_ms }: Limits,
  application_name: string,
): pg.ClientConfig => ({
  application_name,
  types,
  statement_timeout: statement_timeout_ms,
  query_timeout: answerLimit(statement_timeout_ms),
  lock_timeout: lock_timeout_ms,
  idle_in_transaction_session_timeout: idle_limit_ms,
});
