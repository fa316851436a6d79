import type { Tx } from '../../base/pg/index.ts';
import { AppError } from '../../base/errors.ts';
import {
  type CatalogOrder,
  type CatalogOrderDeps,
  moved,
  selectOrderForUpdate,
  updateOrder,
} from '../orders/index.ts';

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
  if (/* guard: delivered-once = false */ before.state !== 'paid') {
    throw new AppError('payment_conflict', { description: 'Only a paid order is fulfilled, and once.' });
  }
  const completed = moved(before, 'fulfilled', clock.now());
  const after = { ...completed, delivery_note_box: note === '' ? null : box.seal(note) };
  await tx.write([updateOrder(before, after)]);
  return { before, after };
}
