/** The SQL statements of the table `collection_orders`. Each names the merchant. */
import { type Queryable, type Tx, type Row, type Write, sql } from '../../base/pg/index.ts';
import { overdueOrders } from '../../payments/deadlines/index.ts';
import type { CollectionOrder } from './order.ts';

/** The payment's time is stored as an instant and as the channel's text, `occurred_at_text` (R-040, D-052). */
const columns = sql`merchant_id, order_no, idempotency_key, external_reference, description, requested_payment_no,
  amount_minor, currency, currency_decimals, created_at, expires_in, expires_at, return_url, notify_mode, notify_url,
  notify_secret_box, notify_secret_digest, token_key_id, status, status_version, price_e12, gross_settlement_ptk,
  hold_days, fee_status, fee_version, payment_no, test_mode, payment_currency, payment_decimals, payment_amount,
  buyer_fee, merchant_fee, merchant_fee_ptk, settlement_ptk, event_id, provider_trade_no, occurred_at,
  occurred_at_text, wallet_user_id`;

export { columns as orderColumns };

/** Inserts an order. The unique index on merchant and key decides between parallel creations (R-109, D-033). */
export function insertOrder(o: CollectionOrder): Write {
  return {
    statement: sql`INSERT INTO collection_orders (${columns}) VALUES (${o.merchant_id}::uuid, ${o.order_no},
      ${o.idempotency_key}, ${o.external_reference}, ${o.description}, ${o.requested_payment_no},
      ${o.amount_minor}::numeric, ${o.currency}, ${o.currency_decimals}::smallint, ${o.created_at}::timestamptz,
      ${o.expires_in}::integer, ${o.expires_at}::timestamptz, ${o.return_url}, ${o.notify_mode}, ${o.notify_url},
      ${o.notify_secret_box}::bytea, ${o.notify_secret_digest}::bytea, ${o.token_key_id}, ${o.status},
      ${o.status_version}::integer, ${o.price_e12}::numeric, ${o.gross_settlement_ptk}::numeric,
      ${o.hold_days}::smallint, ${o.fee_status}, ${o.fee_version}::integer, ${o.payment_no}, ${o.test_mode}::boolean,
      ${o.payment_currency}, ${o.payment_decimals}::smallint, ${o.payment_amount}::numeric, ${o.buyer_fee}::numeric,
      ${o.merchant_fee}::numeric, ${o.merchant_fee_ptk}::numeric, ${o.settlement_ptk}::numeric, ${o.event_id},
      ${o.provider_trade_no}, ${o.occurred_at}::timestamptz, ${o.occurred_at_text},
      ${o.wallet_user_id}::uuid)`,
    rows: 'all',
  };
}

/**
 * Writes the columns that may change; the deadline is not one of them. It requires the version of `before`, and
 * so its status, which the database changes only with the version: of two concurrent changes the second updates no row and
 * fails. The status itself is not named, or PostgreSQL may look for the row among all pending orders of the
 * merchant (D-1097). For a top-up it also says that its wallet has followed: the caller posts P21 and P22. The database refuses
 * processes that do not know top-ups.
 */
export function updateOrder(before: CollectionOrder, after: CollectionOrder): Write {
  return {
    statement: sql`UPDATE collection_orders SET status = ${after.status},
      status_version = ${after.status_version}::integer, fee_status = ${after.fee_status},
      payment_no = ${after.payment_no}, test_mode = ${after.test_mode}::boolean,
      payment_currency = ${after.payment_currency}, payment_decimals = ${after.payment_decimals}::smallint,
      payment_amount = ${after.payment_amount}::numeric, buyer_fee = ${after.buyer_fee}::numeric,
      merchant_fee = ${after.merchant_fee}::numeric, merchant_fee_ptk = ${after.merchant_fee_ptk}::numeric,
      settlement_ptk = ${after.settlement_ptk}::numeric, event_id = ${after.event_id},
      provider_trade_no = ${after.provider_trade_no}, occurred_at = ${after.occurred_at}::timestamptz,
      occurred_at_text = ${after.occurred_at_text},
      wallet_status = CASE WHEN wallet_user_id IS NOT NULL AND ${after.event_id}::text IS NOT NULL THEN ${after.status} END
      WHERE merchant_id = ${before.merchant_id}::uuid AND order_no = ${before.order_no}
        AND status_version = ${before.status_version}::integer /* guard: collection-order-guarded */`,
    rows: 1,
  };
}

type OrderRow = CollectionOrder & Row;

export async function selectOrder(
  db: Queryable,
  merchant_id: string,
  order_no: string,
): Promise<CollectionOrder | null> {
  const [row] = await db.query<OrderRow>(
    sql`SELECT ${columns} FROM collection_orders WHERE merchant_id = ${merchant_id} AND order_no = ${order_no}`,
  );
  return row ?? null;
}

export async function selectOrderForUpdate(
  tx: Tx,
  merchant_id: string,
  order_no: string,
): Promise<CollectionOrder | null> {
  const [row] = await tx.query<OrderRow>(
    sql`SELECT ${columns} FROM collection_orders WHERE merchant_id = ${merchant_id} AND order_no = ${order_no}
      FOR UPDATE /* guard: collection-order-locked */`,
  );
  return row ?? null;
}

/** Locks several orders by their numbers, always in the same order, so that no two transactions wait for each other. */
export async function selectOrdersForUpdate(
  tx: Tx,
  merchant_id: string,
  order_nos: readonly string[],
): Promise<void> {
  await tx.query(
    sql`SELECT 1 FROM collection_orders
      WHERE merchant_id = ${merchant_id} AND order_no = ANY(${order_nos}::text[]) ORDER BY order_no
      FOR UPDATE /* guard: collection-order-locked */`,
  );
}

/** Keys belong to the merchant. */
export async function selectOrderByKey(
  db: Queryable,
  merchant_id: string,
  idempotency_key: string,
): Promise<CollectionOrder | null> {
  const [row] = await db.query<OrderRow>(
    sql`SELECT ${columns} FROM collection_orders
      WHERE merchant_id = ${merchant_id} AND idempotency_key = ${idempotency_key}`,
  );
  return row ?? null;
}

/** The PTK of a person's top-ups that were made after a time. Those that expired unpaid do not count. */
export async function sumTopUps(tx: Tx, merchant_id: string, user_id: string, since: Date): Promise<bigint> {
  const [row] = await tx.query<{ sum: bigint }>(
    sql`SELECT coalesce(sum(gross_settlement_ptk), 0) AS sum FROM collection_orders
      WHERE merchant_id = ${merchant_id} AND wallet_user_id = ${user_id} AND created_at > ${since}
        AND status <> 'expired'`,
  );
  return row?.sum ?? 0n;
}

/** Reads an order without knowing its merchant. For administrators only. */
export async function selectOrderByNo(db: Queryable, order_no: string): Promise<CollectionOrder | null> {
  const [row] = await db.query<OrderRow>(
    sql`SELECT ${columns} FROM collection_orders WHERE order_no = ${order_no}`,
  );
  return row ?? null;
}

/** Finds which of these orders, of any merchants, are tests: a paid order is what has settled it (D-1306). */
export async function selectTestOrders(
  db: Queryable,
  orders: readonly { merchant_id: string; order_no: string }[],
): Promise<string[]> {
  const [merchant_ids, order_nos] = [
    orders.map(({ merchant_id }) => merchant_id),
    orders.map(({ order_no }) => order_no),
  ];
  const rows = await db.query<{ order_no: string }>(
    sql`SELECT o.order_no FROM unnest(${merchant_ids}::uuid[], ${order_nos}::text[]) AS k(merchant_id, order_no)
      JOIN collection_orders o ON o.merchant_id = k.merchant_id AND o.order_no = k.order_no WHERE o.test_mode`,
  );
  return rows.map(({ order_no }) => order_no);
}

/**
 * Writes the status of several orders of one merchant. It requires the status and version of each `before`, like
 * `updateOrder`.
 */
export function updateStatuses(
  merchant_id: string,
  changes: readonly { before: CollectionOrder; after: CollectionOrder }[],
): Write {
  return {
    statement: sql`UPDATE collection_orders o SET status = c.after_status, status_version = c.after_version
      FROM unnest(${changes.map(({ before }) => before.order_no)}::text[],
        ${changes.map(({ before }) => before.status)}::text[],
        ${changes.map(({ before }) => before.status_version)}::integer[],
        ${changes.map(({ after }) => after.status)}::text[],
        ${changes.map(({ after }) => after.status_version)}::integer[])
        AS c (order_no, before_status, before_version, after_status, after_version)
      WHERE o.merchant_id = ${merchant_id}::uuid AND o.order_no = c.order_no
        AND o.status = c.before_status AND o.status_version = c.before_version`,
    rows: changes.length,
  };
}

/** Selects the pending orders whose deadline has passed (D-113). */
export const overdue = overdueOrders<CollectionOrder>({
  table: sql`collection_orders`,
  columns,
  isPending: sql`status = 'pending'`,
});
