import { type Queryable, type Row, sql } from '../../base/pg/index.ts';

/** What changes about a watched order: its version, and whether a channel shows. */
export interface Pulse extends Row {
  order_no: string;
  status_version: number;
  payment_no: string;
}

/** The pulses of some of a merchant's orders, in one look. */
export function selectPulses(
  db: Queryable,
  merchant_id: string,
  order_nos: readonly string[],
): Promise<Pulse[]> {
  return db.query<Pulse>(
    sql`SELECT order_no, status_version, payment_no FROM collection_orders
      WHERE merchant_id = ${merchant_id} AND order_no = ANY(${order_nos})`,
  );
}
