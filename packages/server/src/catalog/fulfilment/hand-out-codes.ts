import { selectMerchantsToFulfil, selectOrdersToFulfil } from './due-orders.sql.ts';
import { type CatalogOrderDeps, moved, selectOrderForUpdate, updateOrder } from '../orders/index.ts';
import { lockStock } from '../products/index.ts';
import { assignCodes, selectFreeCodes } from './codes.sql.ts';

type HandOutDeps = Pick<CatalogOrderDeps, 'db' | 'clock' | 'log'>;

/**
 * One pass over paid orders that codes may be there for: each that its product's codes cover gets them and is
 * completed, in one transaction of its own (D-177). What is not covered waits for more codes, or for a person. Any
 * number of workers may run it.
 *
 * @returns how many orders were completed
 */
export async function handOutDueCodes(deps: HandOutDeps, limit = 100): Promise<number> {
  let completed = 0;
  const now = deps.clock.now();
  for (const merchant_id of await selectMerchantsToFulfil(deps.db, now, limit)) {
    for (const order_no of await selectOrdersToFulfil(deps.db, merchant_id, now, limit)) {
      try {
        if (await handOutCodes(deps, merchant_id, order_no)) completed++;
      } catch (error) {
        // One order that fails holds back no other.
        deps.log.error({ err: error, order_no }, 'the codes of an order could not be handed out');
      }
    }
  }
  return completed;
}

/**
 * Completes one order with codes, or lets it wait. The order is locked first, so that a refund comes before or after
 * it, then its product, so that no two orders see the same codes as free.
 */
function handOutCodes({ db, clock }: HandOutDeps, merchant_id: string, order_no: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const order = await selectOrderForUpdate(tx, merchant_id, order_no);
    if (order === null) return false;
    // guard: codes-for-paid-orders-only
    if (order.state !== 'paid' || order.fulfil_at === null) return false;
    // guard: codes-handed-out-under-a-lock
    await lockStock(tx, merchant_id, order.gd_no);
    const codes = await selectFreeCodes(tx, merchant_id, order.gd_no, order.quantity);
    const now = clock.now();
    if (codes.length < order.quantity) {
      await tx.finish([updateOrder(order, { ...order, fulfil_at: null })]);
      return false;
    }
    await tx.finish([assignCodes(order, codes, now), updateOrder(order, moved(order, 'fulfilled', now))]);
    return true;
  });
}
