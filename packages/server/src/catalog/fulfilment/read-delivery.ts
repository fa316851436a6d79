/** Opens what a buyer receives with a completed order. */
import type { Queryable } from '../../base/pg/index.ts';
import { selectAssignedCodes } from './codes.sql.ts';
import type { CatalogOrder, CatalogOrderDeps } from '../orders/index.ts';

/** The codes of a completed order, and the merchant's note. */
export interface DeliveredGoods {
  codes: string[];
  note: string | null;
}

/** Opens the codes and the note of an order; nothing before it is completed. For its buyer only. */
export async function readDelivery(
  { db, box }: { db: Queryable; box: CatalogOrderDeps['box'] },
  order: CatalogOrder,
): Promise<DeliveredGoods> {
  if (order.state !== 'completed') return { codes: [], note: null };
  const boxes = await selectAssignedCodes(db, order.merchant_id, order.order_no);
  const { delivery_note_box } = order;
  return {
    codes: boxes.map((sealed) => box.open(sealed)),
    note: delivery_note_box === null ? null : box.open(delivery_note_box),
  };
}
