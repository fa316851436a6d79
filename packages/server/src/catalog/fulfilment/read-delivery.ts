import type { Queryable } from '../../base/pg/index.ts';
import { selectAssignedCodes } from './codes.sql.ts';
import type { CatalogOrder, CatalogOrderDeps } from '../orders/index.ts';

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
  const boxes = await selectAssignedCodes(db, order.merchant_id, order.order_no);
  const { delivery_note_box } = order;
  return {
    codes: boxes.map((sealed) => box.open(sealed)),
    note: delivery_note_box === null ? null : box.open(delivery_note_box),
  };
}
