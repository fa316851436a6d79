import { passDeadline, sweepOverdueOrders } from '../../payments/deadlines/index.ts';
import type { CatalogOrderDeps } from './deps.ts';
import { addStock } from '../products/index.ts';
import type { CatalogOrder } from './order.ts';
import { cancelOrders, overdue, selectOrder } from './order.sql.ts';

type ExpireDeps = Pick<CatalogOrderDeps, 'db' | 'clock' | 'log' | 'kindOf'>;

/** The order as it stands after its deadline, where that has passed: cancelled with its stock back, or in review. */
export async function expireIfDue(deps: ExpireDeps, order: CatalogOrder): Promise<CatalogOrder> {
  if (order.state !== 'pending' || deps.clock.now() < order.expires_at) return order;
  await passDeadline(deps, order);
  return (await selectOrder(deps.db, order.merchant_id, order.order_no)) ?? order;
}

/**
 * One pass of the sweep over catalog orders: what nobody has begun to pay in time is cancelled, and its stock returns
 * with the same statement, so exactly once (D-177, D-178).
 *
 * @returns how many orders moved
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
