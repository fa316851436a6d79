/** Keeps sums of the orders of all merchants, so that figures need not add up all orders. */
import { AppError, together } from '../../base/errors.ts';
import { type Clock, days, hours, later } from '../../base/time/clock.ts';
import {
  type Database,
  isLockBusy,
  isRetryable,
  isTimedOut,
  isUniqueViolation,
  type Tx,
} from '../../base/pg/index.ts';
import { readOneSnapshot, selectSnapshot } from '../../ledger/verification/index.ts';
import {
  deleteMark,
  type KeptSums,
  lockSums,
  quarter_ms,
  selectMerchantsToSum,
  type SumsMark,
} from './sum-marks.sql.ts';
import {
  orderSums,
  selectMerchantsWithOrders,
  selectOrderTimes,
  sumOrders,
  sumPlatform,
  updateOrderMark,
} from './order-sums.sql.ts';
import { progressSums, sumProgress, updateProgressMark } from './progress-sums.sql.ts';

/** Orders that are younger are read one by one. It is longer than a transaction and than clocks may differ. */
const young_ms = hours(1);
/** How much one pass adds at most, so that a pass is short. */
const most_ms = days(2);
/**
 * How many changed quarters one pass rebuilds one by one. If more changed, it rebuilds all from the first one on
 * (D-571).
 */
const mostChanged = most_ms / quarter_ms;
/** A merchant whose sums cannot be kept holds up no other. After so many, the database is at fault. */
const mostFailures = 10;

const quarterAt = (at: Date): Date => new Date(Math.floor(at.getTime() / quarter_ms) * quarter_ms);
const earliest = (...times: Date[]): Date => new Date(Math.min(...times.map((time) => time.getTime())));

interface Deps {
  db: Database;
  clock: Clock;
  /** Whether sums that another worker keeps just now are not kept yet, so that the caller comes back for them. */
  comes_back?: boolean;
}

/** How sums of one kind are made. */
interface Kind {
  sums: KeptSums;
  /** Puts sums in the place of those between two times, of whole quarters. */
  sum: (tx: Tx, merchant_id: string, from: Date, to: Date) => Promise<void>;
  updateMark: (tx: Tx, merchant_id: string, mark: SumsMark) => Promise<void>;
}

/**
 * Keeps the sums of each merchant's orders up to date; returns how many merchants are not yet summed to the end. Several
 * workers may call it at once.
 *
 * Invariant: sums are kept only of a time in which no order can still be paid. A later change of an order that has ended
 * stores the number of its transaction (`changed_xact`): the sums of its quarters do not count until they are rebuilt
 * (D-397).
 */
export const keepOrderSums = (deps: Deps): Promise<number> =>
  keep(deps, { sums: orderSums, sum: sumOrders, updateMark: updateOrderMark });

/**
 * The same for the sums of how far orders came. These count only for quarters in which no attempt was under way, and an
 * attempt that had ended and a late opening of the checkout store the number of their transaction as well (D-540, D-541).
 */
export const keepProgressSums = (deps: Deps): Promise<number> =>
  keep(deps, { sums: progressSums, sum: sumProgress, updateMark: updateProgressMark });

async function keep({ db, clock, comes_back = false }: Deps, kind: Kind): Promise<number> {
  if (db.isDistributed === true) return 0;
  let behind = 0;
  const now = clock.now();
  const at = { until: quarterAt(later(now, -young_ms)), now };
  const errors: unknown[] = [];
  for (const merchant_id of await selectMerchantsToSum(db, kind.sums, at)) {
    try {
      if ((await keepInTurn(db, (tx) => keepOf(tx, kind, merchant_id, now))) ?? comes_back) behind++;
    } catch (error) {
      errors.push(error);
      if (errors.length === mostFailures) break;
    }
  }
  if (errors.length > 0) throw together(errors, 'sums of merchants could not be kept');
  return behind;
}

/**
 * Keeps sums of one merchant, or of all, in one snapshot; returns whether they are not yet summed to the end, or null if another
 * worker does.
 * The server ends a statement that takes longer than usual, which would keep the lock. The sums are then made on a connection
 * without a limit (D-1118).
 */
async function keepInTurn(
  db: Database,
  keepOne: (tx: Tx) => Promise<boolean>,
  unlimited = false,
): Promise<boolean | null> {
  try {
    return await db.transaction(
      async (tx) => {
        await readOneSnapshot(tx, 'read write', unlimited ? 'none' : 'as usual');
        return keepOne(tx);
      },
      { unlimited },
    );
  } catch (error) {
    const cause = error instanceof AppError ? error.cause : null;
    if (!unlimited && isTimedOut(cause)) return keepInTurn(db, keepOne, true);
    // Another worker has kept them meanwhile, or still keeps them after the time limit for locks. Where there was no mark to
    // lock, both inserted the same sums (D-570).
    if (!isRetryable(error) && !isUniqueViolation(error) && !isLockBusy(cause)) throw error;
    return null;
  }
}

async function keepOf(
  tx: Tx,
  { sums, sum, updateMark }: Kind,
  merchant_id: string,
  now: Date,
): Promise<boolean> {
  const { snapshot, cluster } = await selectSnapshot(tx);
  const { kept_until: known, stale, open } = await lockSums(tx, sums, merchant_id);
  const { first, pending } = await selectOrderTimes(tx, merchant_id);
  const restart = stale.length - open > mostChanged ? stale[0] : undefined;
  const end = quarterAt(earliest(later(now, -young_ms), pending ?? now));
  // Beyond now, the clock was set back since: what is summed there would hide the orders that come now (D-1113).
  const isAhead = known !== null && known > now;
  const begun = restart ?? (isAhead ? end : known) ?? quarterAt(first ?? now);
  const kept_until = earliest(end, later(begun, most_ms));
  for (const quarter of restart === undefined ? stale : [])
    await sum(tx, merchant_id, quarter, later(quarter, quarter_ms));
  if (known === null) await sum(tx, merchant_id, new Date(0), kept_until);
  else if (begun < kept_until) await sum(tx, merchant_id, begun, kept_until);
  await updateMark(tx, merchant_id, { kept_until, snapshot, counted_by: cluster });
  return kept_until < end;
}

/**
 * Rebuilds all sums from the orders, and those of all merchants together (D-639), and returns to those that a worker locks
 * (D-663). Figures are exact meanwhile, and slower.
 */
export async function rebuildOrderSums(deps: Deps): Promise<void> {
  for (const merchant_id of await selectMerchantsWithOrders(deps.db)) {
    await deleteMark(deps.db, orderSums, merchant_id);
    await deleteMark(deps.db, progressSums, merchant_id);
  }
  const patient = { ...deps, comes_back: true };
  while ((await keepOrderSums(patient)) + (await keepProgressSums(patient)) > 0);
  if (deps.db.isDistributed === true) return;
  // Again where a worker holds a lock.
  while ((await keepInTurn(deps.db, (tx) => sumPlatform(tx).then(() => false))) === null);
}
