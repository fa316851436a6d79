/** Opens what a buyer receives with a completed order. */
import type { Queryable } from '../../base/pg/index.ts';
import { sealed } from '../../base/sealed-columns.ts';
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
  const codes = await selectAssignedCodes(db, order.merchant_id, order.order_no);
  const { delivery_note_box } = order;
  return {
    codes: codes.map((code) => box.open(code.code_box, sealed.catalogCode.row(code))),
    note: delivery_note_box === null ? null : box.open(delivery_note_box, sealed.deliveryNote.row(order)),
  };
}

/** Whether an order was delivered with codes or a note. Opens none of them, so a lost key hides no list. */
export async function hasDelivery(db: Queryable, order: CatalogOrder): Promise<boolean> {
  if (order.state !== 'completed') return false;
  if (order.delivery_note_box !== null) return true;
  return (await selectAssignedCodes(db, order.merchant_id, order.order_no)).length > 0;
}
