/** The SQL of the figures about orders and payments. Test orders do not count. */
import { type Queryable, type Row, sql } from '../../base/pg/index.ts';

/** The payments of a day in one currency that are still paid. */
export interface DayOfPayments extends Row {
  day: string;
  currency: string;
  currency_decimals: number;
  amount_minor: bigint;
  orders: bigint;
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
