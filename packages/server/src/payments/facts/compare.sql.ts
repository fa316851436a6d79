/** Builds the statements that compare stored facts with the other records of the same facts. */
import { join, type Row, type Sql, sql } from '../../base/pg/index.ts';
import { type Scope, within } from '../../ledger/verification/index.ts';

/** One value that differs from what another record says. */
export interface Difference extends Row {
  /** The book: a merchant's id, or the platform's. */
  owner: string;
  subject: string;
  /** The row with its key, in words. */
  row: string;
  what: string;
  expected: string | null;
  found: string | null;
}

/** A statement that finds differences of one kind. */
export interface Check {
  /** The kind of its findings, in docs/ledger.md. */
  kind: string;
  statement: (scope: Scope) => Sql;
  /** Decides what SQL cannot: the difference, or null if there is none. */
  settle?: (row: Difference) => Difference | null;
}

/**
 * What is compared, what it should be, and what it is. Where `expected` is expensive, `surely` is a cheap condition under
 * which the two are equal for certain; the others are compared in full.
 */
export type Comparison = readonly [what: string, expected: Sql, found: Sql, surely?: Sql];

/** A comparison for a condition that should hold. */
export const must = (what: string, condition: Sql): Comparison => [
  what,
  sql`'there'`,
  sql`CASE WHEN ${condition} THEN 'there' ELSE 'missing' END`,
  condition,
];

interface Compared {
  kind: string;
  owner: Sql;
  subject: Sql;
  row: Sql;
  from: (scope: Scope) => Sql;
  where?: Sql;
  values: readonly Comparison[];
}

const differsIn = ([, expected, found, surely]: Comparison): Sql => {
  const inFull = sql`(${expected}) IS DISTINCT FROM (${found})`;
  return surely === undefined ? inFull : sql`CASE WHEN ${surely} THEN false ELSE ${inFull} END`;
};

/** Compares values of rows. Only rows with a difference are written out, so sound rows cost little. */
export const compare = ({ kind, owner, subject, row, from, where, values }: Compared): Check => ({
  kind,
  statement: (scope) => {
    const differs = values.map(differsIn);
    const lines = values.map(
      ([what, expected, found]) => sql`(${what}::text, (${expected})::text, (${found})::text)`,
    );
    return sql`SELECT ${owner}::text AS owner, ${subject} AS subject, ${row} AS row, diff.what, diff.expected, diff.found
      FROM ${from(scope)} CROSS JOIN LATERAL (VALUES ${join(lines)}) AS diff (what, expected, found)
      WHERE ${where ?? sql`true`} AND ${within(scope, owner, subject)} AND (${join(differs, ' OR ')})
        AND diff.expected IS DISTINCT FROM diff.found`;
  },
});

/** A power of ten; the usual decimals cost no computation. */
export const tenTo = (
  decimals: Sql,
): Sql => sql`CASE ${decimals} WHEN 2 THEN 1e2 WHEN 0 THEN 1e0 WHEN 8 THEN 1e8
    ELSE power(10::numeric, ${decimals}) END`;

/** PTK for minor units of a currency, rounded half up. */
export const inPtk = (minor: Sql, decimals: Sql, price_e12: Sql): Sql =>
  sql`CASE WHEN ${price_e12} > 0 THEN
    div(2 * ${minor} * 1e20::numeric + ${tenTo(decimals)} * ${price_e12}, 2 * ${tenTo(decimals)} * ${price_e12}) END`;

/** An instant as the API writes it. An offset of zero is UTC, and needs no look-up of a time zone. */
export const instantText = (at: Sql): Sql =>
  sql`to_char(${at} AT TIME ZONE interval '0', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** The time in an id that is a prefix of three characters and a ULID. */
const timeOfId = (id: Sql): Sql => {
  const digits = Array.from({ length: 10 }, (_, i) => {
    const place = 32n ** BigInt(9 - i);
    return sql`(strpos('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(${id}, ${i + 4}::int, 1)) - 1) * ${place}::bigint`;
  });
  return sql`to_timestamp((${join(digits, ' + ')}) / 1000.0::float8)`;
};

/**
 * How far times of different processes, or of one process whose clock was set back, may be apart. Twice 90 seconds, and
 * some time for the work between them.
 */
export const clockTolerance = sql`interval '5 minutes'`;

/** Whether a time is not before another one, as far as the clocks of processes can tell. */
export const notBefore = (at: Sql, other: Sql): Sql => sql`${at} >= ${other} - ${clockTolerance}`;

/** Whether an id of Paydesk was made at a time. Ids of one process never go back in time, but its clock may. */
export const madeAt = (id: Sql, at: Sql): Sql =>
  sql`length(${id}) <> 29 OR ${timeOfId(id)} BETWEEN ${at} - ${clockTolerance} AND ${at} + ${clockTolerance}`;
