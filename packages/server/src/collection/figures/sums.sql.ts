/** The SQL of the sums of orders by quarters of an hour, which a worker keeps (D-397). Test orders do not count. */
import { type Queryable, type Row, type Sql, sql, type Tx } from '../../base/pg/index.ts';
import { isNewHere } from '../../ledger/verification/index.ts';

/** The orders of a quarter of an hour, or of a day. */
export interface OrderSums extends Row {
  currency: string;
  currency_decimals: number;
  /** The orders created in it, and those of them that are paid. */
  created: bigint;
  created_paid: bigint;
  /** The orders whose payment occurred in it and that are paid, and their invoices together. */
  paid: bigint;
  paid_minor: bigint;
}

export type QuarterSums = OrderSums & { quarter: Date };

/** How far the sums of a merchant go, and the snapshot that they were made in. */
export interface SumsMark extends Row {
  kept_until: Date;
  snapshot: string;
  /** The PostgreSQL server that counts its transactions. */
  counted_by: string;
}

/** The beginning of the quarter of an hour that a time is in. */
export const quarterOf = (time: Sql): Sql => sql`date_bin('15 minutes', ${time}, '2000-01-01Z'::timestamptz)`;
const sums = sql`sum(created)::bigint AS created, sum(created_paid)::bigint AS created_paid, sum(paid)::bigint AS paid,
  sum(paid_minor) AS paid_minor`;

/** The orders of a merchant one by one, by their creation and by their payment, from a time and up to another. */
const ordersBetween = (merchant_id: Sql, from: Sql, to: Sql): Sql => sql`
  SELECT o.created_at AS at, o.currency, o.currency_decimals, 1 AS created, (o.status = 'paid')::int AS created_paid,
    0 AS paid, 0::numeric AS paid_minor FROM collection_orders o
  WHERE o.merchant_id = ${merchant_id} AND o.created_at >= ${from} AND o.created_at < ${to} AND NOT o.test_mode
  UNION ALL
  SELECT o.occurred_at, o.currency, o.currency_decimals, 0, 0, 1, o.amount_minor FROM collection_orders o
  WHERE o.merchant_id = ${merchant_id} AND o.occurred_at >= ${from} AND o.occurred_at < ${to} AND o.status = 'paid'
    AND NOT o.test_mode`;

/** Adds up the orders themselves. */
export function sumQuarters(
  db: Queryable,
  merchant_id: string,
  from: Date,
  to: Date,
): Promise<QuarterSums[]> {
  return db.query<QuarterSums>(
    sql`SELECT ${quarterOf(sql`at`)} AS quarter, currency, currency_decimals, ${sums}
      FROM (${ordersBetween(sql`${merchant_id}::uuid`, sql`${from}::timestamptz`, sql`${to}::timestamptz`)}) orders
      GROUP BY 1, 2, 3`,
  );
}

export async function selectSumsMark(db: Queryable, merchant_id: string): Promise<SumsMark | null> {
  const [row] = await db.query<SumsMark>(
    sql`SELECT kept_until, snapshot, counted_by FROM order_sum_marks WHERE merchant_id = ${merchant_id}`,
  );
  return row ?? null;
}

/** The quarters whose sums are no longer right, the first first: of orders that have changed since the mark after they had ended. */
export async function selectChangedQuarters(
  db: Queryable,
  merchant_id: string,
  { snapshot, kept_until }: SumsMark,
): Promise<Date[]> {
  const rows = await db.query<{ quarter: Date }>(
    sql`SELECT DISTINCT ${quarterOf(sql`t.at`)} AS quarter FROM collection_orders o
        CROSS JOIN LATERAL (VALUES (o.created_at), (o.occurred_at)) AS t (at)
      WHERE o.merchant_id = ${merchant_id} AND o.changed_xact IS NOT NULL
        AND ${isNewHere(sql`${snapshot}::pg_snapshot`, sql`o.changed_xact`)} AND t.at < ${kept_until} ORDER BY 1`,
  );
  return rows.map(({ quarter }) => quarter);
}

/** The merchants whose sums can go on: up to a time, or from the beginning. */
export async function selectMerchantsToSum(db: Queryable, until: Date): Promise<string[]> {
  const rows = await db.query<{ merchant_id: string }>(
    sql`SELECT m.merchant_id FROM merchants m CROSS JOIN LATERAL (
        SELECT 1 FROM collection_orders o WHERE o.merchant_id = m.merchant_id LIMIT 1) o
        LEFT JOIN order_sum_marks k ON k.merchant_id = m.merchant_id
      WHERE k.kept_until IS NULL OR k.kept_until < ${until}`,
  );
  return rows.map(({ merchant_id }) => merchant_id);
}

/** The merchants that have orders. */
export async function selectMerchantsWithOrders(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ merchant_id: string }>(
    sql`SELECT m.merchant_id FROM merchants m CROSS JOIN LATERAL (
        SELECT 1 FROM collection_orders o WHERE o.merchant_id = m.merchant_id LIMIT 1) o`,
  );
  return rows.map(({ merchant_id }) => merchant_id);
}

/** The time of the first order or payment, and of the first order that is pending. */
export async function selectOrderTimes(
  db: Queryable,
  merchant_id: string,
): Promise<{ first: Date | null; pending: Date | null }> {
  const [row] = await db.query<{ first: Date | null; pending: Date | null }>(
    // The orders that are pending are few; without OFFSET, PostgreSQL may look for the first one among all orders.
    sql`SELECT least((SELECT min(created_at) FROM collection_orders WHERE merchant_id = ${merchant_id}),
          (SELECT min(occurred_at) FROM collection_orders WHERE merchant_id = ${merchant_id})) AS first,
        (SELECT min(created_at) FROM (SELECT created_at FROM collection_orders
          WHERE merchant_id = ${merchant_id} AND status = 'pending' OFFSET 0) p) AS pending`,
  );
  return row ?? { first: null, pending: null };
}

export async function lockSumsMark(tx: Tx, merchant_id: string): Promise<SumsMark | null> {
  const [row] = await tx.query<SumsMark>(
    sql`SELECT kept_until, snapshot, counted_by FROM order_sum_marks WHERE merchant_id = ${merchant_id} FOR UPDATE`,
  );
  return row ?? null;
}

/** Puts sums in the place of those from a time up to another. */
export async function replaceSums(
  tx: Tx,
  merchant_id: string,
  { from, to }: { from: Date; to: Date },
  found: readonly QuarterSums[],
): Promise<void> {
  await tx.query(
    sql`DELETE FROM order_sums WHERE merchant_id = ${merchant_id} AND quarter >= ${from} AND quarter < ${to}`,
  );
  await Promise.all(
    found.map(({ quarter, currency, currency_decimals, created, created_paid, paid, paid_minor }) =>
      tx.query(sql`INSERT INTO order_sums (merchant_id, quarter, currency, currency_decimals, created, created_paid, paid,
          paid_minor)
        VALUES (${merchant_id}, ${quarter}, ${currency}, ${currency_decimals}, ${created}, ${created_paid}, ${paid},
          ${paid_minor})`),
    ),
  );
}

export async function updateSumsMark(tx: Tx, merchant_id: string, mark: SumsMark): Promise<void> {
  await tx.query(
    sql`INSERT INTO order_sum_marks (merchant_id, kept_until, snapshot, counted_by)
      VALUES (${merchant_id}, ${mark.kept_until}, ${mark.snapshot}, ${mark.counted_by})
      ON CONFLICT (merchant_id) DO UPDATE SET kept_until = excluded.kept_until, snapshot = excluded.snapshot,
        counted_by = excluded.counted_by`,
  );
}

/** Forgets how far a merchant's sums go: a worker makes them anew. */
export async function deleteSumsMark(db: Queryable, merchant_id: string): Promise<void> {
  await db.query(sql`DELETE FROM order_sum_marks WHERE merchant_id = ${merchant_id}`);
}

/** Sums of a day in one currency. */
export type DaySums = OrderSums & { day: string };

/** A time whose sums are read by days of a zone. */
export interface Span {
  since: Date;
  /** Absent: there is no end. A whole quarter of an hour. */
  until?: Date;
  time_zone: string;
}

/**
 * Adds up the kept sums, and the orders that are in none: those since the mark, and those of quarters that have
 * changed.
 *
 * @param mark as read before; null if no sums are kept
 * @param changed the quarters that have changed since
 */
export function selectDays(
  db: Queryable,
  merchant_id: string,
  { since, until: end, time_zone }: Span,
  mark: SumsMark | null,
  changed: readonly Date[],
): Promise<DaySums[]> {
  const id = sql`${merchant_id}::uuid`;
  const from = sql`${since}::timestamptz`;
  const to = sql`coalesce(${end ?? null}::timestamptz, 'infinity')`;
  const until = mark === null ? from : sql`greatest(${since}::timestamptz, ${mark.kept_until}::timestamptz)`;
  const quarters = sql`${[...changed]}::timestamptz[]`;
  return db.query<DaySums>(
    sql`SELECT to_char(at AT TIME ZONE ${time_zone}, 'YYYY-MM-DD') AS day, currency, currency_decimals, ${sums} FROM (
        SELECT s.quarter AS at, s.currency, s.currency_decimals, s.created, s.created_paid, s.paid, s.paid_minor
        FROM order_sums s WHERE s.merchant_id = ${id} AND s.quarter >= ${from} AND s.quarter < least(${until}, ${to})
          AND NOT s.quarter = ANY (${quarters})
        UNION ALL ${ordersBetween(id, until, to)}
        UNION ALL SELECT c.* FROM unnest(${quarters}) AS q (quarter) CROSS JOIN LATERAL (
          ${ordersBetween(id, sql`q.quarter`, sql`q.quarter + interval '15 minutes'`)}) c
        WHERE q.quarter >= ${from} AND q.quarter < ${to}
      ) orders GROUP BY 1, 2, 3`,
  );
}

export const quarter_ms = 900_000;
