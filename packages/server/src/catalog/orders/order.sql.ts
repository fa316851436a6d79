/**
 * The SQL statements of the table `catalog_orders`, which no collection call reads. Each names the merchant
 * (R-380).
 */
import { join, type Queryable, type Sql, type Tx, type Row, type Write, sql } from '../../base/pg/index.ts';
import { overdueOrders } from '../../payments/deadlines/index.ts';
import type { CatalogOrder } from './order.ts';

const columns = sql`merchant_id, order_no, user_id, client_id, gd_no, title, quantity, other_ipu, currency,
  currency_decimals, total_amount, discount_amount, handling_amount, payment_methods, payment_no, payment_name,
  method_id, test_mode, payment_currency, payment_decimals, payment_subtotal, buyer_fee, merchant_fee_ptk,
  settlement_ptk, price_e12, gross_settlement_ptk, hold_days, state, state_version, reversed, created_at,
  updated_at, expires_at, provider_trade_no, paid_at, fulfil_at, completed_at, delivery_note_box,
  made_again`;

type OrderRow = CatalogOrder & Row;

export function insertOrder(o: CatalogOrder): Write {
  return {
    statement: sql`INSERT INTO catalog_orders (${columns}) VALUES (${o.merchant_id}::uuid, ${o.order_no},
      ${o.user_id}::uuid, ${o.client_id}, ${o.gd_no}, ${o.title}, ${o.quantity}::integer,
      ${JSON.stringify(o.other_ipu)}::jsonb, ${o.currency}, ${o.currency_decimals}::smallint,
      ${o.total_amount}::numeric, ${o.discount_amount}::numeric, ${o.handling_amount}::numeric,
      ${o.payment_methods}::text[], ${o.payment_no}, ${o.payment_name}, ${o.method_id}, ${o.test_mode}::boolean,
      ${o.payment_currency}, ${o.payment_decimals}::smallint, ${o.payment_subtotal}::numeric,
      ${o.buyer_fee}::numeric, ${o.merchant_fee_ptk}::numeric, ${o.settlement_ptk}::numeric,
      ${o.price_e12}::numeric, ${o.gross_settlement_ptk}::numeric, ${o.hold_days}::smallint,
      ${o.state}, ${o.state_version}::integer, ${o.reversed}, ${o.created_at}::timestamptz,
      ${o.updated_at}::timestamptz, ${o.expires_at}::timestamptz, ${o.provider_trade_no},
      ${o.paid_at}::timestamptz, ${o.fulfil_at}::timestamptz, ${o.completed_at}::timestamptz,
      ${o.delivery_note_box}::bytea, ${o.made_again}::boolean)`,
    rows: 'all',
  };
}

/**
 * Writes the columns that may change. It requires the version of `before`, which each change of the state raises: of two
 * concurrent changes the second updates no row and fails. The state itself is not named (D-1097).
 */
export function updateOrder(before: CatalogOrder, after: CatalogOrder): Write {
  return {
    statement: sql`UPDATE catalog_orders SET state = ${after.state},
      state_version = ${after.state_version}::integer, reversed = ${after.reversed},
      updated_at = ${after.updated_at}::timestamptz, provider_trade_no = ${after.provider_trade_no},
      paid_at = ${after.paid_at}::timestamptz, fulfil_at = ${after.fulfil_at}::timestamptz,
      completed_at = ${after.completed_at}::timestamptz, delivery_note_box = ${after.delivery_note_box}::bytea
      WHERE merchant_id = ${before.merchant_id}::uuid AND order_no = ${before.order_no}
        AND state_version = ${before.state_version}::integer /* guard: catalog-order-guarded */`,
    rows: 1,
  };
}

/** Cancels several pending orders of one merchant. It requires the version of each, like `updateOrder`. */
export function cancelOrders(merchant_id: string, orders: readonly CatalogOrder[], now: Date): Write {
  return {
    statement: sql`UPDATE catalog_orders o SET state = 'cancelled', state_version = o.state_version + 1,
        updated_at = ${now}::timestamptz
      FROM unnest(${orders.map(({ order_no }) => order_no)}::text[],
        ${orders.map(({ state_version }) => state_version)}::integer[]) AS c (order_no, state_version)
      WHERE o.merchant_id = ${merchant_id}::uuid AND o.order_no = c.order_no
        AND o.state_version = c.state_version`,
    rows: orders.length,
  };
}

export async function selectOrder(
  db: Queryable,
  merchant_id: string,
  order_no: string,
): Promise<CatalogOrder | null> {
  const [row] = await db.query<OrderRow>(
    sql`SELECT ${columns} FROM catalog_orders WHERE merchant_id = ${merchant_id} AND order_no = ${order_no}`,
  );
  return row ?? null;
}

export async function selectOrderForUpdate(
  tx: Tx,
  merchant_id: string,
  order_no: string,
): Promise<CatalogOrder | null> {
  const [row] = await tx.query<OrderRow>(
    sql`SELECT ${columns} FROM catalog_orders WHERE merchant_id = ${merchant_id} AND order_no = ${order_no}
      FOR UPDATE /* guard: catalog-order-locked */`,
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
    sql`SELECT 1 FROM catalog_orders
      WHERE merchant_id = ${merchant_id} AND order_no = ANY(${order_nos}::text[]) ORDER BY order_no
      FOR UPDATE /* guard: catalog-order-locked */`,
  );
}

/** Reads an order without its merchant: for administrators, and for buyers who return from the provider. */
export async function selectCatalogOrderByNo(db: Queryable, order_no: string): Promise<CatalogOrder | null> {
  const [row] = await db.query<OrderRow>(
    sql`SELECT ${columns} FROM catalog_orders WHERE order_no = ${order_no}`,
  );
  return row ?? null;
}

/** Finds which of these orders, of any merchants, are tests: a paid order is what has settled it (D-1306). */
export async function selectTestCatalogOrders(
  db: Queryable,
  orders: readonly { merchant_id: string; order_no: string }[],
): Promise<string[]> {
  const [merchant_ids, order_nos] = [
    orders.map(({ merchant_id }) => merchant_id),
    orders.map(({ order_no }) => order_no),
  ];
  const rows = await db.query<{ order_no: string }>(
    sql`SELECT o.order_no FROM unnest(${merchant_ids}::uuid[], ${order_nos}::text[]) AS k(merchant_id, order_no)
      JOIN catalog_orders o ON o.merchant_id = k.merchant_id AND o.order_no = k.order_no WHERE o.test_mode`,
  );
  return rows.map(({ order_no }) => order_no);
}

/** Literals, so that the planner can choose the index of the orders that have not ended (D-1121). */
const literals: Readonly<Record<CatalogOrder['state'], Sql>> = {
  pending: sql`'pending'`,
  review: sql`'review'`,
  paid: sql`'paid'`,
  completed: sql`'completed'`,
  cancelled: sql`'cancelled'`,
};

/** Selects a merchant's orders after a number, newest first. An empty list of states does not filter. */
export function selectOrders(
  db: Queryable,
  merchant_id: string,
  states: readonly CatalogOrder['state'][],
  after: string | null,
  limit: number,
): Promise<CatalogOrder[]> {
  const behind = after === null ? sql`` : sql`AND order_no < ${after}`;
  const inState =
    states.length === 0 ? sql`` : sql`AND state IN (${join(states.map((state) => literals[state]))})`;
  return db.query<OrderRow>(
    sql`SELECT ${columns} FROM catalog_orders WHERE merchant_id = ${merchant_id} ${inState} ${behind}
      ORDER BY order_no DESC LIMIT ${limit}`,
  );
}

/** Counts a user's unpaid orders of a product (D-178). */
export async function countUnpaid(
  db: Queryable,
  merchant_id: string,
  user_id: string,
  gd_no: string,
): Promise<number> {
  const [row] = await db.query<{ unpaid: number }>(
    sql`SELECT count(*)::int AS unpaid FROM catalog_orders
      WHERE merchant_id = ${merchant_id} AND user_id = ${user_id} AND gd_no = ${gd_no}
        AND state IN ('pending', 'review')`,
  );
  return row?.unpaid ?? 0;
}

/** Selects the pending orders whose deadline has passed (D-113). */
export const overdue = overdueOrders<CatalogOrder>({
  table: sql`catalog_orders`,
  columns,
  isPending: sql`state = 'pending'`,
});
