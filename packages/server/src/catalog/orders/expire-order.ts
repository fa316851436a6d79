/** Moves catalog orders on when their deadline passes: on reading, and in the sweep. */
import { passDeadline, sweepOverdueOrders } from '../../payments/deadlines/index.ts';
import type { CatalogOrderDeps } from './deps.ts';
import { addStock } from '../products/index.ts';
import type { CatalogOrder } from './order.ts';
import { cancelOrders, overdue, selectOrder } from './order.sql.ts';

type ExpireDeps = Pick<CatalogOrderDeps, 'db' | 'clock' | 'log' | 'kindOf'>;

/**
 * Moves an order if its deadline has passed, and returns it: cancelled with its stock returned, or in review if a
 * payment is unresolved (D-177). The status is read again under the row's lock, so a deadline moves it at most once.
 */
export async function expireIfDue(deps: ExpireDeps, order: CatalogOrder): Promise<CatalogOrder> {
  if (order.state !== 'pending' || deps.clock.now() < order.expires_at) return order;
  await passDeadline(deps, order);
  return (await selectOrder(deps.db, order.merchant_id, order.order_no)) ?? order;
}

/**
 * Cancels each overdue order without a payment attempt and moves the others to review. The stock returns
 * in the statement that cancels the order, so exactly once (D-177, D-178).
 *
 * @returns the number of orders that moved
 */
export function sweepCatalog(deps: ExpireDeps): Promise<number> {
  return sweepOverdueOrders<CatalogOrder>(deps, {
    ...overdue,
    expire: (merchant_id, orders, now) => [
      cancelOrders(merchant_id, orders, now),
      .../* guard: stock-given-back-by-the-sweep = [] */ addStock(merchant_id, orders),
    ],
    moveOne: (order) => passDeadline(deps, order),
  });
}
