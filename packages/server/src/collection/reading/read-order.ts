/** Reads one collection order for its merchant. A catalog order is unknown here. */
import { AppError } from '../../base/errors.ts';
import { type CollectionDeps, type CollectionOrder, expireIfDue, selectOrder } from '../orders/index.ts';

export type ReadDeps = Pick<CollectionDeps, 'db' | 'clock' | 'ids' | 'log'>;

/**
 * Reads one order of a merchant, for any of its clients. It is moved first if its deadline has passed (R-177,
 * The provider is not asked (D-089).
 *
 * @throws AppError `payment_not_found` both for an unknown order and for another merchant's
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
