import type { Clock } from '../../base/time/clock.ts';
import type { Database, Queryable, Tx, Write } from '../../base/pg/index.ts';
import { selectOrdersWithAttempt } from '../attempts/index.ts';
import type { Logger } from '../../base/log.ts';

/** Where a walk through a merchant's overdue orders has come to. */
export interface OverdueMark {
  expires_at: Date;
  order_no: string;
}

/** What a kind of order contributes to the sweep. */
export interface Sweepable<O extends OverdueMark> {
  /** The next merchants after `after`, by id, that have orders past their deadline. */
  selectMerchants(db: Queryable, now: Date, after: string, limit: number): Promise<string[]>;
  /** Locks the next of a merchant's overdue orders behind a mark that nobody else holds, the longest overdue first. */
  lockOverdue(
    tx: Tx,
    merchant_id: string,
    now: Date,
    behind: OverdueMark | null,
    limit: number,
  ): Promise<O[]>;
  /** The writes that expire, as a set, some of a merchant's orders that nobody has begun to pay. */
  expire(merchant_id: string, orders: readonly O[], now: Date): Write[];
  /** Moves one order on in a transaction of its own. */
  moveOne(order: O): Promise<unknown>;
}

export interface SweepDeps {
  db: Database;
  clock: Clock;
  log: Logger;
}

/** How many orders move in one transaction, and how many merchants are asked for at a time. */
const batchSize = 500;
const merchantPage = 100;
const firstMerchant = '00000000-0000-0000-0000-000000000000';

/**
 * One pass of the sweep over one kind of order: every overdue order moves on, merchant by merchant, in bounded batches
 * that skip what others hold (R-193, R-195, D-113). What nobody has begun to pay expires as a set, all else in a
 * transaction of its own; one that cannot move holds back no other.
 *
 * @returns how many orders moved
 */
export async function sweepOverdueOrders<O extends OverdueMark>(
  deps: SweepDeps,
  kind: Sweepable<O>,
): Promise<number> {
  let swept = 0;
  let after = firstMerchant;
  for (;;) {
    const merchants = await kind.selectMerchants(deps.db, deps.clock.now(), after, merchantPage);
    for (const merchant_id of merchants) swept += await sweepMerchant(deps, kind, merchant_id);
    const last = merchants.at(-1);
    if (last === undefined || merchants.length < merchantPage) return swept;
    after = last;
  }
}

async function sweepMerchant<O extends OverdueMark>(
  deps: SweepDeps,
  kind: Sweepable<O>,
  merchant_id: string,
): Promise<number> {
  let swept = 0;
  let behind: OverdueMark | null = null;
  do {
    const batch: Batch<O> = await sweepBatch(deps, kind, merchant_id, behind);
    swept += batch.moved + (await moveOneByOne(deps, kind, batch.left));
    behind = batch.last;
  } while (behind !== null);
  return swept;
}

/** What a batch came to. */
interface Batch<O> {
  /** How many expired together. */
  moved: number;
  /** What has to move one by one. */
  left: O[];
  /** Where to go on; null at the end. */
  last: OverdueMark | null;
}

async function sweepBatch<O extends OverdueMark>(
  { db, clock, log }: SweepDeps,
  kind: Sweepable<O>,
  merchant_id: string,
  behind: OverdueMark | null,
): Promise<Batch<O>> {
  const take = (tx: Tx): Promise<O[]> => kind.lockOverdue(tx, merchant_id, clock.now(), behind, batchSize);
  try {
    return await db.transaction(async (tx) => expireSet(tx, clock, kind, merchant_id, await take(tx)));
  } catch (error) {
    log.error({ err: error, merchant_id }, 'a set of overdue orders failed; trying them one by one');
    const due = await db.transaction(take);
    return { moved: 0, left: due, last: markAfter(due) };
  }
}

/** Expires those of the orders that no attempt counts for. Three round trips, whatever their number. */
async function expireSet<O extends OverdueMark>(
  tx: Tx,
  clock: Clock,
  kind: Sweepable<O>,
  merchant_id: string,
  due: readonly O[],
): Promise<Batch<O>> {
  const numbers = due.map(({ order_no }) => order_no);
  const begun = await selectOrdersWithAttempt(tx, merchant_id, numbers);
  const isBegun = ({ order_no }: O): boolean => begun.has(order_no);
  const untouched = due.filter((order) => !isBegun(order));
  if (untouched.length > 0) await tx.finish(kind.expire(merchant_id, untouched, clock.now()));
  return { moved: untouched.length, left: due.filter(isBegun), last: markAfter(due) };
}

const markAfter = (due: readonly OverdueMark[]): OverdueMark | null =>
  due.length < batchSize ? null : (due.at(-1) ?? null);

/** @returns how many could move */
async function moveOneByOne<O extends OverdueMark>(
  { log }: SweepDeps,
  kind: Sweepable<O>,
  orders: readonly O[],
): Promise<number> {
  let count = 0;
  for (const order of orders) {
    try {
      await kind.moveOne(order);
      count++;
    } catch (error) {
      log.error({ err: error, order_no: order.order_no }, 'an overdue order cannot move');
    }
  }
  return count;
}
