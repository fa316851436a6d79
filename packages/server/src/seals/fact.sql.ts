/** Statements on sealed rows of all kinds: their canonical form, and the pages in which a pass reads them. */
import { join, type Queryable, raw, type Row, type Sql, sql } from '../base/pg/index.ts';
import { platformBook } from '../base/ids.ts';
import { type Column, type FactKind, factKinds, sealKind } from './kinds.sql.ts';
import { coveredSeals, expectedLines } from './seal.sql.ts';

/** Pieces of a text: words, and SQL of what stands between them. */
export type Piece = { words: string } | { sql: string };

const quoted = (value: string): Piece[] => [{ words: '"' }, { sql: value }, { words: '"' }];

/** SQL of one value as JSON: a text or null. It does not depend on any setting of the session. */
export function jsonValue({ name, form, nullable }: Column): Piece[] {
  const written = {
    text: [{ sql: `to_json(${name})::text` }],
    prose: [{ sql: `to_json(${name})::text` }],
    json: [{ sql: `to_json(${name}::text)::text` }],
    plain: quoted(`${name}::text`),
    time: quoted(`(extract(epoch FROM ${name}) * 1000000)::bigint::text`),
  }[form];
  return nullable ? [{ sql: `coalesce(${textSql(written)}, 'null')` }] : written;
}

/** SQL of a text of pieces. Joined in pairs, so that no long piece is copied again with every short one. */
export function textSql(pieces: readonly Piece[]): string {
  const merged: string[] = [];
  let words = '';
  const endWords = (): void => {
    if (words !== '') merged.push(`'${words}'`);
    words = '';
  };
  for (const piece of pieces) {
    if ('words' in piece) words += piece.words;
    else {
      endWords();
      merged.push(piece.sql);
    }
  }
  endWords();
  const inPairs = (parts: readonly string[]): string => {
    if (parts.length <= 2) return parts.join(' || ');
    const half = parts.length >> 1;
    return `(${inPairs(parts.slice(0, half))}) || (${inPairs(parts.slice(half))})`;
  };
  return inPairs(merged);
}

/** SQL of a row of a kind as a JSON object, from its values. */
export function objectSql({ columns }: FactKind, valueOf: (column: Column) => Piece[]): string {
  const members = columns.flatMap((column, i): Piece[] => {
    const name = { words: `${i === 0 ? '{' : ','}"${column.name}":` };
    if (!column.optional) return [name, ...valueOf(column)];
    return [{ sql: `coalesce(${textSql([name, ...valueOf({ ...column, nullable: false })])}, '')` }];
  });
  return textSql([...members, { words: '}' }]);
}

/** SQL of the canonical row of a kind (`canonicalRow` writes the same text). */
const canonicalSql = (kind: FactKind): string => objectSql(kind, jsonValue);

/** SQL of the hash of a canonical row, in base64. */
const hashSql = (kind: FactKind): string =>
  `encode(sha256(convert_to(${canonicalSql(kind)}, 'UTF8')), 'base64')`;

/** SQL of the key of a row: a JSON array of texts. */
function keySql({ key }: FactKind): string {
  const parts = key.map(([column, type]) =>
    type === 'text' ? `to_json(${column})::text` : `'"' || ${column}::text || '"'`,
  );
  return `'[' || ${parts.join(` || ',' || `)} || ']'`;
}

const ofMerchant = ({ chain }: FactKind): boolean => chain === 'f.merchant_id';

const finalSql = ({ final }: FactKind): string => (final === null ? '' : `AND ${final}`);

/** The row after which a page begins: its chain and its key. */
export interface FactCursor {
  merchant_id: string;
  key: string;
}

/** The values of a key, cast to the types of its columns. */
function keyValues({ key }: FactKind, text: string): Sql {
  const values = JSON.parse(text) as string[];
  return join(key.map(([, type], i) => sql`${values[i] ?? ''}::${raw(type)}`));
}

export interface FoundFact extends Row {
  merchant_id: string;
  key: string;
  hash: string;
}

/** The transactions whose rows a pass seals. */
export interface Window {
  from: bigint;
  /** Exclusive; all transactions below it have ended. */
  to: bigint;
  /** After a restore: only rows that have no seal count. */
  is_restored: boolean;
  /** Set in the first window after a restore: rows of transactions from here on count too. */
  all_from: bigint | null;
}

/**
 * Whether there are rows of a transaction from a number on, as after the restore of the dump of a server that counted
 * further. On a distributed database too, rows have the numbers of the server that is asked (D-425).
 */
export async function hasFactsFrom(db: Queryable, xact: bigint): Promise<boolean> {
  const parts = factKinds.map((kind) => sql`EXISTS (SELECT 1 ${kind.from} WHERE sealed_xact >= ${xact})`);
  const [row] = await db.query<{ found: boolean }>(sql`SELECT ${join(parts, ' OR ')} AS found`);
  return row?.found === true;
}

/**
 * Plans the statements of this transaction for their own values, and does not compile them: that would take longer than
 * running them. A plan for any values expects few rows in a window, and sorts all rows of a large one for each page (D-720).
 */
export async function planForPages(tx: Queryable): Promise<void> {
  await tx.query(
    sql`SELECT set_config('jit', 'off', true), set_config('plan_cache_mode', 'force_custom_plan', true)`,
  );
}

/** Reads the next rows of a kind to seal, in the order of chain and key. */
export function selectFactsToSeal(
  db: Queryable,
  kind: FactKind,
  { from, to, is_restored, all_from }: Window,
  after: FactCursor | null,
  limit: number,
): Promise<FoundFact[]> {
  const columns = raw(kind.key.map(([column]) => column).join(', '));
  const chain = ofMerchant(kind) ? sql`f.merchant_id, ` : sql``;
  const chainValue = ofMerchant(kind) && after !== null ? sql`${after.merchant_id}::uuid, ` : sql``;
  const page =
    after === null ? sql`` : sql`AND (${chain}${columns}) > (${chainValue}${keyValues(kind, after.key)})`;
  const numbers =
    all_from === null
      ? sql`sealed_xact >= ${from} AND sealed_xact < ${to}`
      : sql`(sealed_xact < ${to} OR sealed_xact >= ${all_from})`;
  const window = is_restored
    ? sql`${numbers} AND NOT EXISTS (
          SELECT 1 FROM seals s CROSS JOIN LATERAL string_to_table(s.entries, E'\\n') AS line
          WHERE s.merchant_id = ${raw(kind.chain)}
            AND substr(line, 46) = ${`${kind.name} `} || ${raw(keySql(kind))})`
    : numbers;
  return db.query<FoundFact>(
    sql`SELECT ${raw(kind.chain)} AS merchant_id, ${raw(keySql(kind))} AS key, ${raw(hashSql(kind))} AS hash
      ${kind.from} WHERE ${window} ${raw(finalSql(kind))} ${page}
      ORDER BY ${chain}${columns} LIMIT ${limit}`,
  );
}

/** The canonical rows of these keys of one chain. Keys without a row are missing. */
export function selectCanonicalRows(
  db: Queryable,
  kind: FactKind,
  merchant_id: string,
  keys: readonly string[],
): Promise<{ key: string; row: string }[]> {
  const parts = kind.key.map(([, type], i) => `(wanted.key::json ->> ${i})::${type}`).join(', ');
  const columns = kind.key.map(([column]) => column).join(', ');
  const ofChain = ofMerchant(kind) ? sql`merchant_id = ${merchant_id}::uuid AND` : sql``;
  return db.query<{ key: string; row: string }>(
    sql`SELECT ${raw(keySql(kind))} AS key, ${raw(canonicalSql(kind))} AS row ${kind.from}
      WHERE ${ofChain} (${raw(columns)}) IN (
        SELECT ${raw(parts)} FROM unnest(${[...keys]}::text[]) AS wanted (key)) ${raw(finalSql(kind))}`,
  );
}

/** A row of the comparison between what was sealed and what is there. */
export interface FactFault extends Row {
  merchant_id: string;
  /** Kind and key. */
  subject: string;
  /** Null where there is no seal. */
  seal_no: bigint | null;
  fault: 'changed' | 'missing' | 'unsealed' | 'added';
}

/** What tells whether a row without a seal is at fault. */
export interface UnsealedLimits {
  /** Rows of these transactions have a seal, or were added past the service. */
  sealed_below: bigint;
  /** No transaction has got this number yet. */
  ahead: bigint;
  /** Rows that are older have a seal, or the sealing is late. */
  cutoff: Date;
}

/** The rows of all kinds, or of some, with values of each, its transaction and its age. */
export const factsOf = (
  kinds: readonly FactKind[],
  values: (kind: FactKind) => Sql,
  where: (kind: FactKind) => Sql,
): Sql[] =>
  kinds.map(
    (kind) => sql`SELECT ${raw(kind.chain)} AS merchant_id, ${values(kind)}, sealed_xact,
        ${raw(kind.at ?? 'NULL::timestamptz')} AS at
      ${kind.from} WHERE ${raw(kind.final ?? 'true')} AND ${where(kind)}`,
  );

/** What a row is now. */
const subjectAndHash = (kind: FactKind): Sql =>
  sql`${raw(`'${kind.name} '`)} || ${raw(keySql(kind))} AS subject, ${raw(hashSql(kind))} AS hash`;

/** The seals of merchants, which seals of the platform cover. */
export const sealsAsFacts = (where: Sql): Sql =>
  sql`SELECT ${raw(`'${platformBook}'::uuid`)} AS merchant_id,
        ${raw(`'${sealKind} ["'`)} || merchant_id::text || '","' || seal_no::text || '"]' AS subject,
        encode(sha256(convert_to(encode(hash, 'hex') || ' ' || encode(signature, 'hex'), 'UTF8')), 'base64') AS hash,
        NULL::bigint AS sealed_xact, '-infinity'::timestamptz AS at
      FROM seals WHERE ${where}`;

/** What an earlier check has verified. */
interface SealedBefore {
  seal_no: bigint;
  sealed_below: bigint;
}

/** Of seals with the name `of`, whether a newer seal of the platform covers them. */
const isCovered = ({ seal_no }: SealedBefore, of: Sql): Sql =>
  sql`(${of}.merchant_id, ${of}.seal_no) IN (SELECT * FROM ${coveredSeals(sql`p.seal_no > ${seal_no}`)} c)`;

/**
 * Compares the rows of some chains with their seals, both ways, in one pass over both: rows that differ, rows that are
 * gone, and rows that have no seal and should have one.
 */
export function selectFaultsOfChains(
  db: Queryable,
  chains: readonly string[],
  limits: UnsealedLimits,
  limit: number,
): Promise<FactFault[]> {
  const isOne = (chain: Sql): Sql => sql`${chain} = ANY(${[...chains]}::uuid[])`;
  const seals = sql`${chains.includes(platformBook)} AND merchant_id <> ${platformBook}`;
  const facts = [
    ...factsOf(factKinds, subjectAndHash, ({ chain }) => isOne(raw(chain))),
    sealsAsFacts(seals),
  ];
  return compareWithSeals(db, { facts, isLookedAt: isOne(sql`s.merchant_id`) }, limits, limit);
}

/**
 * The same for newer seals than an earlier check has verified, and for rows of newer transactions.
 */
export function selectNewFaults(
  db: Queryable,
  limits: UnsealedLimits,
  since: SealedBefore,
  limit: number,
): Promise<FactFault[]> {
  const isLookedAt = sql`((s.merchant_id = ${platformBook} AND s.seal_no > ${since.seal_no}) OR ${isCovered(since, sql`s`)})`;
  const isNew = sql`sealed_xact >= ${since.sealed_below}`;
  const facts = [
    ...factsOf(factKinds, subjectAndHash, () => isNew),
    sealsAsFacts(isCovered(since, sql`seals`)),
  ];
  return compareWithSeals(db, { facts, isLookedAt }, limits, limit);
}

/** The same for the rows of one kind of the platform, without the other rows of its chain. */
export function selectFaultsOfKind(
  db: Queryable,
  kind: FactKind,
  limits: UnsealedLimits,
  limit: number,
): Promise<FactFault[]> {
  const isLookedAt = sql`s.merchant_id = ${platformBook} AND starts_with(substr(line, 46), ${`${kind.name} `})`;
  return compareWithSeals(
    db,
    { facts: factsOf([kind], subjectAndHash, () => sql`true`), isLookedAt },
    limits,
    limit,
  );
}

function compareWithSeals(
  db: Queryable,
  { facts, isLookedAt }: { facts: readonly Sql[]; isLookedAt: Sql },
  { sealed_below, ahead, cutoff }: UnsealedLimits,
  limit: number,
): Promise<FactFault[]> {
  return db.query<FactFault>(
    sql`WITH sealed AS (
        SELECT merchant_id, seal_no, substr(line, 46) AS subject, left(line, 44) AS hash
        FROM (${expectedLines(isLookedAt)}) l
      ), facts AS (${join(facts, ' UNION ALL ')}), compared AS (
        SELECT merchant_id, subject, seal_no, CASE
          WHEN f.hash IS NULL THEN 'missing'
          WHEN s.hash <> f.hash THEN 'changed'
          WHEN s.hash IS NULL AND (f.sealed_xact IS NULL OR f.sealed_xact < ${sealed_below}
            OR f.sealed_xact >= ${ahead}) THEN 'added'
          WHEN s.hash IS NULL AND f.at <= ${cutoff} THEN 'unsealed' END AS fault
        FROM sealed s FULL JOIN facts f USING (merchant_id, subject)
      )
      SELECT merchant_id, subject, seal_no, fault FROM compared WHERE fault IS NOT NULL
      ORDER BY merchant_id, seal_no, subject LIMIT ${limit}`,
  );
}
