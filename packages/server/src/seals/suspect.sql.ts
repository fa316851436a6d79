/**
 * Finds the chains in which a row may differ from its seal, in one pass without sorts and joins (D-386, D-387). Only these
 * chains are then compared row by row (`selectFaultsOfChains`), which costs several times as much.
 *
 * The rows that a seal covers and the rows in the table are two sets of lines. If the sets are equal, their sizes and the
 * sums of their hashes are equal. If the sets differ, the sums are equal with a chance of 2^-128: the hashes depend on two
 * numbers that no one can know before the check draws them.
 */
import { platformBook } from '../base/ids.ts';
import { join, type Queryable, raw, type Sql, sql } from '../base/pg/index.ts';
import {
  factsOf,
  jsonValue,
  objectSql,
  type Piece,
  sealsAsFacts,
  textSql,
  type UnsealedLimits,
} from './fact.sql.ts';
import { type Column, type FactKind, factKinds } from './kinds.sql.ts';
import { expectedLines } from './seal.sql.ts';

/** Until then a time in microseconds, divided and multiplied by a million, is still the same in double precision. */
const exactTimes = `BETWEEN '1970-01-01Z' AND '2038-01-01Z'`;

/** A value as in a canonical row, if nothing in it has to be escaped. */
function plainValue(column: Column): Piece[] {
  const { name, form, nullable } = column;
  if (form === 'text' && !nullable) return [{ words: '"' }, { sql: name }, { words: '"' }];
  if (form !== 'time' || nullable) return jsonValue(column);
  const time = `CASE WHEN ${name} ${exactTimes} THEN round(date_part('epoch', ${name}) * 1e6::float8)::bigint
    ELSE (extract(epoch FROM ${name}) * 1000000)::bigint END`;
  return [{ words: '"' }, { sql: `(${time})::text` }, { words: '"' }];
}

/**
 * The line that a seal has of a row. Escapes begin with a backslash: without one in a value, no other row has this line. A
 * row with one has no line here, and one with quotes another one than its seal; their chains are compared row by row.
 */
function plainLine(kind: FactKind): Sql {
  const texts = kind.columns.filter(({ form, nullable }) => form === 'text' && !nullable);
  const hash = `encode(sha256(convert_to(${objectSql(kind, plainValue)}, 'UTF8')), 'base64')`;
  const key = kind.key.flatMap(([column], i): Piece[] => [
    { words: i === 0 ? '' : '","' },
    { sql: `${column}::text` },
  ]);
  const line = [{ sql: hash }, { words: ` ${kind.name} ["` }, ...key, { words: '"]' }];
  return raw(`CASE WHEN strpos(${textSql(texts.map(({ name }) => ({ sql: name })))}, '\\') = 0
    THEN ${textSql(line)} END AS line`);
}

/** Two hashes of a line. */
const hashes = sql`hashtextextended(line, (SELECT one FROM drawn)) AS one,
  hashtextextended(line, (SELECT other FROM drawn)) AS other`;

const drawnNumber = sql`('x' || right(gen_random_uuid()::text, 12) || right(gen_random_uuid()::text, 4))::bit(64)::bigint`;

/**
 * The chains to compare row by row. Rows of transactions that are not sealed yet do not count, unless they are late or of a
 * transaction that never was.
 */
export async function selectSuspects(
  db: Queryable,
  { sealed_below, ahead, cutoff }: UnsealedLimits,
): Promise<string[]> {
  const lines = factsOf(factKinds, plainLine, () => sql`true`);
  const seals = sql`SELECT merchant_id, hash || ' ' || subject AS line, sealed_xact, at
    FROM (${sealsAsFacts(sql`merchant_id <> ${platformBook}`)}) s`;
  const rows = await db.query<{ merchant_id: string }>(
    sql`WITH drawn AS MATERIALIZED (SELECT ${drawnNumber} AS one, ${drawnNumber} AS other),
      sealed AS (
        SELECT merchant_id, count(*) AS lines, sum(one) AS one, sum(other) AS other FROM (
          SELECT merchant_id, ${hashes} FROM (${expectedLines(sql`true`)}) l) s
        GROUP BY merchant_id
      ), facts AS (
        SELECT merchant_id, count(*) FILTER (WHERE is_sealed) AS lines, sum(one) FILTER (WHERE is_sealed) AS one,
          sum(other) FILTER (WHERE is_sealed) AS other, coalesce(bool_or(is_late), false) AS is_late
        FROM (
          SELECT merchant_id, ${hashes}, sealed_xact IS NULL OR sealed_xact < ${sealed_below} AS is_sealed,
            sealed_xact >= ${sealed_below} AND (sealed_xact >= ${ahead} OR at <= ${cutoff}) AS is_late
          FROM (${join([...lines, seals], ' UNION ALL ')}) l) f
        GROUP BY merchant_id
      )
      SELECT merchant_id::text AS merchant_id FROM sealed s FULL JOIN facts f USING (merchant_id)
      WHERE f.is_late OR (coalesce(s.lines, 0), s.one, s.other) IS DISTINCT FROM (coalesce(f.lines, 0), f.one, f.other)`,
  );
  return rows.map(({ merchant_id }) => merchant_id);
}
