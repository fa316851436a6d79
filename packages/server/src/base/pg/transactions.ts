import type pg from 'pg';
import type { Sql } from 'sql-template-tag';
import { isAftermath, isRetryable } from './db-errors.ts';
import { InvariantError } from '../errors.ts';
import { demandOf, type Row, run, runDemanded, runWrites, type Write } from './statements.ts';

/** Whoever can be asked: the pool or an open transaction. */
export interface Queryable {
  /** Runs one statement, prepared under a name of its own, and gives its rows. */
  query<R extends Row = Row>(statement: Sql): Promise<R[]>;
}

declare const inTransaction: unique symbol;

/** An open transaction. A type of its own that the pool does not satisfy: whoever writes takes one first. */
export interface Tx extends Queryable {
  readonly [inTransaction]: true;
  /**
   * Runs several writes as one statement and checks that each touched as many rows as it expects; throws its
   * `otherwise` (default: a defect) where one did not. One round trip, whatever their number.
   */
  write(writes: Write[]): Promise<void>;
  /**
   * Ends the transaction with these writes, each list a statement, and commits. One round trip for all of it: the
   * guards are checked by the database, which commits nothing where one does not hold. Throws as `write` does.
   * Nothing may follow, and the work returns once this has.
   */
  finish(...lists: Write[][]): Promise<void>;
}

/** Runs `work` in a transaction, up to four times where it meets a deadlock or a serialization failure. */
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
  /** Says that it is of no more use. */
  discard: (error: Error) => void;
}

/** A connection of the pool, which gives it to nobody again where it was lost before it came back. */
export function borrowed(
  pool: pg.Pool,
  lost: () => void = () => undefined,
): { connection: Promise<Connection>; giveBack: () => void } {
  let broken: Error | undefined;
  const discard = (error: Error): void => {
    broken = error;
    lost();
  };
  const connection = pool.connect().then((client) => {
    // One that is lost while in use says so here, beside failing its statements: unheard, it ends the process.
    client.on('error', discard);
    return { client, discard };
  });
  const release = ({ client }: Connection): void => {
    client.off('error', discard);
    client.release(broken);
  };
  // Where there was none to be had, whoever awaits it is told.
  return { connection, giveBack: () => void connection.then(release, () => undefined) };
}

async function transactOnce<T>(pool: pg.Pool, work: (tx: Tx) => Promise<T>): Promise<T> {
  const { connection, giveBack } = borrowed(pool);
  try {
    return await runTransaction(await connection, work);
  } finally {
    giveBack();
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
  // Of statements sent together any may be heard of first: what decides about a retry is the one that failed.
  let failure: unknown;
  const heard = (error: unknown): never => {
    if (!isAftermath(error)) failure ??= error;
    throw error;
  };
  // Async, so that what they refuse is a rejection like any other.
  const tx = {
    query: async <R extends Row>(statement: Sql) => run<R>(open(), statement).catch(heard),
    write: async (writes: Write[]) => runWrites(open(), writes).catch(heard),
    finish: async (...lists: Write[][]) => {
      open();
      // Put together before any is sent: where one cannot be, COMMIT is not sent either.
      const demands = lists.filter((writes) => writes.length > 0).map(demandOf);
      const sent = demands.map((demand) => runDemanded(client, demand));
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
  // COMMIT of a failed transaction answers ROLLBACK without an error: nothing was stored, so say so.
  if (command !== 'COMMIT') throw new InvariantError('a transaction with a failed statement was committed');
}

/** Waits for all; throws what the first of them threw that did, which the others follow from. */
async function firstFailure(sent: Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(sent)) {
    if (result.status === 'rejected') throw result.reason;
  }
}
