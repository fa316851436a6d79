import pg from 'pg';
import type { Sql } from 'sql-template-tag';
import { isUnreachable, unreachableAsUnavailable } from './driver/db-errors.ts';
import { batchingSocket } from './driver/batching-socket.ts';
import { openGroupCommit, type OwnedWrites } from './group-commit.ts';
import { listenForever } from './listen.ts';
import { openLookups } from './driver/lookups.ts';
import { queryOf, type Row, run, runWrites, type Write } from './statements.ts';
import { type Queryable, transact, type Tx } from './transactions.ts';

export interface Database extends Queryable {
  /**
   * For look-ups by key, on connections that all requests share. Only for statements that the database answers at once,
   * and never for writes.
   */
  readonly lookups: Queryable;
  /**
   * Runs `work` in one transaction and commits; rolls back if it throws. BEGIN is sent together with the first query.
   * Deadlocks and serialization failures are retried, so `work` must do nothing outside the database.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * Runs several writes as one atomic statement in one round trip. Only for writes without guards: inserts under
   * unique keys.
   */
  writeOnce(writes: Write[]): Promise<void>;
  /**
   * Runs these writes as a transaction of their own; each part is one statement. Like `Tx.finish`, but for a transaction
   * that only writes. Several such transactions share one message and one round trip (docs/adr/0001).
   *
   * @returns false if nothing has happened: a guard did not hold, or a lock was not free. Lock, read and decide anew
   */
  finish(...parts: OwnedWrites[]): Promise<boolean>;
  /** Calls `wake` at each notification on `channel` and after each reconnect. LISTEN only wakes: poll as well. */
  listen(channel: string, wake: (payload: string) => void): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

const int8 = 20;
const numeric = 1700;
const parserOf = pg.types.getTypeParser as (oid: number, format?: string) => (value: string) => unknown;

const types = {
  getTypeParser: (oid: number, format?: string) =>
    oid === int8 || oid === numeric ? BigInt : parserOf(oid, format),
};

export interface DatabaseOptions {
  url: string;
  /** Maximum number of connections. */
  max?: number;
  application_name?: string;
  /** Limits of a statement and of its wait for a lock; 0: no limit. */
  statement_timeout_ms?: number;
  lock_timeout_ms?: number;
  /** Told of errors on idle connections, where no caller waits. */
  onError?: (error: Error) => void;
}

/** Connections shared by look-ups. More than one, so that a look-up that hangs does not delay all others. */
const lookupLanes = 2;

/** Opens a pool on PostgreSQL. It connects at the first query. */
export function openDatabase({
  url,
  max = 20,
  application_name = 'paydesk',
  statement_timeout_ms = 30_000,
  lock_timeout_ms = 10_000,
  onError,
}: DatabaseOptions): Database {
  const config = {
    connectionString: url,
    application_name,
    types,
    pipeline: true,
    statement_timeout: statement_timeout_ms,
    lock_timeout: lock_timeout_ms,
    idle_in_transaction_session_timeout: 60_000,
  };
  const pool = new pg.Pool({
    ...config,
    stream: batchingSocket,
    max,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
  });
  pool.on('error', (error) => onError?.(error));
  const commit = openGroupCommit(pool);
  const listeners = new Set<() => Promise<void>>();
  const lookups = openLookups({
    config: { ...config, statement_timeout: 5_000 },
    lanes: lookupLanes,
    onLost: (error) => onError?.(error),
    isLost: isUnreachable,
  });

  return {
    lookups: {
      query: <R extends Row>(statement: Sql) =>
        unreachableAsUnavailable(async () => (await lookups.send(queryOf(statement))) as R[]),
    },
    query: (statement) => unreachableAsUnavailable(() => run(pool, statement)),
    writeOnce: (writes) => unreachableAsUnavailable(() => runWrites(pool, writes)),
    transaction: (work) => unreachableAsUnavailable(() => transact(pool, work)),
    finish: (...parts) => unreachableAsUnavailable(() => commit(parts)),
    async listen(channel, wake) {
      const stop = await listenForever(config, channel, wake, onError);
      listeners.add(stop);
      return stop;
    },
    async close() {
      await Promise.all([...listeners].map((stop) => stop()));
      await Promise.all([pool.end(), lookups.close()]);
    },
  };
}
