import { createHash } from 'node:crypto';
import type pg from 'pg';
import sqlTag, { join, type Sql } from 'sql-template-tag';
import { sqlState } from './db-errors.ts';
import { GuardError, InvariantError } from './errors.ts';
import type { NamedStatement } from './wire.ts';

/** A row as the driver gives it: `int8` and `numeric` as bigint, `timestamptz` as Date, `jsonb` parsed. */
export type Row = Record<string, unknown>;

/** One guarded write: an INSERT, UPDATE or DELETE without RETURNING, and how many rows it must touch. */
export interface Write {
  statement: Sql;
  rows: number;
  /** What it means that the guard did not hold. */
  otherwise?: () => Error;
}

/** Statement names by text. */
const names = new Map<string, string>();

function nameOf(text: string): string {
  let name = names.get(text);
  if (name === undefined) {
    name = createHash('sha256').update(text).digest('base64url').slice(0, 24);
    names.set(text, name);
  }
  return name;
}

/** A statement under the name that it is prepared with: pg prepares each text once per connection. */
export function queryOf(statement: Sql): pg.QueryConfig & NamedStatement {
  const text = statement.text;
  return { name: nameOf(text), text, values: statement.values };
}

export async function run<R extends Row>(client: pg.Pool | pg.PoolClient, statement: Sql): Promise<R[]> {
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

/** Runs writes as one statement; throws where one touched another number of rows than it must. */
export async function runWrites(client: pg.Pool | pg.PoolClient, writes: Write[]): Promise<void> {
  if (writes.length === 0) return;
  const [row] = await run<{ touched: number[] }>(
    client,
    combined(writes, (counts) => sqlTag`ARRAY[${join(counts)}] AS touched`),
  );
  const failed = writes.findIndex(({ rows }, i) => row?.touched[i] !== rows);
  if (failed >= 0) throw failureOf(writes, failed);
}

/** The SQLSTATE of `demand_rows`, whose detail is the place of the write whose guard did not hold. */
export const guardFailed = 'PD001';

/** As `runWrites`, but the database itself refuses: what was sent behind it, COMMIT as well, is then void. */
export async function runDemanded(client: pg.PoolClient, writes: Write[]): Promise<void> {
  try {
    await run(client, demanded(writes));
  } catch (error) {
    throw sqlState(error) === guardFailed
      ? failureOf(writes, Number((error as pg.DatabaseError).detail))
      : error;
  }
}

/** The statement of these writes, with the guards for the database to check. */
export function demanded(writes: Write[]): Sql {
  const wanted = writes.map(({ rows }) => rows);
  return combined(writes, (counts) => sqlTag`demand_rows(ARRAY[${join(counts)}], ${wanted}::integer[])`);
}

const failureOf = (writes: Write[], i: number): Error =>
  writes[i]?.otherwise?.() ?? new GuardError(`write ${i} touched too many rows or too few`);
