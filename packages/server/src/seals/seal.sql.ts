/** Statements on seals, their keys, the mark of the worker, and what the sinks have. */
import { join, type Queryable, type Row, type Sql, sql, type Tx } from '../base/pg/index.ts';
import { platformBook } from '../base/ids.ts';
import type { SealKey } from './keys.ts';
import { sealKind } from './kinds.sql.ts';
import type { SignedSeal } from './seal.ts';

/** How far sealing has come. */
export interface SealMark extends Row {
  sealed_below: bigint;
  cluster: string | null;
  window_to: bigint | null;
  searches_all: boolean;
  after_kind: string | null;
  after_key: string | null;
  passed_at: Date | null;
}

/** Locks the mark; null if another worker holds it. */
export async function lockMark(tx: Tx): Promise<SealMark | null> {
  const [row] = await tx.query<SealMark>(
    sql`SELECT sealed_below, cluster, window_to, searches_all, after_kind, after_key, passed_at FROM seal_marks
      WHERE singleton FOR UPDATE SKIP LOCKED`,
  );
  return row ?? null;
}

export async function selectMark(db: Queryable): Promise<SealMark | null> {
  const [row] = await db.query<SealMark>(
    sql`SELECT sealed_below, cluster, window_to, searches_all, after_kind, after_key, passed_at FROM seal_marks
      WHERE singleton`,
  );
  return row ?? null;
}

export async function updateMark(tx: Tx, mark: SealMark): Promise<void> {
  await tx.query(
    sql`UPDATE seal_marks SET sealed_below = ${mark.sealed_below}, cluster = ${mark.cluster},
      window_to = ${mark.window_to}, searches_all = ${mark.searches_all}, after_kind = ${mark.after_kind},
      after_key = ${mark.after_key}, passed_at = ${mark.passed_at} WHERE singleton`,
  );
}

/** How transactions are counted here and now. */
export interface Horizon extends Row {
  /** All transactions below it have ended. */
  horizon: bigint;
  /** The number of the next transaction. */
  ahead: bigint;
  /** The PostgreSQL cluster. */
  cluster: string;
}

export async function selectHorizon(db: Queryable): Promise<Horizon> {
  const [row] = await db.query<Horizon>(
    sql`SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS horizon,
      pg_snapshot_xmax(pg_current_snapshot())::text::bigint AS ahead,
      (SELECT system_identifier::text FROM pg_control_system()) AS cluster`,
  );
  return row ?? { horizon: 0n, ahead: 0n, cluster: '' };
}

interface SealRow extends Row {
  merchant_id: string;
  seal_no: bigint;
  sealed_at: bigint;
  key_id: string;
  previous: string;
  entry_count: number;
  entries_hash: string;
  hash: string;
  signature: string;
}

/** Everything of a seal except its entries; hash and number of these are counted from what is stored. */
const head = sql`merchant_id, seal_no, (extract(epoch FROM sealed_at) * 1000000)::bigint AS sealed_at, key_id,
  encode(previous, 'hex') AS previous, entry_count, encode(sha256(convert_to(entries, 'UTF8')), 'hex') AS entries_hash,
  encode(hash, 'hex') AS hash, encode(signature, 'hex') AS signature`;

/**
 * The lines of seals `s` whose rows must exist, as `line`. Leaves out lines that an archived batch names, and only lines
 * of kinds that can leave for the archive: any other row must exist.
 */
export const expectedLines = (isLookedAt: Sql): Sql => sql`
  SELECT s.merchant_id, s.seal_no, l.line
  FROM seals s
    LEFT JOIN LATERAL (SELECT bit_or(x.lines) AS lines FROM archived_seal_lines x
      WHERE x.merchant_id = s.merchant_id AND x.seal_no = s.seal_no) a ON true
    CROSS JOIN LATERAL string_to_table(s.entries, E'\\n') WITH ORDINALITY AS l (line, n)
  WHERE ${isLookedAt} AND (a.lines IS NULL OR get_bit(a.lines, (l.n - 1)::integer) = 0
    OR substr(l.line, 46, 6) NOT IN ('event ', 'quote '))`;

/** The last seal of a chain, or null. */
export async function selectLastSeal(
  db: Queryable,
  merchant_id: string,
): Promise<{ seal_no: bigint; hash: string } | null> {
  const [row] = await db.query<{ seal_no: bigint; hash: string }>(
    sql`SELECT seal_no, encode(hash, 'hex') AS hash FROM seals WHERE merchant_id = ${merchant_id}
      ORDER BY seal_no DESC LIMIT 1`,
  );
  return row ?? null;
}

/** The most rows of one statement. */
const maxRows = 256;

/** In statements of 1, 2, 4, … rows: any other number would be another statement, prepared on every connection for ever. */
export async function insertSeals(
  tx: Tx,
  seals: readonly (SignedSeal & { entries: string; at: Date })[],
): Promise<void> {
  const rows = seals.map(
    (s) =>
      sql`(${s.merchant_id}::uuid, ${s.seal_no}::bigint, ${s.at}::timestamptz, decode(${s.previous}, 'hex'),
        ${s.entries}, ${s.entry_count}::integer, decode(${s.hash}, 'hex'), ${s.key_id},
        decode(${s.signature}, 'hex'))`,
  );
  let size = maxRows;
  for (let begin = 0; begin < rows.length; begin += size) {
    while (size > rows.length - begin) size /= 2;
    await tx.query(
      sql`INSERT INTO seals (merchant_id, seal_no, sealed_at, previous, entries, entry_count, hash, key_id, signature)
        VALUES ${join(rows.slice(begin, begin + size))}`,
    );
  }
}

/** Seals of one chain after a number, oldest first. */
export function selectSealsAfter(
  db: Queryable,
  merchant_id: string,
  seal_no: bigint,
  limit: number,
): Promise<SignedSeal[]> {
  return db.query<SealRow>(
    sql`SELECT ${head} FROM seals WHERE merchant_id = ${merchant_id} AND seal_no > ${seal_no}
      ORDER BY seal_no LIMIT ${limit}`,
  );
}

/** The next seals of all chains, in the order of chain and number. */
export function selectAllSeals(
  db: Queryable,
  after: { merchant_id: string; seal_no: bigint },
  limit: number,
): Promise<SignedSeal[]> {
  return db.query<SealRow>(
    sql`SELECT ${head} FROM seals WHERE (merchant_id, seal_no) > (${after.merchant_id}::uuid, ${after.seal_no})
      ORDER BY merchant_id, seal_no LIMIT ${limit}`,
  );
}

/** The numbers of the merchants' seals that seals of the platform cover, as rows. */
export const coveredSeals = (isOfPlatform: Sql): Sql => sql`(
  SELECT (key ->> 0)::uuid AS merchant_id, (key ->> 1)::bigint AS seal_no FROM (
    SELECT substr(line, ${47 + sealKind.length})::json AS key
    FROM seals p CROSS JOIN LATERAL string_to_table(p.entries, E'\\n') AS line
    WHERE p.merchant_id = ${platformBook} AND ${isOfPlatform}
      AND substr(line, 46, ${sealKind.length + 1}) = ${`${sealKind} `}) entry)`;

/**
 * The merchants' seals that some seals of the platform cover, each after the one before it in its chain, which is not new
 * unless they cover it too. In the order of chain and number.
 */
export function selectCoveredSeals(
  db: Queryable,
  numbers: readonly bigint[],
): Promise<(SignedSeal & { is_new: boolean })[]> {
  return db.query<SealRow & { is_new: boolean }>(
    sql`WITH covered AS (SELECT * FROM ${coveredSeals(sql`p.seal_no = ANY(${[...numbers]}::bigint[])`)} c)
      SELECT ${head}, (merchant_id, seal_no) IN (SELECT * FROM covered) AS is_new FROM seals
      WHERE (merchant_id, seal_no) IN (
        SELECT merchant_id, seal_no FROM covered UNION SELECT merchant_id, seal_no - 1 FROM covered)
      ORDER BY merchant_id, seal_no`,
  );
}

/** A seal with its entries, or null. */
export async function selectSeal(
  db: Queryable,
  merchant_id: string,
  seal_no: bigint,
): Promise<(SignedSeal & { entries: string }) | null> {
  const [row] = await db.query<SealRow & { entries: string }>(
    sql`SELECT ${head}, entries FROM seals WHERE merchant_id = ${merchant_id} AND seal_no = ${seal_no}`,
  );
  return row ?? null;
}

/** Seals of one chain with their entries, by their numbers. */
export function selectWholeSeals(
  db: Queryable,
  merchant_id: string,
  numbers: readonly bigint[],
): Promise<(SignedSeal & { entries: string })[]> {
  return db.query<SealRow & { entries: string }>(
    sql`SELECT ${head}, entries FROM seals
      WHERE merchant_id = ${merchant_id} AND seal_no = ANY(${[...numbers]}::bigint[]) ORDER BY seal_no`,
  );
}

export function selectSealKeys(db: Queryable): Promise<SealKey[]> {
  return db.query<SealKey & Row>(
    sql`SELECT key_id, public_key, endorsed_by, endorsement FROM seal_keys ORDER BY first_used_at, key_id`,
  );
}

export async function insertSealKey(tx: Tx, key: SealKey, first_used_at: Date): Promise<void> {
  await tx.query(
    sql`INSERT INTO seal_keys (key_id, public_key, first_used_at)
      VALUES (${key.key_id}, ${key.public_key}, ${first_used_at})`,
  );
}

export async function endorseSealKey(
  tx: Tx,
  key_id: string,
  endorsed_by: string,
  endorsement: Buffer,
): Promise<void> {
  await tx.query(
    sql`UPDATE seal_keys SET endorsed_by = ${endorsed_by}, endorsement = ${endorsement} WHERE key_id = ${key_id}`,
  );
}

/** Up to which seal of the platform a sink has the heads; zero if it has none. */
export async function selectSent(db: Queryable, sink: string): Promise<bigint> {
  const [row] = await db.query<{ seal_no: bigint }>(sql`SELECT seal_no FROM seal_sinks WHERE sink = ${sink}`);
  return row?.seal_no ?? 0n;
}

export async function saveSent(db: Queryable, sink: string, seal_no: bigint): Promise<void> {
  await db.query(
    sql`INSERT INTO seal_sinks AS known (sink, seal_no) VALUES (${sink}, ${seal_no})
      ON CONFLICT (sink) DO UPDATE SET seal_no = greatest(known.seal_no, excluded.seal_no)`,
  );
}

/** The hashes of seals of a chain, by their numbers; numbers without a seal are missing. */
export async function selectSealHashes(
  db: Queryable,
  merchant_id: string,
  numbers: readonly bigint[],
): Promise<Map<bigint, string>> {
  const rows = await db.query<{ seal_no: bigint; hash: string }>(
    sql`SELECT seal_no, encode(hash, 'hex') AS hash FROM seals
      WHERE merchant_id = ${merchant_id} AND seal_no = ANY(${[...numbers]}::bigint[])`,
  );
  return new Map(rows.map(({ seal_no, hash }) => [seal_no, hash]));
}
