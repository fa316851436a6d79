/** The SQL of the sums of orders by quarters of an hour, which a worker keeps (D-397). Test orders do not count. */
import {
  dayIn,
  type DaysOfZone,
  type Queryable,
  type Row,
  type Sql,
  sql,
  type Tx,
} from '../../base/pg/index.ts';
import {
  allOf,
  beyondAll,
  isNew,
  type KeptSums,
  quarterOf,
  type Source,
  type SumsMark,
  wholeQuarterFrom,
} from './sum-marks.sql.ts';

/** The orders of a quarter of an hour, or of a day. */
export interface OrderSums extends Row {
  currency: string;
  currency_decimals: number;
  /** The orders created in it, and how many of them are paid. */
  created: bigint;
  created_paid: bigint;
  /** The orders whose payment occurred in it and that are paid, and their invoices together. */
  paid: bigint;
  paid_minor: bigint;
}

type QuarterSums = OrderSums & { quarter: Date };

const columns = sql`currency, currency_decimals, created, created_paid, paid, paid_minor`;
const added = sql`sum(created)::bigint AS created, sum(created_paid)::bigint AS created_paid, sum(paid)::bigint AS paid,
  sum(paid_minor) AS paid_minor`;

/** If an order changes after it has ended, the sums of its quarters no longer count. */
export const orderSums: KeptSums = {
  marks: sql`order_sum_marks`,
  open: sql`'{}'::timestamptz[]`,
  stale: (id) => sql`
    SELECT DISTINCT ${quarterOf(sql`t.at`)} AS quarter FROM collection_orders o
      CROSS JOIN LATERAL (VALUES (o.created_at), (o.occurred_at)) AS t (at)
    WHERE o.merchant_id = ${id} AND ${isNew(sql`o.changed_xact`)} AND t.at < k.kept_until`,
};

const source: Source = {
  sums: orderSums,
  kept: (id) => sql`SELECT s.quarter AS at, ${columns} FROM order_sums s WHERE s.merchant_id = ${id}`,
  // One by one, by their creation and by their payment.
  orders: (id, from, to) => sql`
    SELECT o.created_at AS at, o.currency, o.currency_decimals, 1 AS created,
      (o.status = 'paid')::int AS created_paid, 0 AS paid, 0::numeric AS paid_minor FROM collection_orders o
    WHERE o.merchant_id = ${id} AND o.created_at >= ${from} AND o.created_at < ${to} AND NOT o.test_mode
    UNION ALL
    SELECT o.occurred_at, o.currency, o.currency_decimals, 0, 0, 1, o.amount_minor FROM collection_orders o
    WHERE o.merchant_id = ${id} AND o.occurred_at >= ${from} AND o.occurred_at < ${to} AND o.status = 'paid'
      AND NOT o.test_mode`,
};

/** The kept sums of a merchant, to be taken off. */
const off = (id: Sql): Sql => sql`
  SELECT s.quarter AS at, currency, currency_decimals, -created, -created_paid, -paid, -paid_minor FROM order_sums s
  WHERE s.merchant_id = ${id}`;

/** Puts the sums of the orders between two times, of whole quarters, in the place of those that are kept. */
export async function sumOrders(tx: Tx, merchant_id: string, from: Date, to: Date): Promise<void> {
  await tx.query(
    sql`DELETE FROM order_sums WHERE merchant_id = ${merchant_id} AND quarter >= ${from} AND quarter < ${to}`,
  );
  const orders = source.orders(sql`${merchant_id}::uuid`, sql`${from}::timestamptz`, sql`${to}::timestamptz`);
  const found = await tx.query<QuarterSums>(
    sql`SELECT ${quarterOf(sql`at`)} AS quarter, currency, currency_decimals, ${added} FROM (${orders}) orders
      GROUP BY 1, 2, 3`,
  );
  await Promise.all(
    found.map(({ quarter, currency, currency_decimals, created, created_paid, paid, paid_minor }) =>
      tx.query(sql`INSERT INTO order_sums (merchant_id, quarter, ${columns})
        VALUES (${merchant_id}, ${quarter}, ${currency}, ${currency_decimals}, ${created}, ${created_paid}, ${paid},
          ${paid_minor})`),
    ),
  );
}

/**
 * Rebuilds the sums of all merchants together from the sums of each (D-639, D-663). Workers that change these wait
 * meanwhile. Call it first in a transaction that reads one snapshot, so that the snapshot begins after the lock.
 */
export async function sumPlatform(tx: Tx): Promise<void> {
  await tx.query(sql`LOCK TABLE order_sums IN SHARE ROW EXCLUSIVE MODE`);
  await tx.query(sql`DELETE FROM platform_sums`);
  const found = await tx.query<QuarterSums>(
    sql`SELECT quarter, currency, currency_decimals, ${added} FROM order_sums GROUP BY 1, 2, 3`,
  );
  await Promise.all(
    found.map(({ quarter, currency, currency_decimals, created, created_paid, paid, paid_minor }) =>
      tx.query(sql`INSERT INTO platform_sums (quarter, ${columns})
        VALUES (${quarter}, ${currency}, ${currency_decimals}, ${created}, ${created_paid}, ${paid}, ${paid_minor})`),
    ),
  );
}

export async function updateOrderMark(tx: Tx, merchant_id: string, mark: SumsMark): Promise<void> {
  await tx.query(
    sql`INSERT INTO order_sum_marks (merchant_id, kept_until, snapshot, counted_by)
      VALUES (${merchant_id}, ${mark.kept_until}, ${mark.snapshot}, ${mark.counted_by})
      ON CONFLICT (merchant_id) DO UPDATE SET kept_until = excluded.kept_until, snapshot = excluded.snapshot,
        counted_by = excluded.counted_by`,
  );
}

/** The merchants that have orders. */
export async function selectMerchantsWithOrders(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ merchant_id: string }>(
    sql`SELECT m.merchant_id FROM merchants m CROSS JOIN LATERAL (
        SELECT 1 FROM collection_orders o WHERE o.merchant_id = m.merchant_id LIMIT 1) o`,
  );
  return rows.map(({ merchant_id }) => merchant_id);
}

/**
 * The time of the first order or payment, and of the first order that may still be paid. One that was imported may only
 * expire.
 */
export async function selectOrderTimes(
  db: Queryable,
  merchant_id: string,
): Promise<{ first: Date | null; pending: Date | null }> {
  const [row] = await db.query<{ first: Date | null; pending: Date | null }>(
    // The orders that are pending are few; without OFFSET, PostgreSQL may look for the first one among all orders.
    sql`SELECT least((SELECT min(created_at) FROM collection_orders WHERE merchant_id = ${merchant_id}),
          (SELECT min(occurred_at) FROM collection_orders WHERE merchant_id = ${merchant_id})) AS first,
        (SELECT min(created_at) FROM (SELECT created_at FROM collection_orders
          WHERE merchant_id = ${merchant_id} AND status = 'pending' AND fee_status <> 'legacy' OFFSET 0) p) AS pending`,
  );
  return row ?? { first: null, pending: null };
}

/** Sums of a day in one currency. */
export type DaySums = OrderSums & { day: string };

/** A time whose sums are read by days of a zone, from a whole quarter of an hour up to another. */
export interface Span extends DaysOfZone {
  /** Whether sums are kept here at all: not on several servers, as each counts transactions by itself. */
  is_kept: boolean;
}

const timesOf = ({ since, until }: Span): { from: Sql; to: Sql } => ({
  from: sql`${since}::timestamptz`,
  to: sql`${until}::timestamptz`,
});

const byDay = (rows: Sql, span: Span): Sql => sql`
  SELECT ${dayIn(sql`at`, span)} AS day, currency, currency_decimals, ${added}
  FROM (${rows}) orders GROUP BY 1, 2, 3 HAVING sum(created) <> 0 OR sum(paid) <> 0`;

/** Adds up the orders of a merchant by day. */
export function selectDays(db: Queryable, merchant_id: string, span: Span): Promise<DaySums[]> {
  const id = sql`${merchant_id}::uuid`;
  const { from, to } = timesOf(span);
  const rows = span.is_kept ? allOf(source, id, from, to) : source.orders(id, from, to);
  return db.query<DaySums>(byDay(rows, span));
}

/**
 * The same of all merchants together except these, from the totals of all kept sums. A trigger adds them up (D-638), so
 * they agree in every snapshot.
 */
export function selectPlatformDays(
  db: Queryable,
  span: Span,
  without: readonly string[],
): Promise<DaySums[]> {
  const { from, to } = timesOf(span);
  const within = sql`s.quarter >= ${wholeQuarterFrom(from)} AND s.quarter < ${to}`;
  const ids = sql`${[...without]}::uuid[]`;
  return db.query<DaySums>(
    byDay(
      sql`SELECT s.quarter AS at, ${columns} FROM platform_sums s WHERE ${within}
        UNION ALL SELECT o.* FROM merchants m
          CROSS JOIN LATERAL (${beyondAll(source, off, sql`m.merchant_id`, from, to)}) o
        WHERE m.merchant_id <> ALL (${ids})
        UNION ALL SELECT o.* FROM unnest(${ids}) AS w (merchant_id)
          CROSS JOIN LATERAL (${off(sql`w.merchant_id`)} AND ${within}) o`,
      span,
    ),
  );
}
