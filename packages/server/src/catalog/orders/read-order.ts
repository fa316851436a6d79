/** Reads catalog orders, for their buyers and for their merchants. A collection order is unknown here. */
import { AppError } from '../../base/errors.ts';
import { selectAttempts } from '../../payments/attempts/index.ts';
import type { CatalogOrderDeps } from './deps.ts';
import { expireIfDue } from './expire-order.ts';
import type { CatalogOrder, CatalogState } from './order.ts';
import { tradeNoOf } from './order-json.ts';
import { selectOrder, selectOrders } from './order.sql.ts';

type ReadDeps = Pick<CatalogOrderDeps, 'db' | 'clock' | 'log' | 'kindOf'>;

/**
 * Reads a catalog order for its buyer, through a client of its merchant. The order is moved first
 * if its deadline has passed.
 *
 * @throws AppError `order_not_found` for an unknown order, another merchant's order and another user's order
 */
export async function readOwnOrder(
  deps: ReadDeps,
  { merchant_id, user_id }: Pick<CatalogOrder, 'merchant_id' | 'user_id'>,
  order_no: string,
): Promise<CatalogOrder> {
  const order = await selectOrder(deps.db.lookups, merchant_id, order_no);
  if (order?.user_id !== user_id) throw new AppError('order_not_found');
  return expireIfDue(deps, order);
}

/**
 * Reads a catalog order for its merchant.
 *
 * @throws AppError `order_not_found`
 */
export async function readSoldOrder(
  deps: ReadDeps,
  merchant_id: string,
  order_no: string,
): Promise<CatalogOrder> {
  const order = await selectOrder(deps.db.lookups, merchant_id, order_no);
  if (order === null) throw new AppError('order_not_found');
  return expireIfDue(deps, order);
}

/** Lists a merchant's catalog orders after a number, newest first. An empty list of states does not filter. */
export async function listSoldOrders(
  deps: ReadDeps,
  merchant_id: string,
  states: readonly CatalogState[],
  after: string | null,
  limit: number,
): Promise<CatalogOrder[]> {
  const orders = await selectOrders(deps.db, merchant_id, states, after, limit);
  return Promise.all(orders.map((order) => expireIfDue(deps, order)));
}

/** Reads the number of an order's payment; empty until a session exists (D-191). */
export async function readTradeNo(
  { db }: Pick<ReadDeps, 'db'>,
  { merchant_id, order_no }: CatalogOrder,
): Promise<string> {
  return tradeNoOf(await selectAttempts(db.lookups, merchant_id, order_no));
}
