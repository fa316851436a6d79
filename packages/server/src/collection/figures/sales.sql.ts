/** The SQL of a merchant's sales in a range of days. Test orders do not count. */
import { type Queryable, type Row, type Sql, sql } from '../../base/pg/index.ts';
import type { DayOfPayments } from './figures.sql.ts';

/** Whole days in a time zone by its PostgreSQL name: from `first` (included) to `after` (excluded). */
export interface DayRange {
  /** Such as 2026-03-02. */
  first: string;
  after: string;
  time_zone: string;
}

/** Whether a time lies in a range. The bounds are computed once, so the condition can use an index. */
const isWithin = (column: Sql, { first, after, time_zone }: DayRange): Sql =>
  sql`${column} >= (${first}::date)::timestamp AT TIME ZONE ${time_zone}
      AND ${column} < (${after}::date)::timestamp AT TIME ZONE ${time_zone}`;

/** Counts the orders that were created in a range, up to `most`. */
export async function countCreated(
  db: Queryable,
  merchant_id: string,
  range: DayRange,
  most: number,
): Promise<bigint> {
  const [row] = await db.query<{ orders: bigint }>(
    sql`SELECT count(*) AS orders FROM (SELECT 1 FROM collection_orders o
      WHERE o.merchant_id = ${merchant_id} AND ${isWithin(sql`o.created_at`, range)} LIMIT ${most}) orders`,
  );
  return row?.orders ?? 0n;
}

/** How far the orders of a day came. An order that came to a step counts in all steps before it. */
export interface DayOfProgress extends Row {
  day: string;
  created: bigint;
  opened: bigint;
  method_chosen: bigint;
  started: bigint;
  paid: bigint;
}

/**
 * Counts the orders that were created in a range by how far they came, by day. `paid` counts confirmed payments,
 * whatever became of them. Each order is one look-up in two keys.
 */
export function selectProgress(
  db: Queryable,
  merchant_id: string,
  range: DayRange,
): Promise<DayOfProgress[]> {
  return db.query<DayOfProgress>(
    sql`SELECT day, count(*) AS created,
        count(*) FILTER (WHERE opened OR attempts > 0 OR paid) AS opened,
        count(*) FILTER (WHERE attempts > 0 OR paid) AS method_chosen,
        count(*) FILTER (WHERE begun > 0 OR paid) AS started,
        count(*) FILTER (WHERE paid) AS paid
      FROM (
        SELECT to_char(o.created_at AT TIME ZONE ${range.time_zone}, 'YYYY-MM-DD') AS day,
          o.event_id IS NOT NULL AS paid,
          EXISTS (SELECT 1 FROM checkout_openings v
            WHERE v.merchant_id = ${merchant_id} AND v.order_no = o.order_no) AS opened,
          a.attempts, a.begun
        FROM collection_orders o CROSS JOIN LATERAL (
          SELECT count(*) AS attempts, count(*) FILTER (WHERE ${hasBegun}) AS begun
          FROM payment_attempts WHERE merchant_id = ${merchant_id} AND order_no = o.order_no) a
        WHERE o.merchant_id = ${merchant_id} AND ${isWithin(sql`o.created_at`, range)} AND NOT o.test_mode) orders
      GROUP BY day`,
  );
}

/** The provider has made a page for the buyer, or the buyer paid in PTK. */
const hasBegun = sql`session_id IS NOT NULL OR provider = 'ptk'`;

/** How the orders of one channel ended: the facts of their last attempts there. */
export interface Endings extends Row {
  payment_no: string;
  state: string;
  /** Why the buyer was declined; null if the provider said nothing. */
  declined: string | null;
  /** Whether the provider made a page for the last attempt. */
  had_page: boolean;
  orders: bigint;
  /** Those of them that came to the provider's page. */
  started: bigint;
}

/** Counts the orders that were created in a range by channel, and by how their last attempt there ended. */
export function selectEndings(db: Queryable, merchant_id: string, range: DayRange): Promise<Endings[]> {
  return db.query<Endings>(
    sql`SELECT payment_no, state, declined, had_page, count(*) AS orders, count(*) FILTER (WHERE begun) AS started
      FROM (
        SELECT DISTINCT ON (a.order_no, a.payment_no) a.payment_no, a.state, a.detail ->> 'declined' AS declined,
          a.session_id IS NOT NULL AS had_page,
          bool_or(${hasBegun}) OVER (PARTITION BY a.order_no, a.payment_no) AS begun
        FROM collection_orders o
          JOIN payment_attempts a ON a.merchant_id = o.merchant_id AND a.order_no = o.order_no
        WHERE o.merchant_id = ${merchant_id} AND a.merchant_id = ${merchant_id}
          AND ${isWithin(sql`o.created_at`, range)} AND NOT o.test_mode
        ORDER BY a.order_no, a.payment_no, a.paid_at IS NULL, a.seq DESC) latest
      GROUP BY 1, 2, 3, 4`,
  );
}

/** Adds up the invoices that were paid in a range and are still paid, by day and currency. */
export function selectPaidWithin(
  db: Queryable,
  merchant_id: string,
  range: DayRange,
): Promise<DayOfPayments[]> {
  return db.query<DayOfPayments>(
    sql`SELECT to_char(occurred_at AT TIME ZONE ${range.time_zone}, 'YYYY-MM-DD') AS day, currency,
        currency_decimals, sum(amount_minor) AS amount_minor, count(*) AS orders
      FROM collection_orders
      WHERE merchant_id = ${merchant_id} AND ${isWithin(sql`occurred_at`, range)}
        AND status = 'paid' AND NOT test_mode
      GROUP BY 1, 2, 3`,
  );
}
