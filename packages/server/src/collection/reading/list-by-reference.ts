import { AppError } from '../../base/errors.ts';
import { type CollectionOrder, expireIfDue } from '../orders/index.ts';
import { selectOrders } from './list-by-reference.sql.ts';
import type { ReadDeps } from './read-order.ts';

/**
 * Lists a merchant's orders by reference, number or both, newest first (R-299, D-156). The reference matches exactly
 * another merchant's number finds nothing. An overdue order is moved first. An expired order and
 * the one that a new key has made are both listed. There are no pages.
 *
 * @param filter trimmed; empty texts do not filter
 * @param limit 1 to 100
 * @throws AppError `invalid_request` if both are empty
 */
export async function listOrders(
  deps: ReadDeps,
  merchant_id: string,
  filter: { external_reference: string; order_no: string },
  limit: number,
): Promise<CollectionOrder[]> {
  if (filter.external_reference === '' && filter.order_no === '') {
    throw new AppError('invalid_request', {
      description: 'Filter by external_reference, order_no or both, or by created_from.',
    });
  }
  const orders = await selectOrders(deps.db, merchant_id, filter, limit);
  return Promise.all(orders.map((order) => expireIfDue(deps, order)));
}
