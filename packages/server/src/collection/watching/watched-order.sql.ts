import { type Queryable, type Row, sql } from '../../base/pg/index.ts';

/** What changes about a watched order: its version, and whether a channel shows. */
export interface OrderState extends Row {
  order_no: string;
  status_version: number;
  payment_no: string;
}

/** The states of some of a merchant's orders, in one look. */
export function selectOrderStates(
  db: Queryable,
  merchant_id: string,
  order_nos: readonly string[],
): Promise<OrderState[]> {
  return db.query<OrderState>(
    sql`SELECT order_no, status_version, payment_no FROM collection_orders
      WHERE merchant_id = ${merchant_id} AND order_no = ANY(${order_nos})`,
  );
}
