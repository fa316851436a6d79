/** Keeps the sums of orders of all merchants, and reads them by day. */
import { type Clock, days, hours, later } from '../../base/time/clock.ts';
import {
  type Database,
  isRetryable,
  isUniqueViolation,
  type Queryable,
  type Tx,
} from '../../base/pg/index.ts';
import { readOneSnapshot, selectSnapshot } from '../../ledger/verification/index.ts';
import {
  type DaySums,
  lockSumsMark,
  quarter_ms,
  replaceSums,
  selectChangedQuarters,
  selectDays,
  selectMerchantsToSum,
  selectMerchantsWithOrders,
  selectOrderTimes,
  selectSumsMark,
  type Span,
  sumQuarters,
  updateSumsMark,
} from './sums.sql.ts';

/** Orders that are younger are read one by one. It is longer than a transaction and than clocks may differ. */
export const young_ms = hours(1);
/** How much one pass adds at most, so that a pass is short. */
export const most_ms = days(2);
/** Of how many quarters one pass makes the sums anew by themselves. Where more changed, all from the first one on are made anew. */
export const mostChanged = most_ms / quarter_ms;

export const quarterAt = (at: Date): Date => new Date(Math.floor(at.getTime() / quarter_ms) * quarter_ms);
export const earliest = (...times: Date[]): Date =>
  new Date(Math.min(...times.map((time) => time.getTime())));

/**
 * Keeps the sums of each merchant up to date; returns how many merchants are not yet summed to the end. Several workers may
 * call it at once.
 *
 * Invariant: sums are kept only of a time in which no order is pending. What changes later in an order that has ended leaves
 * the number of its transaction (`changed_xact`): the sums of its quarters count for nothing until they are made anew
 * (D-397).
 */
export async function keepOrderSums({ db, clock }: { db: Database; clock: Clock }): Promise<number> {
  let behind = 0;
  const now = clock.now();
  const merchants = await selectMerchantsToSum(db, quarterAt(later(now, -young_ms)));
  if (db.isDistributed === true) return 0;
  for (const merchant_id of merchants) {
    if (await keepInTurn(db, (tx) => keepSumsOf(tx, merchant_id, now))) behind++;
  }
  return behind;
}

/** Keeps sums of one merchant, in one snapshot; returns whether they are not yet summed to the end. */
export async function keepInTurn(db: Database, keep: (tx: Tx) => Promise<boolean>): Promise<boolean> {
  try {
    return await db.transaction(async (tx) => {
      await readOneSnapshot(tx, 'read write');
      return keep(tx);
    });
  } catch (error) {
    // Another worker has kept them meanwhile. Where there was no mark to lock, both inserted the same sums.
    if (!isRetryable(error) && !isUniqueViolation(error)) throw error;
    return false;
  }
}

async function keepSumsOf(tx: Tx, merchant_id: string, now: Date): Promise<boolean> {
  const { snapshot, cluster, ahead } = await selectSnapshot(tx);
  const known = await lockSumsMark(tx, merchant_id);
  // Transactions are counted anew where a dump was restored into another cluster.
  const isOurs = known?.counted_by === cluster && BigInt(known.snapshot.split(':')[1] ?? 0) <= ahead;
  const mark = isOurs ? known : null;
  const { first, pending } = await selectOrderTimes(tx, merchant_id);
  const changed = mark === null ? [] : await selectChangedQuarters(tx, merchant_id, mark);
  const anew = changed.length > mostChanged ? changed[0] : undefined;
  const begun = anew ?? mark?.kept_until ?? quarterAt(first ?? now);
  const end = quarterAt(earliest(later(now, -young_ms), pending ?? now));
  const kept_until = earliest(end, later(begun, most_ms));
  const sum = async (from: Date, to: Date, instead_of = from): Promise<void> => {
    const found = await sumQuarters(tx, merchant_id, from, to);
    await replaceSums(tx, merchant_id, { from: instead_of, to }, found);
  };
  if (anew === undefined) for (const quarter of changed) await sum(quarter, later(quarter, quarter_ms));
  if (mark === null || begun < kept_until) await sum(begun, kept_until, mark === null ? new Date(0) : begun);
  await updateSumsMark(tx, merchant_id, { kept_until, snapshot, counted_by: cluster });
  return kept_until < end;
}

/** The sums of a merchant's orders since then, by day: as exact as if all orders were added up. */
export async function readDays(db: Queryable, merchant_id: string, span: Span): Promise<DaySums[]> {
  const kept = await selectSumsMark(db, merchant_id);
  const mark = db.isDistributed === true ? null : kept;
  const changed = mark === null ? [] : await selectChangedQuarters(db, merchant_id, mark);
  return selectDays(db, merchant_id, { ...span, since: quarterAt(span.since) }, mark, changed);
}

/** The same of all merchants together. */
export async function readPlatformDays(db: Queryable, span: Span): Promise<DaySums[]> {
  const found: DaySums[] = [];
  for (const merchant_id of await selectMerchantsWithOrders(db)) {
    found.push(...(await readDays(db, merchant_id, span)));
  }
  return found;
}
