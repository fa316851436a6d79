import { hours, later } from '../../base/time/clock.ts';
import { type CollectionOrder, expireIfDue } from '../orders/index.ts';
import type { ListDeps } from './order-pages.ts';
import type { OrderFilter } from './order-pages.sql.ts';
import { ulidBefore } from '../../base/ids.ts';
import { selectOrdersOfAllMerchants } from './all-orders.sql.ts';

/** No order waits for its buyer for longer than two hours, and a worker ends those that do within a minute. */
const longestPending_ms = hours(24);

/**
 * The orders of all merchants, by number, the newest first, each moved on first where its deadline has passed.
 *
 * @param before the number with which the page before ended; null for the first
 */
export async function listOrdersOfAllMerchants(
  deps: ListDeps,
  { text, status }: Pick<OrderFilter, 'text' | 'status'>,
  before: string | null,
  limit: number,
): Promise<CollectionOrder[]> {
  // Nothing but recent numbers can be pending: without this, a quiet day would mean reading all there ever was.
  const since = status === 'pending' ? `mp_${ulidBefore(later(deps.clock.now(), -longestPending_ms))}` : null;
  const orders = await selectOrdersOfAllMerchants(deps.db, { text, status, since }, before, limit);
  return Promise.all(orders.map((order) => expireIfDue(deps, order)));
}
