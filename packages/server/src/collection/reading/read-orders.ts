import { AppError } from '../../base/errors.ts';
import {
  type CollectionDeps,
  expireIfDue,
  type CollectionOrder,
  selectOrder,
  selectOrders,
} from '../orders/index.ts';

type ReadDeps = Pick<CollectionDeps, 'db' | 'clock' | 'ids' | 'log'>;

/**
 * One order of a merchant, moved on first where its deadline has passed. One round trip.
 *
 * @throws AppError `payment_not_found`, the same for an unknown order and another merchant's
 */
export async function readOrder(
  deps: ReadDeps,
  merchant_id: string,
  order_no: string,
): Promise<CollectionOrder> {
  const order = await selectOrder(deps.db.lookups, merchant_id, order_no);
  if (order === null) throw new AppError('payment_not_found');
  return expireIfDue(deps, order);
}

/**
 * A merchant's orders by reference, number or both, newest first.
 *
 * @param filter trimmed; empty texts do not filter
 * @throws AppError `invalid_request` where neither is given
 */
export async function listOrders(
  deps: ReadDeps,
  merchant_id: string,
  filter: { external_reference: string; order_no: string },
  limit: number,
): Promise<CollectionOrder[]> {
  if (filter.external_reference === '' && filter.order_no === '') {
    throw new AppError('invalid_request', { description: 'Filter by external_reference, order_no or both.' });
  }
  const orders = await selectOrders(deps.db, merchant_id, filter, limit);
  return Promise.all(orders.map((order) => expireIfDue(deps, order)));
}
