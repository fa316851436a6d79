import type { Tx } from '../../base/pg/index.ts';
import { lockHeldFunds, post } from '../../ledger/books/index.ts';
import type { PayableKind, PaymentDeps } from '../engine/index.ts';
import { endHolds, selectDueHolds, selectDueOf, selectMerchantsWithDueHolds } from './hold.sql.ts';
import { releaseEntries } from './release-entry.ts';

type ReleaseDeps = Pick<PaymentDeps, 'db' | 'clock' | 'log' | 'kindOf'>;

/** Orders that are released in one transaction. Until it ends, the merchant's available balance is locked. */
const groupSize = 25;

/**
 * Releases the proceeds of every order whose hold is due (R-147, D-073): the orders of one merchant in groups, and one by
 * one where a group fails (D-667). Any number of workers may run this at once.
 *
 * Invariant: the proceeds of an order are released at most once. Its hold is read under the order's lock, and the write
 * that ends the hold touches no row the second time.
 *
 * @returns number of orders released
 */
export async function releaseDueHolds(deps: ReleaseDeps, limit = 100): Promise<number> {
  let released = 0;
  const now = deps.clock.now();
  for (const merchant_id of await selectMerchantsWithDueHolds(deps.db, now, limit)) {
    const due = await selectDueHolds(deps.db, merchant_id, now, limit);
    while (due.length > 0) released += await releaseSome(deps, merchant_id, due.splice(0, groupSize));
  }
  return released;
}

/** Releases some orders of a merchant together, or one by one if that fails. */
async function releaseSome(
  deps: ReleaseDeps,
  merchant_id: string,
  order_nos: readonly string[],
): Promise<number> {
  try {
    return await releaseTogether(deps, merchant_id, order_nos);
  } catch (error) {
    const [order_no, ...further] = order_nos;
    if (further.length === 0) {
      // The other orders are still released.
      deps.log.error({ err: error, order_no }, 'a hold could not be released; the next pass retries it');
      return 0;
    }
    deps.log.error(
      { err: error, merchant_id },
      'holds could not be released together; they are released one by one',
    );
    let released = 0;
    for (const one of order_nos) released += await releaseSome(deps, merchant_id, [one]);
    return released;
  }
}

/** Releases, in one transaction, those of some orders whose hold is due. Four round trips for any number of orders. */
function releaseTogether(
  { db, clock, kindOf }: ReleaseDeps,
  merchant_id: string,
  order_nos: readonly string[],
): Promise<number> {
  return db.transaction(async (tx) => {
    await lockOrders(tx, kindOf, merchant_id, order_nos);
    const now = clock.now();
    const due = await selectDueOf(tx, merchant_id, order_nos, now);
    const releasing = order_nos.filter((order_no) => due.has(order_no));
    if (releasing.length === 0) return 0;
    const funds = await lockHeldFunds(tx, merchant_id, releasing);
    const { book } = post(releaseEntries(merchant_id, releasing, funds), now);
    await tx.finish([...book, endHolds(merchant_id, releasing, now)]);
    return releasing.length;
  });
}

/** Locks orders of both kinds: one kind after the other, and each in the order of its numbers. */
async function lockOrders(
  tx: Tx,
  kindOf: PaymentDeps['kindOf'],
  merchant_id: string,
  order_nos: readonly string[],
): Promise<void> {
  const kinds = new Map<PayableKind, string[]>();
  // The numbers of one kind begin alike, so the kinds come in the same order for everyone.
  for (const order_no of [...order_nos].sort()) {
    const kind = kindOf(order_no);
    kinds.set(kind, [...(kinds.get(kind) ?? []), order_no]);
  }
  for (const [kind, numbers] of kinds) await kind.lockAll(tx, merchant_id, numbers);
}
