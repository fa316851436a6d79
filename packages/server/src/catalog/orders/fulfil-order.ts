import type { Queryable, Tx } from '../../base/pg/index.ts';
import { selectGivenCodes } from '../stock/index.ts';
import { AppError } from '../../base/errors.ts';
import type { CatalogOrderDeps } from './deps.ts';
import { type CatalogOrder, moved } from './order.ts';
import { selectOrderForUpdate, updateOrder } from './order.sql.ts';

/**
 * Completes a paid order by hand (D-177): whoever calls has delivered it.
 *
 * @param note what the buyer is told with it, kept sealed; empty for nothing
 * @throws AppError `order_not_found` for one that the merchant does not have; `payment_conflict` where it is not paid,
 *   or completed already
 */
export async function fulfilOrder(
  { clock, box }: Pick<CatalogOrderDeps, 'clock' | 'box'>,
  tx: Tx,
  { merchant_id, order_no }: Pick<CatalogOrder, 'merchant_id' | 'order_no'>,
  note: string,
): Promise<{ before: CatalogOrder; after: CatalogOrder }> {
  const before = await selectOrderForUpdate(tx, merchant_id, order_no);
  if (before === null) throw new AppError('order_not_found');
  if (before.state !== 'paid') {
    throw new AppError('payment_conflict', { description: 'Only a paid order is fulfilled, and once.' });
  }
  const completed = moved(before, 'fulfilled', clock.now());
  const after = { ...completed, delivery_note_box: note === '' ? null : box.seal(note) };
  await tx.write([updateOrder(before, after)]);
  return { before, after };
}

/** What a completed order's buyer has got: codes, and what the merchant says. */
export interface Delivery {
  codes: string[];
  note: string | null;
}

/** Opens what has gone out with an order; nothing before it is completed. For its buyer only. */
export async function readDelivery(
  { db, box }: { db: Queryable; box: CatalogOrderDeps['box'] },
  order: CatalogOrder,
): Promise<Delivery> {
  if (order.state !== 'completed') return { codes: [], note: null };
  const boxes = await selectGivenCodes(db, order.merchant_id, order.order_no);
  const { delivery_note_box } = order;
  return {
    codes: boxes.map((sealed) => box.open(sealed)),
    note: delivery_note_box === null ? null : box.open(delivery_note_box),
  };
}
