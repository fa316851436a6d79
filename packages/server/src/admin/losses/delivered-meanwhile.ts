/** Keeps what waits for a second person from giving money back for goods that were delivered meanwhile (D-1381). */
import { AppError } from '../../base/errors.ts';
import type { Queryable, Tx } from '../../base/pg/index.ts';
import { isCatalogOrderNo, selectCatalogOrder } from '../../catalog/orders/index.ts';
import type { OrderKey } from './order-in-path.ts';

/** What a request says of its order. Requests of earlier releases say nothing. */
export interface OfGoods {
  /** Whether a catalog order was delivered when this was asked for. */
  delivered?: boolean | undefined;
}

/** What a request of now says of this order. */
export async function goodsOf(db: Queryable, { merchant_id, order_no }: OrderKey): Promise<OfGoods> {
  if (!isCatalogOrderNo(order_no)) return {};
  const order = await selectCatalogOrder(db, merchant_id, order_no);
  return { delivered: order?.state === 'completed' };
}

/**
 * The person who asked and the one who approves believe that the buyer has nothing. Call it once the order is locked: a delivered order stays
 * completed when its payment goes back.
 *
 * @throws AppError `payment_conflict` if the order was delivered after the request
 */
export async function refuseIfDelivered(tx: Tx, { delivered }: OfGoods, order: OrderKey): Promise<void> {
  if (delivered !== false || (await goodsOf(tx, order)).delivered !== true) return;
  throw new AppError('payment_conflict', {
    description:
      'The order was delivered after this was asked for. Ask again if the money is to go back all the same.',
  });
}
