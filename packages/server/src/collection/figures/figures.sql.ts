/** The SQL of the figures about orders and payments. Test orders do not count. */
import { type Queryable, type Row, sql } from '../../base/pg/index.ts';

/** The days since an instant, in a time zone by its PostgreSQL name. */
export interface Days {
  since: Date;
  time_zone: string;
}

/** The number of orders that were created on a day and have this status now. */
export interface DayOfOrders extends Row {
  /** For example, 2026-03-02. */
  day: string;
  status: string;
  orders: bigint;
}

/** Counts the orders created since an instant, by day and current status. */
export function selectCreated(
  db: Queryable,
  merchant_id: string,
  { since, time_zone }: Days,
): Promise<DayOfOrders[]> {
  return db.query<DayOfOrders>(
    sql`SELECT to_char(created_at AT TIME ZONE ${time_zone}, 'YYYY-MM-DD') AS day, status, count(*) AS orders
      FROM collection_orders WHERE merchant_id = ${merchant_id} AND created_at >= ${since} AND NOT test_mode
      GROUP BY 1, 2`,
  );
}

/** The payments of a day in one currency that are still paid. */
export interface DayOfPayments extends Row {
  day: string;
  currency: string;
  currency_decimals: number;
  amount_minor: bigint;
  orders: bigint;
}

/** Adds up the invoiced amounts of paid orders, by day and currency. */
export function selectPaid(
  db: Queryable,
  merchant_id: string,
  { since, time_zone }: Days,
): Promise<DayOfPayments[]> {
  return db.query<DayOfPayments>(
    sql`SELECT to_char(occurred_at AT TIME ZONE ${time_zone}, 'YYYY-MM-DD') AS day, currency, currency_decimals,
        sum(amount_minor) AS amount_minor, count(*) AS orders
      FROM collection_orders
      WHERE merchant_id = ${merchant_id} AND occurred_at >= ${since} AND status = 'paid' AND NOT test_mode
      GROUP BY 1, 2, 3`,
  );
}

/** Like `selectCreated` and `selectPaid`, for all merchants together. */
export async function selectPlatformFigures(
  db: Queryable,
  { since, time_zone }: Days,
): Promise<{ created: DayOfOrders[]; paid: DayOfPayments[] }> {
  const [created, paid] = await Promise.all([
    db.query<DayOfOrders>(
      sql`SELECT d.day, d.status, sum(d.orders)::bigint AS orders FROM merchants m CROSS JOIN LATERAL (
          SELECT to_char(created_at AT TIME ZONE ${time_zone}, 'YYYY-MM-DD') AS day, status, count(*) AS orders
          FROM collection_orders
          WHERE merchant_id = m.merchant_id AND created_at >= ${since} AND NOT test_mode GROUP BY 1, 2) d
        GROUP BY 1, 2`,
    ),
    db.query<DayOfPayments>(
      sql`SELECT d.day, d.currency, d.currency_decimals, sum(d.amount_minor) AS amount_minor,
          sum(d.orders)::bigint AS orders
        FROM merchants m CROSS JOIN LATERAL (
          SELECT to_char(occurred_at AT TIME ZONE ${time_zone}, 'YYYY-MM-DD') AS day, currency, currency_decimals,
            sum(amount_minor) AS amount_minor, count(*) AS orders
          FROM collection_orders
          WHERE merchant_id = m.merchant_id AND occurred_at >= ${since} AND status = 'paid' AND NOT test_mode
          GROUP BY 1, 2, 3) d
        GROUP BY 1, 2, 3`,
    ),
  ]);
  return { created, paid };
}

/** Counts the pending orders and the orders in review, each up to `most`. */
export async function countUnresolved(
  db: Queryable,
  merchant_id: string,
  most: number,
): Promise<{ pending: bigint; review: bigint }> {
  const [row] = await db.query<{ pending: bigint; review: bigint }>(
    sql`SELECT (SELECT count(*) FROM (SELECT 1 FROM collection_orders
          WHERE merchant_id = ${merchant_id} AND status = 'pending' LIMIT ${most}) p) AS pending,
        (SELECT count(*) FROM (SELECT 1 FROM collection_orders
          WHERE merchant_id = ${merchant_id} AND status = 'review' LIMIT ${most}) r) AS review`,
  );
  return row ?? { pending: 0n, review: 0n };
}

/** Whether a merchant has ever had an order, and a paid order. */
export async function selectMilestones(
  db: Queryable,
  merchant_id: string,
): Promise<{ ordered: boolean; paid: boolean }> {
  const [row] = await db.query<{ ordered: boolean; paid: boolean }>(
    sql`SELECT EXISTS (SELECT 1 FROM collection_orders WHERE merchant_id = ${merchant_id}) AS ordered,
        EXISTS (SELECT 1 FROM collection_orders
          WHERE merchant_id = ${merchant_id} AND occurred_at IS NOT NULL) AS paid`,
  );
  return row ?? { ordered: false, paid: false };
}

/** Whether any merchant has ever had an order, and a paid order. Each merchant is one range of an index. */
export async function selectPlatformMilestones(db: Queryable): Promise<{ ordered: boolean; paid: boolean }> {
  const [row] = await db.query<{ ordered: boolean; paid: boolean }>(
    sql`SELECT EXISTS (SELECT 1 FROM merchants m CROSS JOIN LATERAL (
          SELECT 1 FROM collection_orders o WHERE o.merchant_id = m.merchant_id LIMIT 1) o) AS ordered,
        EXISTS (SELECT 1 FROM merchants m CROSS JOIN LATERAL (
          SELECT 1 FROM collection_orders o
          WHERE o.merchant_id = m.merchant_id AND o.occurred_at IS NOT NULL LIMIT 1) o) AS paid`,
  );
  return row ?? { ordered: false, paid: false };
}

/** The orders of a merchant with one status and currency. */
export interface StatusOrders {
  status: string;
  currency: string;
  currency_decimals: number;
  orders: bigint;
  /** Those of them whose payment was confirmed. */
  confirmed: bigint;
  amount_minor: bigint;
}

/** Counts the orders of these merchants that were created since an instant. */
export function selectMerchantOrders(
  db: Queryable,
  merchant_ids: readonly string[],
  since: Date,
): Promise<(StatusOrders & { merchant_id: string })[]> {
  return db.query<StatusOrders & { merchant_id: string } & Row>(
    sql`SELECT m.merchant_id, o.* FROM merchants m CROSS JOIN LATERAL (
        SELECT status, currency, currency_decimals, count(*) AS orders, count(occurred_at) AS confirmed,
          sum(amount_minor) AS amount_minor
        FROM collection_orders
        WHERE merchant_id = m.merchant_id AND created_at >= ${since} AND NOT test_mode GROUP BY 1, 2, 3) o
      WHERE m.merchant_id = ANY(${merchant_ids}::uuid[])`,
  );
}
