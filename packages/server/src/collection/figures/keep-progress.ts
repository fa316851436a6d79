/** Keeps the sums of how far orders of all merchants came. */
import { type Clock, later } from '../../base/time/clock.ts';
import type { Database, Tx } from '../../base/pg/index.ts';
import { selectSnapshot } from '../../ledger/verification/index.ts';
import {
  earliest,
  keepInTurn,
  keepOrderSums,
  most_ms,
  mostChanged,
  quarterAt,
  young_ms,
} from './keep-sums.ts';
import {
  deleteProgressMark,
  lockProgress,
  selectMerchantsToSumProgress,
  updateProgressMark,
} from './progress-marks.sql.ts';
import { sumProgress } from './progress-sums.sql.ts';
import { deleteSumsMark, quarter_ms, selectMerchantsWithOrders, selectOrderTimes } from './sums.sql.ts';

/**
 * Keeps the sums of each merchant up to date; returns how many merchants are not yet summed to the end. Several workers may
 * call it at once.
 *
 * Invariant: sums are kept only of a time in which no order is pending, and count only for quarters in which no attempt was
 * under way. What changes later in an order, in an attempt that had ended, or by a late opening of the checkout leaves the
 * number of its transaction (`changed_xact`): the sums of its quarter count for nothing until they are made anew (D-540).
 */
export async function keepProgressSums({ db, clock }: { db: Database; clock: Clock }): Promise<number> {
  if (db.isDistributed === true) return 0;
  let behind = 0;
  const now = clock.now();
  for (const merchant_id of await selectMerchantsToSumProgress(db, quarterAt(later(now, -young_ms)))) {
    if (await keepInTurn(db, (tx) => keepProgressOf(tx, merchant_id, now))) behind++;
  }
  return behind;
}

async function keepProgressOf(tx: Tx, merchant_id: string, now: Date): Promise<boolean> {
  const { snapshot, cluster } = await selectSnapshot(tx);
  const { kept_until: known, stale, open } = await lockProgress(tx, merchant_id);
  const { first, pending } = await selectOrderTimes(tx, merchant_id);
  const anew = stale.length - open > mostChanged ? stale[0] : undefined;
  const begun = anew ?? known ?? quarterAt(first ?? now);
  const end = quarterAt(earliest(later(now, -young_ms), pending ?? now));
  const kept_until = earliest(end, later(begun, most_ms));
  for (const quarter of anew === undefined ? stale : [])
    await sumProgress(tx, merchant_id, quarter, later(quarter, quarter_ms));
  if (known === null) await sumProgress(tx, merchant_id, new Date(0), kept_until);
  else if (begun < kept_until) await sumProgress(tx, merchant_id, begun, kept_until);
  await updateProgressMark(tx, merchant_id, { kept_until, snapshot, counted_by: cluster });
  return kept_until < end;
}

/** Makes all sums anew from the orders. Figures are exact meanwhile, and slower. */
export async function rebuildOrderSums(deps: { db: Database; clock: Clock }): Promise<void> {
  for (const merchant_id of await selectMerchantsWithOrders(deps.db)) {
    await deleteSumsMark(deps.db, merchant_id);
    await deleteProgressMark(deps.db, merchant_id);
  }
  while ((await keepOrderSums(deps)) + (await keepProgressSums(deps)) > 0);
}
