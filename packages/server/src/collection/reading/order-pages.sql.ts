/** The SQL of the lists of a merchant's orders. */
import { join, sql, type Sql, type Queryable, type Row } from '../../base/pg/index.ts';
import { type CollectionOrder, type OrderStatus, orderColumns as columns } from '../orders/index.ts';
import type { TimeSpan } from '../../base/input/time-span.ts';

/** The filter of a list of orders; a null member does not filter. */
export interface OrderFilter {
  /** A reference, an order number or a trade number: exact match. */
  text: string | null;
  status: OrderStatus | null;
  created: TimeSpan;
}

/** The last order of a page. The next page starts after it. */
export interface OrderCursor {
  created_at: Date;
  order_no: string;
}

/** Literals, so that the planner can choose a partial index. */
export const withStatus: Readonly<Record<OrderStatus, Sql>> = {
  pending: sql`status = 'pending'`,
  paid: sql`status = 'paid'`,
  review: sql`status = 'review'`,
  expired: sql`status = 'expired'`,
  refunded: sql`status = 'refunded'`,
  chargeback: sql`status = 'chargeback'`,
};

/** Selects a page of a merchant's orders, newest first. */
export function selectOrderPage(
  db: Queryable,
  merchant_id: string,
  { text, status, created: { from, to } }: OrderFilter,
  behind: OrderCursor | null,
  limit: number,
): Promise<CollectionOrder[]> {
  const conditions = [
    ...(text === null ? [] : [sql`order_no IN (${numbersOf(merchant_id, text)})`]),
    ...(status === null ? [] : [withStatus[status]]),
    ...(from === null ? [] : [sql`created_at >= ${from}`]),
    ...(to === null ? [] : [sql`created_at < ${to}`]),
    ...(behind === null ? [] : [sql`(created_at, order_no) < (${behind.created_at}, ${behind.order_no})`]),
  ];
  const narrowed = conditions.length === 0 ? sql`` : sql`AND ${join(conditions, ' AND ')}`;
  return db.query<CollectionOrder & Row>(
    sql`SELECT ${columns} FROM collection_orders WHERE merchant_id = ${merchant_id} ${narrowed}
      ORDER BY created_at DESC, order_no DESC LIMIT ${limit}`,
  );
}

/** Selects a part of a merchant's orders in the order of their creation; empty texts do not filter. */
export function selectOrdersByTime(
  db: Queryable,
  merchant_id: string,
  asked: {
    created: TimeSpan;
    after: OrderCursor | null;
    filter: { external_reference: string; order_no: string };
    limit: number;
  },
): Promise<CollectionOrder[]> {
  const { created, after, filter, limit } = asked;
  const conditions = [
    ...(created.from === null ? [] : [sql`created_at >= ${created.from}`]),
    ...(created.to === null ? [] : [sql`created_at < ${created.to}`]),
    ...(after === null ? [] : [sql`(created_at, order_no) > (${after.created_at}, ${after.order_no})`]),
    ...(filter.external_reference === '' ? [] : [sql`external_reference = ${filter.external_reference}`]),
    ...(filter.order_no === '' ? [] : [sql`order_no = ${filter.order_no}`]),
  ];
  const narrowed = conditions.length === 0 ? sql`` : sql`AND ${join(conditions, ' AND ')}`;
  return db.query<CollectionOrder & Row>(
    sql`SELECT ${columns} FROM collection_orders WHERE merchant_id = ${merchant_id} ${narrowed}
      ORDER BY created_at, order_no LIMIT ${limit}`,
  );
}

/** Selects the numbers of orders with this reference, number or trade number. Each uses its own index. */
export const numbersOf = (merchant_id: string | Sql, text: string): Sql =>
  sql`SELECT order_no FROM collection_orders WHERE merchant_id = ${merchant_id} AND external_reference = ${text}
    UNION SELECT order_no FROM collection_orders WHERE merchant_id = ${merchant_id} AND order_no = ${text}
    UNION SELECT order_no FROM collection_orders WHERE merchant_id = ${merchant_id} AND provider_trade_no = ${text}`;

/**
 * Selects orders with a text anywhere in their reference, number, trade number or payment event, whatever its case:
 * among a merchant's newest `among` orders, so that a search never reads more than these.
 */
export function selectOrdersWith(
  db: Queryable,
  merchant_id: string,
  text: string,
  { among, limit }: { among: number; limit: number },
): Promise<CollectionOrder[]> {
  const wanted = text.toLowerCase();
  return db.query<CollectionOrder & Row>(
    sql`SELECT ${columns} FROM (
        SELECT ${columns} FROM collection_orders WHERE merchant_id = ${merchant_id}
          ORDER BY created_at DESC, order_no DESC LIMIT ${among}
      ) newest
      WHERE strpos(lower(external_reference), ${wanted}) > 0 OR strpos(lower(order_no), ${wanted}) > 0
        OR strpos(lower(provider_trade_no), ${wanted}) > 0 OR strpos(lower(event_id), ${wanted}) > 0
      ORDER BY created_at DESC, order_no DESC LIMIT ${limit}`,
  );
}

/** The texts that can identify orders. */
export interface OrderNames {
  external_references?: readonly string[];
  order_nos?: readonly string[];
  event_ids?: readonly string[];
}

/** Selects a merchant's orders with any of these names. Each kind of name uses its own index. */
export function selectNamedOrders(
  db: Queryable,
  merchant_id: string,
  { external_references = [], order_nos = [], event_ids = [] }: OrderNames,
  limit: number,
): Promise<CollectionOrder[]> {
  const of = sql`FROM collection_orders WHERE merchant_id = ${merchant_id}`;
  return db.query<CollectionOrder & Row>(
    sql`SELECT ${columns} ${of} AND order_no IN (
        SELECT order_no ${of} AND external_reference = ANY(${external_references}::text[])
        UNION SELECT order_no ${of} AND order_no = ANY(${order_nos}::text[])
        UNION SELECT order_no ${of} AND event_id = ANY(${event_ids}::text[]))
      LIMIT ${limit}`,
  );
}
