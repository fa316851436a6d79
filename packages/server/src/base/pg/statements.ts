/** Runs statements, and several guarded writes as one statement. */
import { createHash } from 'node:crypto';
import type pg from 'pg';
import sqlTag, { join, type Sql } from 'sql-template-tag';
import { sqlState } from './driver/db-errors.ts';
import { GuardError, InvariantError } from '../errors.ts';
import { inQuerySpan } from '../tracing/tracing.ts';
import type { NamedStatement } from './driver/wire.ts';

/** A row as the driver gives it: `int8` and `numeric` as bigint, `timestamptz` as Date, `jsonb` parsed. */
export type Row = Record<string, unknown>;

/** One write, an INSERT, UPDATE or DELETE without RETURNING, and how many rows it must touch. */
export interface Write {
  statement: Sql;
  /** A second statement for the same rows, for which the first does not apply: their rows are counted together. */
  or?: Sql;
  /** `all` for an INSERT of VALUES: it writes each of its rows or fails, so they need not be counted. */
  rows: number | 'all';
  /**
   * The row or rows that it changes, if another write might change the same. A statement changes a row only once, so two
   * writes of one statement must not name the same row.
   */
  row?: string | readonly string[];
  /** The error if the guard does not hold. */
  otherwise?: () => Error;
}

/** A statement's text, and the name under which it is prepared. */
interface Prepared {
  strings: readonly string[];
  text: string;
  name: string;
}

/** The cache, by the number of strings. */
const prepared = new Map<number, Prepared[]>();

/** Whether two texts consist of the same strings. From the end: different statements mostly differ there. */
function areSame(some: readonly string[], others: readonly string[]): boolean {
  for (let i = some.length - 1; i >= 0; i--) if (some[i] !== others[i]) return false;
  return true;
}

/**
 * The text of a statement and its name, cached by the strings of its template: joining a text of some thousand characters
 * costs more than everything else that is done to send it.
 */
function preparedOf(statement: Sql): Prepared {
  const { strings } = statement;
  const alike = prepared.get(strings.length) ?? [];
  const known = alike.find((one) => areSame(one.strings, strings));
  if (known !== undefined) return known;
  const { text } = statement;
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 24);
  const made = { strings, text, name };
  prepared.set(strings.length, [...alike, made]);
  return made;
}

/** A statement with the name under which pg prepares it, once per connection. */
export function queryOf(statement: Sql): pg.QueryConfig & NamedStatement {
  const { name, text } = preparedOf(statement);
  return { name, text, values: statement.values };
}

export async function run<R extends Row>(client: pg.ClientBase, statement: Sql): Promise<R[]> {
  const { rows } = await inQuerySpan(
    () => summaryOf(statement),
    () => client.query<R>(queryOf(statement)),
  );
  return rows;
}

/** The summaries of statements, by the names under which they are prepared. */
const summaries = new Map<string, string>();

const step = /\b(INSERT INTO|UPDATE|DELETE FROM|FROM|JOIN)\s+(?:ONLY\s+)?((?!w\d)[a-z_]\w*)\b(\s*\()?/g;

/** What a statement does to which tables, such as `SELECT merchants, INSERT collection_orders`. It has no values. */
export function summaryOf(statement: Sql): string {
  const { name, text } = preparedOf(statement);
  const known = summaries.get(name);
  if (known !== undefined) return known;
  const steps = Array.from(text.matchAll(step), ([, verb = '', table = '', opens]) => {
    const [word = ''] = verb.split(' ');
    if (word !== 'FROM' && word !== 'JOIN') return [`${word} ${table}`];
    return opens === undefined ? [`SELECT ${table}`] : [];
  }).flat();
  const summary = [...new Set(steps)].slice(0, 8).join(', ') || /^\s*(\w+)/.exec(text)?.[1] || 'statement';
  summaries.set(name, summary);
  return summary;
}

/** Joins all writes to one statement of data-modifying CTEs. `answer` makes its only row of the counted writes. */
function combined(writes: Write[], answer: (counted: Counted[]) => Sql): Sql {
  refuseSameRow(writes);
  const parts = writes.flatMap(({ statement, or, rows }, i) => {
    const returning = rows === 'all' ? sqlTag`` : sqlTag` RETURNING 1`;
    const part = sqlTag`${rawName(i)} AS (${statement}${returning})`;
    return or === undefined ? [part] : [part, sqlTag`${rawName(i)}_or AS (${or}${returning})`];
  });
  const counted = writes.flatMap(({ rows, or }, i) => {
    if (rows === 'all') return [];
    const first = sqlTag`(SELECT count(*)::int FROM ${rawName(i)})`;
    const count =
      or === undefined ? first : sqlTag`(${first} + (SELECT count(*)::int FROM ${rawName(i)}_or))`;
    return [{ place: i, rows, count }];
  });
  return sqlTag`WITH ${join(parts)} SELECT ${answer(counted)}`;
}

/**
 * All writes of a statement see the same snapshot. If two change one row, PostgreSQL applies only one, and the other would
 * look as if its guard did not hold.
 */
function refuseSameRow(writes: Write[]): void {
  const rows = writes.flatMap(({ row }) => row ?? []);
  const twice = rows.find((row, i) => rows.indexOf(row) !== i);
  if (twice !== undefined) {
    throw new InvariantError(`two writes of one statement change ${twice}: make them one write`);
  }
}

/** A write whose rows are counted. */
interface Counted {
  /** Its place in the list. */
  place: number;
  /** How many rows it must touch. */
  rows: number;
  /** How many it touched. */
  count: Sql;
}

const ordinals = Array.from({ length: 64 }, (_, i) => sqlTag([`w${i}`]));

function rawName(i: number): Sql {
  const name = ordinals[i];
  if (name === undefined) throw new InvariantError('too many writes in one statement');
  return name;
}

/** Runs writes as one statement; throws if one touched another number of rows than it must. */
export async function runWrites(client: pg.ClientBase, writes: Write[]): Promise<void> {
  if (writes.length === 0) return;
  const places: number[] = [];
  const statement = combined(writes, (counted) => {
    places.push(...counted.map(({ place }) => place));
    return counted.length === 0
      ? sqlTag`1`
      : sqlTag`ARRAY[${join(counted.map(({ count }) => count))}] AS touched`;
  });
  const [row] = await run<{ touched: number[] }>(client, statement);
  const failed = places.find((place, i) => row?.touched[i] !== writes[place]?.rows);
  if (failed !== undefined) throw failureOf(writes, failed);
}

/**
 * Runs writes as separate statements, all in one message. For distributed tables, where one statement may write for
 * one owner only. The caller commits after it, not with it.
 *
 * @returns the place of the first that touched another number of rows than it must, or -1
 */
export async function sendSeparately(client: pg.ClientBase, writes: Write[]): Promise<number> {
  refuseSameRow(writes);
  const touched = await countTouched(
    client,
    writes.map(({ statement }) => statement),
  );
  // Only where the first statement did not apply: it has changed the rows that the second one would see.
  for (const [i, { or, rows }] of writes.entries()) {
    if (or === undefined || touched[i] === rows) continue;
    const [more = 0] = await countTouched(client, [or]);
    touched[i] = (touched[i] ?? 0) + more;
  }
  return writes.findIndex(({ rows }, i) => rows !== 'all' && touched[i] !== rows);
}

/** Sends all statements in one message, and gives how many rows each has changed; throws the error of the first. */
async function countTouched(client: pg.ClientBase, statements: readonly Sql[]): Promise<number[]> {
  const sent = statements.map((statement) =>
    inQuerySpan(
      () => summaryOf(statement),
      () => client.query(queryOf(statement)),
    ),
  );
  return (await Promise.allSettled(sent)).map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value.rowCount ?? 0;
  });
}

/** The same; throws if one touched another number of rows than it must. */
export async function runSeparately(client: pg.ClientBase, writes: Write[]): Promise<void> {
  const failed = await sendSeparately(client, writes);
  if (failed !== -1) throw failureOf(writes, failed);
}

/** The SQLSTATE of `refuse_write`, whose detail is the place of the write whose guard did not hold. */
const guardFailed = 'PD001';

/** Writes, and the one statement of them that the database refuses if a guard does not hold. */
export interface GuardedWrites {
  writes: Write[];
  statement: Sql;
}

export const guardedOf = (writes: Write[]): GuardedWrites => ({
  writes,
  statement: guardedStatement(writes),
});

/** As `runWrites`, but the database itself refuses: then nothing that was sent behind it takes effect, not even COMMIT. */
export async function runGuarded(client: pg.ClientBase, { writes, statement }: GuardedWrites): Promise<void> {
  try {
    await run(client, statement);
  } catch (error) {
    throw sqlState(error) === guardFailed
      ? failureOf(writes, Number((error as pg.DatabaseError).detail))
      : error;
  }
}

/** The statement of these writes; the database checks its guards. */
export function guardedStatement(writes: Write[]): Sql {
  return combined(writes, (counted) => {
    if (counted.length === 0) return sqlTag`1`;
    const refusals = counted.map(
      ({ place, rows, count }) =>
        sqlTag`WHEN ${count} <> ${rows}::integer THEN refuse_write(${place}::integer)`,
    );
    return sqlTag`CASE ${join(refusals, ' ')} END`;
  });
}

const failureOf = (writes: Write[], i: number): Error =>
  writes[i]?.otherwise?.() ?? new GuardError(`write ${i} touched too many rows or too few`);
