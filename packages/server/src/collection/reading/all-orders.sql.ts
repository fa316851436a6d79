import { type Queryable, type Row, sql } from '../../base/pg/index.ts';
import { type CollectionOrder, orderColumns as columns, type OrderStatus } from '../orders/index.ts';
import { numbersOf, withStatus } from './order-pages.sql.ts';

/** What a list of orders of all merchants is narrowed to; null where it is not. */
export interface AllOrdersFilter {
  /** A reference, an order number or a trade number, to the letter. */
  text: string | null;
  status: OrderStatus | null;
  /** Numbers that sort before it are left out. */
  since: string | null;
}

/** Orders of all merchants before a number, by number, the newest first: numbers sort by creation (D-156). */
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
  // Each merchant's own indexes are asked: none is on these texts alone.
  return db.query<CollectionOrder & Row>(
    sql`SELECT o.* FROM merchants m CROSS JOIN LATERAL (
        SELECT ${columns} FROM collection_orders
        WHERE merchant_id = m.merchant_id AND order_no IN (${numbersOf(sql`m.merchant_id`, text)}) ${narrowed}
        ORDER BY order_no DESC LIMIT ${limit}) o
      ORDER BY o.order_no DESC LIMIT ${limit}`,
  );
}
