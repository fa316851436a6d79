import { type Queryable, type Row, sql } from '../../base/pg/index.ts';

/** The columns of a watched order that change: its version and its selected channel. */
export interface OrderState extends Row {
  order_no: string;
  status_version: number;
  payment_no: string;
}

/** Selects the states of several orders of a merchant in one query. */
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
