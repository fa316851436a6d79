/** The SQL of sums that a worker keeps for each merchant: how far they go, which of them count, and what is missing. */
import { type Queryable, type Row, type Sql, sql, type Tx } from '../../base/pg/index.ts';
import { isNewHere } from '../../ledger/verification/index.ts';

export const quarter_ms = 900_000;

/** The beginning of the quarter of an hour that a time is in. */
export const quarterOf = (time: Sql): Sql => sql`date_bin('15 minutes', ${time}, '2000-01-01Z'::timestamptz)`;

/** The first whole quarter of an hour that begins at a time, or after it. */
export const wholeQuarterFrom = (time: Sql): Sql => quarterOf(sql`${time} + interval '14:59.999999'`);

/** Sums by quarters of an hour, and the table that says how far they go. */
export interface KeptSums {
  marks: Sql;
  /** The quarters in which an attempt was under way when the sums were made (D-541), of the mark `p`. */
  open: Sql;
  /** The quarters of a merchant whose sums do not count, by the mark `k`. */
  stale: (merchant_id: Sql) => Sql;
}

/** How far the sums of a merchant go, and the snapshot that they were made in. */
export interface SumsMark {
  kept_until: Date;
  snapshot: string;
  /** The PostgreSQL server that counts its transactions. */
  counted_by: string;
}

/**
 * One row: the mark of a merchant's sums, or an empty mark. A mark of another server does not count, because that server
 * counts other transactions. A mark from before this server went back to an earlier state does not count either (D-542).
 */
const markOf = ({ marks, open }: KeptSums, merchant_id: Sql): Sql => sql`(
  SELECT coalesce(p.kept_until, '-infinity') AS kept_until, p.snapshot::pg_snapshot AS snapshot, ${open} AS open_quarters
  FROM (VALUES (1)) one (n) LEFT JOIN ${marks} p ON p.merchant_id = ${merchant_id}
    AND p.counted_by = (SELECT system_identifier::text FROM pg_control_system())
    AND pg_snapshot_xmax(p.snapshot::pg_snapshot) <= pg_snapshot_xmax(pg_current_snapshot()))`;

/** Whether a row stored the number of its transaction after the sums of the mark `k` were made. */
export const isNew = (xact: Sql): Sql => sql`${xact} IS NOT NULL AND ${isNewHere(sql`k.snapshot`, xact)}`;

/** Where rows of sums are, and the orders that they are made of. Each row has its time as `at`. */
export interface Source {
  sums: KeptSums;
  kept: (merchant_id: Sql) => Sql;
  orders: (merchant_id: Sql, from: Sql, to: Sql) => Sql;
}

/**
 * What orders of a time add up to: the kept sums that count, and the orders that these do not contain, in one snapshot.
 * The end is a whole quarter of an hour.
 */
export const allOf = (source: Source, id: Sql, from: Sql, to: Sql): Sql =>
  withUnkept(
    source,
    ...[id, from, to],
    sql`${source.kept(id)} AND s.quarter >= c.begun AND s.quarter < least(${to}, k.kept_until)
        AND NOT s.quarter = ANY (c.stale)`,
  );

/**
 * What to add to the total of all kept sums, whether they count or not: the orders that no counting sum contains, and,
 * with a minus sign, the sums that do not count. It reads few rows even if very many sums are kept.
 *
 * @param off such rows of kept sums of a merchant, with amounts below zero
 */
export const beyondAll = (source: Source, off: Source['kept'], id: Sql, from: Sql, to: Sql): Sql =>
  withUnkept(
    source,
    ...[id, from, to],
    sql`${off(id)} AND s.quarter >= greatest(c.begun, k.kept_until) AND s.quarter < ${to}
      UNION ALL ${off(id)} AND s.quarter = ANY (c.stale) AND s.quarter >= c.begun AND s.quarter < ${to}`,
  );

const withUnkept = ({ sums, orders }: Source, id: Sql, from: Sql, to: Sql, kept: Sql): Sql => sql`
  SELECT x.* FROM ${markOf(sums, id)} k CROSS JOIN LATERAL (SELECT ARRAY(${sums.stale(id)}) AS stale,
      ${wholeQuarterFrom(from)} AS begun) c
    CROSS JOIN LATERAL (
      ${kept}
      UNION ALL ${orders(id, from, sql`least(c.begun, ${to})`)}
      UNION ALL ${orders(id, sql`greatest(c.begun, k.kept_until)`, to)}
      UNION ALL SELECT n.* FROM unnest(c.stale) AS q (quarter) CROSS JOIN LATERAL (
        ${orders(id, sql`q.quarter`, sql`q.quarter + interval '15 minutes'`)}) n
      WHERE q.quarter >= c.begun AND q.quarter < ${to}
    ) x`;

/** What a worker has to do for a merchant's sums. */
export interface SumsWork {
  /** Null where no sums count. */
  kept_until: Date | null;
  /** In ascending order. */
  stale: Date[];
  /** How many of them had an attempt under way. */
  open: number;
}

/** Locks the mark of a merchant's sums, and says what they lack. */
export async function lockSums(tx: Tx, sums: KeptSums, merchant_id: string): Promise<SumsWork> {
  await tx.query(sql`SELECT 1 AS one FROM ${sums.marks} WHERE merchant_id = ${merchant_id} FOR UPDATE`);
  const id = sql`${merchant_id}::uuid`;
  const [row] = await tx.query<SumsWork & Row>(
    sql`SELECT nullif(k.kept_until, '-infinity') AS kept_until, ARRAY(${sums.stale(id)} ORDER BY 1) AS stale,
        coalesce(cardinality(k.open_quarters), 0) AS open
      FROM ${markOf(sums, id)} k`,
  );
  return row ?? { kept_until: null, stale: [], open: 0 };
}

/** The time up to which the sums of a merchant count. */
export const keptUntil = (sums: KeptSums, merchant_id: Sql): Sql =>
  sql`(SELECT k.kept_until FROM ${markOf(sums, merchant_id)} k)`;

/** The merchants whose sums can go on: up to a time, or from the beginning. Or those whose sums go beyond now. */
export async function selectMerchantsToSum(
  db: Queryable,
  sums: KeptSums,
  { until, now }: { until: Date; now: Date },
): Promise<string[]> {
  const rows = await db.query<{ merchant_id: string }>(
    sql`SELECT m.merchant_id FROM merchants m CROSS JOIN LATERAL (
        SELECT 1 FROM collection_orders o WHERE o.merchant_id = m.merchant_id LIMIT 1) o
        CROSS JOIN LATERAL ${markOf(sums, sql`m.merchant_id`)} k
      WHERE k.kept_until < ${until} OR k.kept_until > ${now}`,
  );
  return rows.map(({ merchant_id }) => merchant_id);
}

/** Deletes the mark of a merchant's sums: a worker rebuilds them. */
export async function deleteMark(db: Queryable, { marks }: KeptSums, merchant_id: string): Promise<void> {
  await db.query(sql`DELETE FROM ${marks} WHERE merchant_id = ${merchant_id}`);
}
