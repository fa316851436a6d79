import { createHash } from 'node:crypto';
import pg from 'pg';
import sqlTag, { join, type Sql } from 'sql-template-tag';
import { AppError, GuardError, InvariantError } from './errors.ts';
import { gatheringSocket } from './gathering-socket.ts';
import { openLookups } from './lookups.ts';
import { runBatch } from './statement-batch.ts';
import { arePrepared, type NamedStatement } from './wire.ts';

export { default as sql, empty, join, raw, type Sql } from 'sql-template-tag';

/** A row as the driver gives it: `int8` and `numeric` as bigint, `timestamptz` as Date, `jsonb` parsed. */
export type Row = Record<string, unknown>;

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

/** Who can commit what is ready to be written: an open transaction, or the pool, which takes one for it. */
export type Committer = Pick<Tx, 'finish'>;

/** One guarded write: an INSERT, UPDATE or DELETE without RETURNING, and how many rows it must touch. */
export interface Write {
  statement: Sql;
  rows: number;
  /** What it means that the guard did not hold. */
  otherwise?: () => Error;
}

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
   * Runs these writes, each list a statement, as a transaction that consists of nothing else: `Tx.finish` without
   * what comes before it. One round trip and one message, once a connection knows the statements.
   */
  finish(...lists: Write[][]): Promise<void>;
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

/** Statement names by text: pg prepares each text once per connection. */
const names = new Map<string, string>();

function nameOf(text: string): string {
  let name = names.get(text);
  if (name === undefined) {
    name = createHash('sha256').update(text).digest('base64url').slice(0, 24);
    names.set(text, name);
  }
  return name;
}

function queryOf(statement: Sql): pg.QueryConfig & NamedStatement {
  const text = statement.text;
  return { name: nameOf(text), text, values: statement.values };
}

async function run<R extends Row>(client: pg.Pool | pg.PoolClient, statement: Sql): Promise<R[]> {
  return (await client.query<R>(queryOf(statement))).rows;
}

/** One statement of all writes as data-modifying CTEs; its only row is what `counted` makes of how many rows each touched. */
function combined(writes: Write[], counted: (counts: Sql[]) => Sql): Sql {
  const parts = writes.map(
    ({ statement }, i) =>
      sqlTag`${i === 0 ? sqlTag`WITH` : sqlTag`,`} ${rawName(i)} AS (${statement} RETURNING 1)`,
  );
  const counts = writes.map((_, i) => sqlTag`(SELECT count(*)::int FROM ${rawName(i)})`);
  return sqlTag`${concat(parts)} SELECT ${counted(counts)}`;
}

const ordinals = Array.from({ length: 64 }, (_, i) => sqlTag([`w${i}`]));

function rawName(i: number): Sql {
  const name = ordinals[i];
  if (name === undefined) throw new InvariantError('too many writes in one statement');
  return name;
}

function concat(parts: Sql[]): Sql {
  return parts.reduce((all, part) => sqlTag`${all}${part}`, sqlTag``);
}

async function runWrites(client: pg.Pool | pg.PoolClient, writes: Write[]): Promise<void> {
  if (writes.length === 0) return;
  const [row] = await run<{ touched: number[] }>(
    client,
    combined(writes, (counts) => sqlTag`ARRAY[${join(counts)}] AS touched`),
  );
  const failed = writes.findIndex(({ rows }, i) => row?.touched[i] !== rows);
  if (failed >= 0) throw failureOf(writes, failed);
}

/** The SQLSTATE of `demand_rows`, whose detail is the place of the write whose guard did not hold. */
const guardFailed = 'PD001';

/** As `runWrites`, but the database itself refuses: what was sent behind it, COMMIT as well, is then void. */
async function runDemanded(client: pg.PoolClient, writes: Write[]): Promise<void> {
  try {
    await run(client, demanded(writes));
  } catch (error) {
    throw sqlState(error) === guardFailed
      ? failureOf(writes, Number((error as pg.DatabaseError).detail))
      : error;
  }
}

function demanded(writes: Write[]): Sql {
  const wanted = writes.map(({ rows }) => rows);
  return combined(writes, (counts) => sqlTag`demand_rows(ARRAY[${join(counts)}], ${wanted}::integer[])`);
}

const failureOf = (writes: Write[], i: number): Error =>
  writes[i]?.otherwise?.() ?? new GuardError(`write ${i} touched too many rows or too few`);

/** The SQLSTATE of a database error, or undefined for any other. Constraint names are never read. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

export const isUniqueViolation = (error: unknown): boolean => sqlState(error) === '23505';
export const isCheckViolation = (error: unknown): boolean => sqlState(error) === '23514';

const retryable = new Set(['40001', '40P01']);

/** What a lost or refused connection looks like: by class 08 and 57P, or an error of the socket. */
export function isUnreachable(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== undefined) return state.startsWith('08') || state.startsWith('57P') || state === '53300';
  if (!(error instanceof Error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  return (
    (code !== undefined && /^(ECONN|EPIPE|ENOENT|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_)/.test(code)) ||
    /connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/i.test(
      error.message,
    )
  );
}

/** A statement behind one that failed in its transaction: what it says is not what went wrong. */
const isAftermath = (error: unknown): boolean => sqlState(error) === '25P02';

/** Waited too long for a lock or an answer: nothing happened, and a retry may fare better. */
const overloaded = new Set(['55P03', '57014']);

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
    finish: (...lists) => unreachableAsUnavailable(() => finishAtOnce(pool, lists)),
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

async function unreachableAsUnavailable<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!isUnreachable(error) && !overloaded.has(sqlState(error) ?? '')) throw error;
    const unavailable = new AppError('service_unavailable', { retry_after_s: 5 });
    unavailable.cause = error;
    throw unavailable;
  }
}

/**
 * A transaction of writes alone. On a connection that does not know their statements yet it goes the ordinary way,
 * which prepares them; so it does where a guard of a batch did not hold, to tell which, and where a batch met a deadlock.
 */
async function finishAtOnce(pool: pg.Pool, lists: Write[][]): Promise<void> {
  const statements = lists.filter((writes) => writes.length > 0).map((writes) => queryOf(demanded(writes)));
  const isDone = await withClient(pool, async (client) => {
    if (!arePrepared(client, statements)) return false;
    try {
      await runBatch(client, statements);
      return true;
    } catch (error) {
      const state = sqlState(error) ?? '';
      if (state === guardFailed || retryable.has(state)) return false;
      throw error;
    }
  });
  if (!isDone) await transact(pool, (tx) => tx.finish(...lists));
}

async function transact<T>(pool: pg.Pool, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transactOnce(pool, work);
    } catch (error) {
      if (attempt >= 4 || !retryable.has(sqlState(error) ?? '')) throw error;
    }
  }
}

/** Gives `work` a connection of the pool, which is not given to anyone again where it was lost meanwhile. */
async function withClient<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient, discard: (error: Error) => void) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  // A connection that is lost while in use says so here, beside failing its statements: unheard, it ends the process.
  const discard = (error: Error): void => {
    broken = error;
  };
  client.on('error', discard);
  try {
    return await work(client, discard);
  } finally {
    client.off('error', discard);
    client.release(broken);
  }
}

const transactOnce = <T>(pool: pg.Pool, work: (tx: Tx) => Promise<T>): Promise<T> =>
  withClient(pool, async (client, discard) => {
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
        const sent = lists.filter((writes) => writes.length > 0).map((writes) => runDemanded(client, writes));
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
  });

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

/** A connection of its own that listens, and is opened anew after it is lost. */
async function listenForever(
  config: pg.ClientConfig,
  channel: string,
  wake: (payload: string) => void,
  onError: DatabaseOptions['onError'],
): Promise<() => Promise<void>> {
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const connect = async (): Promise<void> => {
    const next = new pg.Client({ ...config, statement_timeout: 0 });
    client = next;
    const retry = (error?: Error): void => {
      if (client !== next) return;
      client = undefined;
      if (error !== undefined) onError?.(error);
      if (stopped) return;
      timer = setTimeout(() => void connect().catch(() => undefined), 1_000);
    };
    next.on('error', retry);
    next.on('end', () => {
      retry();
    });
    next.on('notification', ({ payload }) => {
      wake(payload ?? '');
    });
    try {
      await next.connect();
      await next.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
    } catch (error) {
      retry(error as Error);
      void next.end().catch(() => undefined);
      throw error;
    }
    wake('');
  };
  const stop = async (): Promise<void> => {
    stopped = true;
    clearTimeout(timer);
    const last = client;
    client = undefined;
    await last?.end().catch(() => undefined);
  };
  try {
    await connect();
  } catch (error) {
    // Nobody gets to stop what never began.
    await stop();
    throw error;
  }
  return stop;
}
