/** The SQL of the administrators' list of orders. */
import { type Queryable, type Row, sql } from '../../base/pg/index.ts';
import { type CollectionOrder, orderColumns as columns, type OrderStatus } from '../orders/index.ts';
import { numbersOf, withStatus } from './order-pages.sql.ts';

/** The filter of a list of orders of all merchants; a null member does not filter. */
export interface AllOrdersFilter {
  /** A reference, an order number or a trade number: exact match. */
  text: string | null;
  status: OrderStatus | null;
  /** Leaves out numbers that sort before this one. */
  since: string | null;
}

/** Selects orders of all merchants that sort before a number, newest first: numbers sort by creation (D-156). */
export function selectOrdersOfAllMerchants(
  db: Queryable,
  { text, status, since }: AllOrdersFilter,
  before: string | null,
  limit: number,
): Promise<CollectionOrder[]> {
  const inStatus = status === null ? sql`` : sql`AND ${withStatus[status]}`;
  const older = before === null ? sql`` : sql`AND order_no < ${before}`;
  const recent = since === null ? sql`` : sql`AND order_no >= ${since}`;
  const narrowed = sql`${inStatus} ${older} ${recent}`;
  if (text === null) {
    return db.query<CollectionOrder & Row>(
      sql`SELECT ${columns} FROM collection_orders WHERE true ${narrowed} ORDER BY order_no DESC LIMIT ${limit}`,
    );
  }
  // Each index starts with the merchant, so the search runs once per merchant.
  return db.query<CollectionOrder & Row>(
    sql`SELECT o.* FROM merchants m CROSS JOIN LATERAL (
        SELECT ${columns} FROM collection_orders
        WHERE merchant_id = m.merchant_id AND order_no IN (${numbersOf(sql`m.merchant_id`, text)}) ${narrowed}
        ORDER BY order_no DESC LIMIT ${limit}) o
      ORDER BY o.order_no DESC LIMIT ${limit}`,
  );
}
