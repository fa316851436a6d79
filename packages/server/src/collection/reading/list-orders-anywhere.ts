import { hours, later } from '../../base/time/clock.ts';
import type { Queryable } from '../../base/pg/index.ts';
import { expireIfDue, type CollectionOrder } from '../orders/index.ts';
import type { ListDeps } from './list-orders.ts';
import type { OrderFilter } from './order-list.sql.ts';
import { ulidBefore } from '../../base/ids.ts';
import { selectInReview, selectOrdersAnywhere, selectOverdue } from './orders-anywhere.sql.ts';

/** No order waits for its buyer for longer than two hours, and a worker ends those that do within a minute. */
const longestPending_ms = hours(24);

/**
 * The orders of all merchants, by number, the newest first, each moved on first where its deadline has passed.
 *
 * @param before the number with which the page before ended; null for the first
 */
export async function listOrdersAnywhere(
  deps: ListDeps,
  { text, status }: Pick<OrderFilter, 'text' | 'status'>,
  before: string | null,
  limit: number,
): Promise<CollectionOrder[]> {
  // Nothing but recent numbers can be pending: without this, a quiet day would mean reading all there ever was.
  const since = status === 'pending' ? `mp_${ulidBefore(later(deps.clock.now(), -longestPending_ms))}` : null;
  const orders = await selectOrdersAnywhere(deps.db, { text, status, since }, before, limit);
  return Promise.all(orders.map((order) => expireIfDue(deps, order)));
}

/** Orders of all merchants that wait to be ended; of one merchant at most 1000 are counted. */
export const overdueBacklog = (db: Queryable, now: Date): Promise<{ due: number; oldest_at: Date | null }> =>
  selectOverdue(db, now, 1_000);

/** Orders of all merchants in review, and since when the longest has been; of one merchant at most 1000 are counted. */
export const reviewBacklog = (db: Queryable): Promise<{ due: number; oldest_at: Date | null }> =>
  selectInReview(db, 1_000);
