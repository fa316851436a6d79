/** The worker that assigns codes to paid orders. */
import { hours, later, minutes } from '../../base/time/clock.ts';
import { isUnderWay, selectComplaints, selectRefunds } from '../../payments/losses/index.ts';
import { selectMerchantsToFulfil, selectOrdersToFulfil } from './due-orders.sql.ts';
import { type CatalogOrderDeps, moved, selectOrderForUpdate, updateOrder } from '../orders/index.ts';
import { lockStock } from '../products/index.ts';
import { assignCodes, selectFreeCodes } from './codes.sql.ts';

type HandOutDeps = Pick<CatalogOrderDeps, 'db' | 'clock' | 'log' | 'queueMail'>;

/**
 * Assigns codes to the paid orders that are due, and completes them (D-177). Each order has its own transaction. An
 * order that the codes do not cover waits for more codes or for a person. Several workers may run at the same time.
 *
 * @returns the number of completed orders
 */
export async function handOutDueCodes(deps: HandOutDeps, limit = 100): Promise<number> {
  let completed = 0;
  const now = deps.clock.now();
  for (const merchant_id of await selectMerchantsToFulfil(deps.db, now, limit)) {
    for (const order_no of await selectOrdersToFulfil(deps.db, merchant_id, now, limit)) {
      try {
        if (await handOutCodes(deps, merchant_id, order_no)) completed++;
      } catch (error) {
        // A failed order does not stop the others.
        deps.log.error(
          { err: error, order_no },
          'codes could not be given to an order; the next pass retries it',
        );
      }
    }
  }
  return completed;
}

/** When an order is looked at again whose refund is under way. */
const refundWait_ms = minutes(1);
/** The same where a complaint is open, which can take weeks. */
const complaintWait_ms = hours(1);

/**
 * Completes one order with codes, or lets it wait.
 *
 * Invariants: an order gets all its codes or none, and each code goes to one order. The order lock keeps a refund
 * or a complaint before or after this transaction. A refund that is under way keeps the codes here (D-1164), and so does an open
 * complaint (D-1377). The lock of the product keeps two orders from selecting the same codes.
 */
function handOutCodes(
  { db, clock, queueMail }: HandOutDeps,
  merchant_id: string,
  order_no: string,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const order = await selectOrderForUpdate(tx, merchant_id, order_no);
    if (order === null) return false;
    // guard: codes-for-paid-orders-only
    if (order.state !== 'paid' || order.fulfil_at === null) return false;
    const [refunds, complaints] = await Promise.all([
      selectRefunds(tx, merchant_id, order_no),
      selectComplaints(tx, merchant_id, order_no),
    ]);
    const isDisputed = complaints.some(({ status }) => status === 'open');
    if (isDisputed || refunds.some(isUnderWay)) {
      const wait_ms = isDisputed ? complaintWait_ms : refundWait_ms;
      await tx.finish([updateOrder(order, { ...order, fulfil_at: later(clock.now(), wait_ms) })]);
      return false;
    }
    // guard: codes-handed-out-under-a-lock
    await lockStock(tx, merchant_id, order.gd_no);
    const codes = await selectFreeCodes(tx, merchant_id, order.gd_no, order.quantity);
    const now = clock.now();
    if (codes.length < order.quantity) {
      await tx.finish([updateOrder(order, { ...order, fulfil_at: null })]);
      return false;
    }
    await tx.finish([
      assignCodes(order, codes, now),
      updateOrder(order, moved(order, 'fulfilled', now)),
      ...queueMail('delivered', order, now),
    ]);
    return true;
  });
}
