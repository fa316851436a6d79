/** The SQL statements of the import of historical orders. */
import { type Queryable, type Row, sql } from '../../base/pg/index.ts';
import { orderOfPtkTrade } from '../../payments/settling/index.ts';
import { type CollectionOrder, insertOrder, orderColumns } from '../orders/index.ts';

/** Selects the orders with these numbers, of any merchant. A number is unique across merchants. */
export function selectOrdersByNos(db: Queryable, order_nos: readonly string[]): Promise<CollectionOrder[]> {
  return db.query<CollectionOrder & Row>(
    sql`SELECT ${orderColumns} FROM collection_orders WHERE order_no = ANY(${order_nos}::text[])`,
  );
}

/** Selects the historical orders that have one of these events, of any merchant. */
export function selectEventOwners(
  db: Queryable,
  event_ids: readonly string[],
): Promise<{ event_id: string; order_no: string }[]> {
  return db.query(
    sql`SELECT event_id, order_no FROM collection_orders
      WHERE fee_status = 'legacy' AND event_id = ANY(${event_ids}::text[])`,
  );
}

/** The values of a stored order that must be unique. */
export interface UniqueValues extends Row {
  order_no: string;
  idempotency_key: string;
  event_id: string | null;
  payment_no: string;
  provider_trade_no: string | null;
}

/** Selects a merchant's orders that have one of these keys, events or trade numbers. */
export function selectUniqueValues(
  db: Queryable,
  merchant_id: string,
  orders: readonly CollectionOrder[],
): Promise<UniqueValues[]> {
  const keys = orders.map(({ idempotency_key }) => idempotency_key);
  const events = orders.flatMap(({ event_id }) => event_id ?? []);
  const payment_nos = orders.map(({ payment_no }) => payment_no);
  const trades = orders.flatMap(({ provider_trade_no }) => provider_trade_no ?? []);
  // The trade number of a payment in PTK is in no index: it names the order, and no import takes it (D-480).
  const paidInPtk = trades.flatMap((trade_no) => orderOfPtkTrade(trade_no) ?? []);
  return db.query<UniqueValues>(
    sql`SELECT order_no, idempotency_key, event_id, payment_no, provider_trade_no FROM collection_orders
      WHERE merchant_id = ${merchant_id} AND (idempotency_key = ANY(${keys}::text[])
        OR event_id = ANY(${events}::text[])
        OR (payment_no = ANY(${payment_nos}::text[]) AND provider_trade_no = ANY(${trades}::text[])
          AND provider_trade_no <> 'PTK:' || order_no)
        OR (order_no = ANY(${paidInPtk}::text[]) AND payment_no = ANY(${payment_nos}::text[])
          AND provider_trade_no = ANY(${trades}::text[])))`,
  );
}

/** Stores an order unless a unique value is already used. Returns whether it was stored. */
export async function insertHistoricalOrder(db: Queryable, order: CollectionOrder): Promise<boolean> {
  const rows = await db.query(sql`${insertOrder(order).statement} ON CONFLICT DO NOTHING RETURNING 1`);
  return rows.length === 1;
}
