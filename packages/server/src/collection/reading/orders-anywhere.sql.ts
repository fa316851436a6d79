import { type Queryable, type Row, sql } from '../../base/pg/index.ts';
import { type CollectionOrder, type OrderStatus, orderColumns as columns } from '../orders/index.ts';
import { numbersOf, withStatus } from './order-list.sql.ts';

/** What a list of orders of all merchants is narrowed to; null where it is not. */
export interface AnywhereFilter {
  /** A reference, an order number or a trade number, to the letter. */
  text: string | null;
  status: OrderStatus | null;
  /** Numbers that sort before it are left out. */
  since: string | null;
}

/** Orders of all merchants before a number, by number, the newest first: numbers sort by creation (D-156). */
export function selectOrdersAnywhere(
  db: Queryable,
  { text, status, since }: AnywhereFilter,
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

/** Orders whose time has passed with an unresolved payment; of one merchant at most `most` are counted. */
export async function selectInReview(
  db: Queryable,
  most: number,
): Promise<{ due: number; oldest_at: Date | null }> {
  const [row] = await db.query<{ due: number; oldest_at: Date | null }>(
    sql`SELECT count(*)::int AS due, min(w.at) AS oldest_at FROM merchants m CROSS JOIN LATERAL (
        SELECT expires_at AS at FROM collection_orders
        WHERE merchant_id = m.merchant_id AND status = 'review' ORDER BY created_at LIMIT ${most}) w`,
  );
  return row ?? { due: 0, oldest_at: null };
}

/** Orders past their deadline that nobody has ended yet; of one merchant at most `most` are counted. */
export async function selectOverdue(
  db: Queryable,
  now: Date,
  most: number,
): Promise<{ due: number; oldest_at: Date | null }> {
  const [row] = await db.query<{ due: number; oldest_at: Date | null }>(
    sql`SELECT count(*)::int AS due, min(w.at) AS oldest_at FROM merchants m CROSS JOIN LATERAL (
        SELECT expires_at AS at FROM collection_orders
        WHERE merchant_id = m.merchant_id AND status = 'pending' AND expires_at <= ${now}
        ORDER BY expires_at LIMIT ${most}) w`,
  );
  return row ?? { due: 0, oldest_at: null };
}
