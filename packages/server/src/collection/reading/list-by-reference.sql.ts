/** The SQL of the list of a merchant's orders by reference or number. */
import { type Queryable, type Row, type Sql, sql } from '../../base/pg/index.ts';
import { type CollectionOrder, orderColumns } from '../orders/index.ts';

/**
 * A merchant's own orders by exact reference, number or both, newest first (D-156). Numbers that are made
 * here sort by creation; those of imported orders may not, so they are looked for by themselves (D-1122).
 */
export function selectOrders(
  db: Queryable,
  merchant_id: string,
  filter: { external_reference: string; order_no: string },
  limit: number,
): Promise<CollectionOrder[]> {
  const { external_reference, order_no } = filter;
  const byReference = external_reference === '' ? sql`` : sql`AND external_reference = ${external_reference}`;
  const byNumber = order_no === '' ? sql`` : sql`AND order_no = ${order_no}`;
  const newest = (some: Sql, sorted: Sql): Sql =>
    sql`SELECT ${orderColumns} FROM collection_orders
      WHERE merchant_id = ${merchant_id} AND ${some} ${byReference} ${byNumber} ORDER BY ${sorted} LIMIT ${limit}`;
  const here = newest(sql`fee_status <> 'legacy'`, sql`order_no DESC`);
  const imported = newest(sql`fee_status = 'legacy'`, sql`created_at DESC, order_no DESC`);
  return db.query<CollectionOrder & Row>(
    sql`SELECT ${orderColumns} FROM ((${here}) UNION ALL (${imported})) found
      ORDER BY created_at DESC, order_no DESC LIMIT ${limit}`,
  );
}
