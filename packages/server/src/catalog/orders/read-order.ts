import { AppError } from '../../base/errors.ts';
import { selectAttempts } from '../../payments/attempts/index.ts';
import type { CatalogOrderDeps } from './deps.ts';
import { expireIfDue } from './expire-order.ts';
import type { CatalogOrder, CatalogState } from './order.ts';
import { tradeNoOf } from './order-json.ts';
import { selectOrder, selectOrders } from './order.sql.ts';

type ReadDeps = Pick<CatalogOrderDeps, 'db' | 'clock' | 'log' | 'kindOf'>;

/**
 * One catalog order, for whoever it belongs to: the person who ordered it, at the merchant whose client asks
 * . Moved on first where its deadline has passed.
 *
 * @throws AppError `order_not_found`, the same for an unknown order, another merchant's and another person's
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
 * One catalog order for its merchant.
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

/** A merchant's catalog orders behind a number, newest first; of some states only where any are given. */
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

/** The number of an order's payment, empty until there is a session (D-191). */
export async function readTradeNo(
  { db }: Pick<ReadDeps, 'db'>,
  { merchant_id, order_no }: CatalogOrder,
): Promise<string> {
  return tradeNoOf(await selectAttempts(db.lookups, merchant_id, order_no));
}
