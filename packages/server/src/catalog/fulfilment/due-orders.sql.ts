/** The SQL that finds paid orders that are due for codes. */
import { type Queryable, sql, type Tx } from '../../base/pg/index.ts';

/** Selects the merchants with paid orders that are due for codes. */
export async function selectMerchantsToFulfil(db: Queryable, now: Date, limit: number): Promise<string[]> {
  const rows = await db.query<{ merchant_id: string }>(
    sql`SELECT m.merchant_id FROM merchants m CROSS JOIN LATERAL (
        SELECT 1 FROM catalog_orders o WHERE o.merchant_id = m.merchant_id AND o.fulfil_at <= ${now} LIMIT 1) due
      LIMIT ${limit}`,
  );
  return rows.map(({ merchant_id }) => merchant_id);
}

/** Selects the due orders of a merchant, the longest due first. */
export async function selectOrdersToFulfil(
  db: Queryable,
  merchant_id: string,
  now: Date,
  limit: number,
): Promise<string[]> {
  const rows = await db.query<{ order_no: string }>(
    sql`SELECT order_no FROM catalog_orders WHERE merchant_id = ${merchant_id} AND fulfil_at <= ${now}
      ORDER BY fulfil_at, order_no LIMIT ${limit}`,
  );
  return rows.map(({ order_no }) => order_no);
}

/** Makes the waiting paid orders of a product due again, because new codes may cover them. */
export async function wakeOrders(tx: Tx, merchant_id: string, gd_no: string, now: Date): Promise<void> {
  await tx.query(
    sql`UPDATE catalog_orders SET fulfil_at = ${now}
      WHERE merchant_id = ${merchant_id} AND gd_no = ${gd_no} AND state = 'paid' AND fulfil_at IS NULL
        AND NOT made_again`,
  );
}
