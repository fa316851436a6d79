import type pg from 'pg';
import type { Sql } from 'sql-template-tag';
import { isAftermath, isRetryable } from './driver/db-errors.ts';
import { InvariantError } from '../errors.ts';
import { guardedOf, type Row, run, runGuarded, runWrites, type Write } from './statements.ts';

/** The pool or an open transaction. */
export interface Queryable {
  /** Runs one statement, prepared under a name of its own, and gives its rows. */
  query<R extends Row = Row>(statement: Sql): Promise<R[]>;
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
export async function transact<T>(pool: pg.Pool, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transactOnce(pool, work);
    } catch (error) {
      if (attempt >= 4 || !isRetryable(error)) throw error;
    }
  }
}

export interface Connection {
  client: pg.PoolClient;
  /** Marks it as unusable. */
  discard: (error: Error) => void;
}

/** Takes a connection from the pool. A connection that is lost meanwhile is not given out again. */
export function borrowConnection(
  pool: pg.Pool,
  lost: () => void = () => undefined,
): { connection: Promise<Connection>; release: () => void } {
  let broken: Error | undefined;
  const discard = (error: Error): void => {
    broken = error;
    lost();
  };
  const connection = pool.connect().then((client) => {
    // A connection that is lost emits this besides failing its statements; without a listener it would end the process.
    client.on('error', discard);
    return { client, discard };
  });
  const giveToPool = ({ client }: Connection): void => {
    client.off('error', discard);
    client.release(broken);
  };
  // If there was no connection, the caller that awaits it gets the error.
  return { connection, release: () => void connection.then(giveToPool, () => undefined) };
}

async function transactOnce<T>(pool: pg.Pool, work: (tx: Tx) => Promise<T>): Promise<T> {
  const { connection, release } = borrowConnection(pool);
  try {
    return await runTransaction(await connection, work);
  } finally {
    release();
  }
}

async function runTransaction<T>({ client, discard }: Connection, work: (tx: Tx) => Promise<T>): Promise<T> {
  // Not awaited: the connection pipelines, so BEGIN shares a round trip with the first query of the work.
  const begun = client.query('BEGIN');
  begun.catch(() => undefined);
  let committed: Promise<void> | undefined;
  const open = (): pg.PoolClient => {
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
    write: async (writes: Write[]) => runWrites(open(), writes).catch(recordFailure),
    finish: async (...lists: Write[][]) => {
      open();
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
    await (committed ?? commit(client));
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch((lost: unknown) => {
      discard(lost as Error);
    });
    throw isAftermath(error) ? (failure ?? error) : error;
  }
}

async function commit(client: pg.PoolClient): Promise<void> {
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
