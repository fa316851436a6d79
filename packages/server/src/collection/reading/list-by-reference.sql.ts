/** The SQL of the list of a merchant's orders by reference or number. */
import { type Queryable, type Row, sql } from '../../base/pg/index.ts';
import { type CollectionOrder, orderColumns } from '../orders/index.ts';

/**
 * A merchant's own orders by exact reference, number or both, newest first: numbers sort by creation
 * (D-156).
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
  return db.query<CollectionOrder & Row>(
    sql`SELECT ${orderColumns} FROM collection_orders WHERE merchant_id = ${merchant_id} ${byReference} ${byNumber}
      ORDER BY order_no DESC LIMIT ${limit}`,
  );
}
