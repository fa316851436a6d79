import pg from 'pg';
import type { Sql } from 'sql-template-tag';
import { isUnreachable, unreachableAsUnavailable } from './db-errors.ts';
import { gatheringSocket } from './gathering-socket.ts';
import { openGroupCommit, type Part } from './group-commit.ts';
import { listenForever } from './listen.ts';
import { openLookups } from './lookups.ts';
import { queryOf, type Row, run, runWrites, type Write } from './statements.ts';
import { type Queryable, transact, type Tx } from './transactions.ts';

export interface Database extends Queryable {
  /**
   * For look-ups by key, on connections that all requests share, behind whatever else is under way there: only
   * statements that the database answers at once, and never writes.
   */
  readonly lookups: Queryable;
  /**
   * Runs `work` in one transaction and commits; rolls back where it throws. BEGIN travels with the first query.
   * Deadlocks and serialization failures are retried, so `work` does nothing outside the database.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * Runs several writes as one statement of its own, atomically, in one round trip. Only for writes that need
   * no guard: inserts under unique keys.
   */
  writeOnce(writes: Write[]): Promise<void>;
  /**
   * Runs these writes, each part a statement, as a transaction that consists of nothing else: `Tx.finish` without
   * what comes before it. One round trip and one message, together with those of others (docs/adr/0001).
   */
  finish(...parts: Part[]): Promise<void>;
  /** Calls back at each notification on `channel` and after every reconnect. LISTEN only wakes: poll as well. */
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
  /** Connections at most. */
  max?: number;
  application_name?: string;
  /** How long a statement may take, and how long it may wait for a lock; 0: as long as it wants. */
  statement_timeout_ms?: number;
  lock_timeout_ms?: number;
  /** Told of errors on idle connections, which nobody awaits. */
  onError?: (error: Error) => void;
}

/** Connections shared by look-ups, so that one that hangs does not hold up all. */
const lookupLanes = 2;

/** Opens a pool on PostgreSQL. Nothing is connected before the first query. */
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
    stream: gatheringSocket,
    max,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
  });
  pool.on('error', (error) => onError?.(error));
  const commit = openGroupCommit(pool);
  const listeners = new Set<() => Promise<void>>();
  const lookups = openLookups({ ...config, statement_timeout: 5_000 }, lookupLanes, {
    lost: (error) => onError?.(error),
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
