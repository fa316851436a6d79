import { lockOrderFunds, post } from '../../ledger/books/index.ts';
import type { PaymentDeps } from '../engine/index.ts';
import { endHold, isHoldDue, selectDueHolds, selectMerchantsWithDueHolds } from './hold.sql.ts';
import { releaseHoldEntry } from './release-entry.ts';

/**
 * Releases the proceeds of every order whose hold is due (R-147, D-073). Any number of workers may run this at once.
 *
 * Invariant: the proceeds of an order are released at most once. Each release has its own transaction, under the order's
 * lock, and the write that ends the hold touches no row the second time.
 *
 * @returns number of orders released
 */
export async function releaseDueHolds(
  deps: Pick<PaymentDeps, 'db' | 'clock' | 'log' | 'kindOf'>,
  limit = 100,
): Promise<number> {
  let released = 0;
  const now = deps.clock.now();
  for (const merchant_id of await selectMerchantsWithDueHolds(deps.db, now, limit)) {
    for (const order_no of await selectDueHolds(deps.db, merchant_id, now, limit)) {
      try {
        if (await releaseHold(deps, merchant_id, order_no)) released++;
      } catch (error) {
        // The other orders are still released.
        deps.log.error({ err: error, order_no }, 'a hold could not be released; the next pass retries it');
      }
    }
  }
  return released;
}

function releaseHold(
  { db, clock, kindOf }: Pick<PaymentDeps, 'db' | 'clock' | 'kindOf'>,
  merchant_id: string,
  order_no: string,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    await kindOf(order_no).lock(tx, merchant_id, order_no);
    const now = clock.now();
    if (!(await isHoldDue(tx, merchant_id, order_no, now))) return false;
    const { recovery, held } = await lockOrderFunds(tx, merchant_id, order_no);
    const { book } = post([releaseHoldEntry(merchant_id, order_no, held, recovery)], now);
    await tx.write([...book, endHold(merchant_id, order_no, now)]);
    return true;
  });
}
