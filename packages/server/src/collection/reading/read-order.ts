import { AppError } from '../../base/errors.ts';
import { type CollectionDeps, type CollectionOrder, expireIfDue, selectOrder } from '../orders/index.ts';

export type ReadDeps = Pick<CollectionDeps, 'db' | 'clock' | 'ids' | 'log'>;

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
