/** Lists the orders of all merchants for administrators. */
import { hours, later } from '../../base/time/clock.ts';
import { type CollectionOrder, expireIfDue } from '../orders/index.ts';
import type { ListDeps } from './order-pages.ts';
import type { OrderFilter } from './order-pages.sql.ts';
import { ulidBefore } from '../../base/ids.ts';
import { selectOrdersOfAllMerchants } from './all-orders.sql.ts';

/** More than enough: an order is pending for at most two hours, then a worker ends it within a minute. */
const longestPending_ms = hours(24);

/**
 * Lists the orders of all merchants by number, newest first. Each is moved first if its deadline has passed.
 *
 * @param before the last number of the previous page; null for the first page
 */
export async function listOrdersOfAllMerchants(
  deps: ListDeps,
  { text, status }: Pick<OrderFilter, 'text' | 'status'>,
  before: string | null,
  limit: number,
): Promise<CollectionOrder[]> {
  // Only recent orders can be pending. Without this bound, a query with few hits would read the whole table.
  const since = status === 'pending' ? `mp_${ulidBefore(later(deps.clock.now(), -longestPending_ms))}` : null;
  const orders = await selectOrdersOfAllMerchants(deps.db, { text, status, since }, before, limit);
  return Promise.all(orders.map((order) => expireIfDue(deps, order)));
}
