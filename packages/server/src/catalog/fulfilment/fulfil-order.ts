/** Completes a paid order that the merchant has delivered by hand. */
import type { Tx } from '../../base/pg/index.ts';
import { AppError } from '../../base/errors.ts';
import { lockStock, setStock } from '../products/index.ts';
import { countCodes } from './codes.sql.ts';
import { sealed } from '../../base/sealed-columns.ts';
import { isUnderWay, selectRefunds } from '../../payments/losses/index.ts';
import {
  type CatalogOrder,
  type CatalogOrderDeps,
  moved,
  selectOrderForUpdate,
  updateOrder,
} from '../orders/index.ts';

/**
 * Marks a paid order as completed (D-177). The order is locked, so it is completed at most once. An order that was made
 * again is completed in no other way (D-311). While its refund is under way it is not completed: the merchant does not see the
 * refund, and the buyer would have goods and money (D-1380).
 *
 * @param note a text for the buyer, stored sealed; empty for none
 * @throws AppError `order_not_found` if the merchant has no such order; `payment_conflict` if the order is not paid or
 *   is already completed, or if its refund is under way
 */
export async function fulfilOrder(
  { clock, box, queueMail }: Pick<CatalogOrderDeps, 'clock' | 'box' | 'queueMail'>,
  tx: Tx,
  { merchant_id, order_no }: Pick<CatalogOrder, 'merchant_id' | 'order_no'>,
  note: string,
): Promise<{ before: CatalogOrder; after: CatalogOrder }> {
  const before = await selectOrderForUpdate(tx, merchant_id, order_no);
  if (before === null) throw new AppError('order_not_found');
  if (/* guard: delivered-once = false */ before.state !== 'paid') {
    throw new AppError('payment_conflict', {
      description: 'The order is not paid, or it is already completed.',
    });
  }
  if ((await selectRefunds(tx, merchant_id, order_no)).some(isUnderWay)) {
    throw new AppError('payment_conflict', { description: 'A refund of the order is under way.' });
  }
  const now = clock.now();
  const completed = moved(before, 'fulfilled', now);
  const delivery_note_box = note === '' ? null : box.seal(note, sealed.deliveryNote.row(before));
  const after = { ...completed, delivery_note_box };
  await tx.write([updateOrder(before, after), ...queueMail('delivered', before, now)]);
  await returnCodes(tx, before);
  return { before, after };
}

/**
 * As many codes as the order has items are in stock again, unless other orders need them (D-1461). The stock of a product
 * without codes does not change: the person has delivered from it.
 */
async function returnCodes(tx: Tx, { merchant_id, gd_no, quantity }: CatalogOrder): Promise<void> {
  const free = await lockStock(tx, merchant_id, gd_no);
  const { left, outstanding } = await countCodes(tx, merchant_id, gd_no);
  const now_free = Math.min(left - outstanding, free + quantity);
  if (now_free > free) await setStock(tx, merchant_id, gd_no, now_free);
}
