import { type Queryable, type Row, sql } from '../../base/pg/index.ts';

/** From an instant on, in days of a zone that PostgreSQL knows by this name. */
export interface Days {
  since: Date;
  time_zone: string;
}

/** Orders that were created on a day and stand in one status now. */
export interface DayOfOrders extends Row {
  /** Such as 2026-03-02. */
  day: string;
  status: string;
  orders: bigint;
}

/** How many orders were created, by day and by what has become of them. Test orders do not count. */
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

/** What was paid on a day in one currency and has stayed paid. */
export interface DayOfPayments extends Row {
  day: string;
  currency: string;
  currency_decimals: number;
  amount_minor: bigint;
  orders: bigint;
}

/** What invoices came to that were paid, by day. Test payments do not count. */
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

/** The same as both, of all merchants together. */
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

/** How many orders wait for their buyers and how many for a decision; counted up to `most`. */
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

/** Whether a merchant has ever had an order, and a paid one. */
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
