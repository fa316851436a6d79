/** Transactions: begun, tried again, committed with their last writes. */
import type pg from 'pg';
import type { Sql } from 'sql-template-tag';
import type { Driver, DriverClient } from './driver/client.ts';
import { connectOnce } from './driver/open-driver.ts';
import {
  isAftermath,
  isRetryable,
  isTimedOut,
  isUnreachable,
  OutcomeUnknownError,
  sqlState,
} from './driver/db-errors.ts';
import type { Borrowed, Pool } from './driver/pool.ts';
import type { Limits } from './time-limits.ts';
import { sendLimited } from './driver/send-limited.ts';
import { runBatch } from './driver/statement-batch.ts';
import { readyToSend } from './driver/wire.ts';
import { InvariantError } from '../errors.ts';
import { inQuerySpan } from '../tracing/tracing.ts';
import {
  guardedOf,
  guardedStatement,
  queryOf,
  type Row,
  run,
  runGuarded,
  runSeparately,
  runWrites,
  sendSeparately,
  summaryOf,
  type Write,
} from './statements.ts';

/** The pool or an open transaction. */
export interface Queryable {
  /** Runs one statement, prepared under its own name, and returns its rows. */
  query<R extends Row = Row>(statement: Sql): Promise<R[]>;
  /** Whether the tables are distributed over several servers. */
  readonly isDistributed?: boolean;
}

declare const inTransaction: unique symbol;

/** An open transaction. The pool does not satisfy this type, so every function that writes takes a transaction. */
export interface Tx extends Queryable {
  readonly [inTransaction]: true;
  /**
   * Runs several writes as one statement and checks that each touched as many rows as it expects; if one did
   * not, throws its `otherwise` (default: a defect). One round trip.
   */
  write(writes: Write[]): Promise<void>;
  /**
   * Ends the transaction with these writes, each list a statement, and commits, in one round trip. The database checks
   * the guards and commits nothing if one does not hold. Throws as `write` does. It must be the last call.
   */
  finish(...lists: Write[][]): Promise<void>;
}

/** Runs `work` in a transaction, up to four times after a deadlock or a serialization failure. */
export async function transact<T>(
  pool: Pool,
  work: (tx: Tx) => Promise<T>,
  lock_timeout_ms?: number,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await borrowing(pool, (borrowed) => runTransaction(borrowed, work, lock_timeout_ms));
    } catch (error) {
      if (attempt >= 4 || !isRetryable(error)) throw error;
    }
  }
}

/**
 * Runs `work` in a transaction that may take any time, on a separate connection that takes a place of the pool. While the
 * work is elsewhere, as at another transaction or a slow disk, the server is told that it goes on.
 */
export async function transactUnlimited<T>(
  driver: Driver,
  pool: Pool,
  {
    settings,
    connect_ms,
    idle_limit_ms,
  }: { settings: pg.ClientConfig } & Pick<Limits, 'connect_ms' | 'idle_limit_ms'>,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const unlimited = {
    ...settings,
    statement_timeout: 0,
    query_timeout: 0,
    connectionTimeoutMillis: connect_ms,
  };
  const takeBack = await pool.cede();
  try {
    const client = await connectOnce(driver, unlimited);
    const discard = (): void => {
      client.destroy();
    };
    const sign = setInterval(() => void client.query('SELECT').catch(() => undefined), idle_limit_ms / 3);
    try {
      return await runTransaction({ client, discard }, work);
    } finally {
      clearInterval(sign);
      await client.end();
    }
  } finally {
    takeBack();
  }
}

/** Runs one statement as a transaction. */
export const runAlone = <T>(
  pool: Pool,
  { writes, send }: { writes: boolean; send: (client: DriverClient) => Promise<T> },
): Promise<T> =>
  borrowing(pool, async ({ client, discard }) => {
    try {
      return await sendLimited(client, () => send(client), writes);
    } catch (error) {
      if (!isUnreachable(error)) throw error;
      discard();
      throw writes ? new OutcomeUnknownError(error) : error;
    }
  });

/** Runs several writes: as one statement, or each by itself where the tables are distributed (D-337). */
export const runAll = (client: DriverClient, writes: Write[]): Promise<void> =>
  client.isDistributed ? runSeparately(client, writes) : runWrites(client, writes);

/** After this time, the values that decided the writes of `commitAtOnce` may be outdated. */
const maxAge_ms = 1_000;
/** Limits the waits for locks to the shortest time that the database accepts. */
const shortWaits = {
  name: 'short_waits',
  text: `SELECT set_config('lock_timeout', '1ms', true)`,
  values: [],
};

/**
 * Commits writes that were decided without a lock, in one message. They do not wait for a lock or long for a
 * connection: the values behind the decision were read before, so work that would have to wait is decided again under
 * the lock (R-196, D-024).
 *
 * @returns false if nothing has happened
 * @throws OutcomeUnknownError if the connection was lost; the driver's error if there was none
 */
export async function commitAtOnce(pool: Pool, lists: Write[][]): Promise<boolean> {
  const since = performance.now();
  const guarded = lists.filter((writes) => writes.length > 0).map(guardedStatement);
  // A statement that cannot be sent fails here.
  const statements = guarded.map(queryOf).map((query) => ({ text: query.text, ...readyToSend(query) }));
  return inQuerySpan(
    () => guarded.map(summaryOf).join(', '),
    () =>
      sendAtOnce(pool, since, async (client) => {
        if (client.isDistributed) return commitSeparately(client, lists);
        await runBatch(client, [shortWaits, ...statements]);
        return true;
      }),
  );
}

/**
 * The same on distributed tables. Without BEGIN each server would commit its own statements at once. A guard must be
 * checked before COMMIT is sent.
 */
async function commitSeparately(client: DriverClient, lists: Write[][]): Promise<boolean> {
  try {
    await client.begin(1);
    for (const writes of lists) {
      if ((await sendSeparately(client, writes)) === -1) continue;
      await client.query('ROLLBACK');
      return false;
    }
    await commit(client);
    return true;
  } catch (error) {
    if (!isUnreachable(error)) await client.query('ROLLBACK');
    throw error;
  }
}

/** @param since when the writes were decided */
const sendAtOnce = (
  pool: Pool,
  since: number,
  send: (client: DriverClient) => Promise<boolean>,
): Promise<boolean> =>
  borrowing(pool, async ({ client, discard }) => {
    if (performance.now() - since > maxAge_ms) return false;
    try {
      return await send(client);
    } catch (error) {
      if (sqlState(error) === undefined || isUnreachable(error)) {
        discard();
        throw new OutcomeUnknownError(error);
      }
      // A statement that timed out would time out again.
      if (isTimedOut(error)) throw error;
      client.noteError(error);
      return false;
    }
  });

async function borrowing<T>(pool: Pool, work: (borrowed: Borrowed) => Promise<T>): Promise<T> {
  const { connection, release } = pool.borrow();
  try {
    const borrowed = await connection;
    return await work(borrowed).catch((error: unknown) => {
      borrowed.client.noteError(error);
      throw error;
    });
  } finally {
    release();
  }
}

/**
 * Runs `work` between BEGIN and COMMIT.
 *
 * @param lock_timeout_ms instead of the limit of the connection
 * @throws OutcomeUnknownError if the connection was lost after COMMIT was sent
 */
export async function runTransaction<T>(
  { client, discard }: Borrowed,
  work: (tx: Tx) => Promise<T>,
  lock_timeout_ms?: number,
): Promise<T> {
  // Not awaited: the connection pipelines, so BEGIN shares a round trip with the first query of the work.
  const begun = client.begin(lock_timeout_ms);
  begun.catch(() => undefined);
  let committed: Promise<void> | undefined;
  const open = (): DriverClient => {
    if (committed !== undefined) throw new InvariantError('a transaction goes on after it was finished');
    return client;
  };
  // The errors of statements that were sent together arrive in any order. The one that failed first decides on a retry.
  let failure: unknown;
  const recordFailure = (error: unknown): never => {
    if (!isAftermath(error)) failure ??= error;
    throw error;
  };
  // Async, so that a refusal is a rejection like any other.
  const tx = {
    query: async <R extends Row>(statement: Sql) => run<R>(open(), statement).catch(recordFailure),
    write: async (writes: Write[]) => runAll(open(), writes).catch(recordFailure),
    get isDistributed() {
      return client.isDistributed;
    },
    finish: async (...lists: Write[][]) => {
      open();
      if (client.isDistributed) {
        committed = finishSeparately(client, lists);
        return committed;
      }
      // All statements are built before the first is sent: if one cannot be built, COMMIT is not sent either.
      const guarded = lists.filter((writes) => writes.length > 0).map(guardedOf);
      const sent = guarded.map((one) => runGuarded(client, one));
      committed = commit(client);
      await firstFailure([...sent, committed]);
    },
  } as Tx;
  try {
    const result = await work(tx);
    await begun;
    await (committed ??= commit(client));
    return result;
  } catch (error) {
    if (committed !== undefined && isUnreachable(error)) {
      discard();
      throw new OutcomeUnknownError(error);
    }
    await client.query('ROLLBACK').catch(discard);
    throw isAftermath(error) ? (failure ?? error) : error;
  }
}

async function finishSeparately(client: DriverClient, lists: Write[][]): Promise<void> {
  for (const writes of lists) await runSeparately(client, writes);
  await commit(client);
}

async function commit(client: DriverClient): Promise<void> {
  const { command } = await client.query('COMMIT');
  // COMMIT of a failed transaction answers ROLLBACK without an error, although nothing was stored.
  if (command !== 'COMMIT') throw new InvariantError('a transaction with a failed statement was committed');
}

/** Waits for all; throws the first failure in their order, which caused the others. */
async function firstFailure(sent: Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(sent)) {
    if (result.status === 'rejected') throw result.reason;
  }
}
