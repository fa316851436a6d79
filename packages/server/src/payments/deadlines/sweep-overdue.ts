/**
 * The sweep: moves all orders whose deadline has passed (R-193, R-195, D-113). The provider is asked by
 * `payments/card/check-due-attempts.ts`.
 */
import type { Clock } from '../../base/time/clock.ts';
import type { Database, Queryable, Tx, Write } from '../../base/pg/index.ts';
import { selectOrdersWithAttempt } from '../attempts/index.ts';
import type { Logger } from '../../base/log.ts';

/** A position in a merchant's overdue orders. */
export interface OverdueMark {
  expires_at: Date;
  order_no: string;
}

/** The functions of one kind of order that the sweep needs. */
export interface Sweepable<O extends OverdueMark> {
  /** Merchants with overdue orders, by id, after `after`. */
  selectMerchants(db: Queryable, now: Date, after: string, limit: number): Promise<string[]>;
  /** Locks the next overdue orders of a merchant after a mark, oldest first. Skips orders that others have locked. */
  lockOverdue(
    tx: Tx,
    merchant_id: string,
    now: Date,
    behind: OverdueMark | null,
    limit: number,
  ): Promise<O[]>;
  /** The writes that expire some orders of a merchant together. None of them has an attempt that counts. */
  expire(merchant_id: string, orders: readonly O[], now: Date): Write[];
  /** Moves one order in its own transaction. */
  moveOne(order: O): Promise<unknown>;
}

export interface SweepDeps {
  db: Database;
  clock: Clock;
  log: Logger;
}

/** Orders in one transaction, and merchants in one page. */
const batchSize = 500;
const merchantPage = 100;
/** Merchants swept at once: the database writes the orders of one while this process prepares those of the other. */
const atOnce = 2;
const firstMerchant = '00000000-0000-0000-0000-000000000000';

/**
 * Moves every overdue order of one kind, two merchants at once, in batches of limited size (R-193, R-195, D-113). Skips
 * orders that other transactions hold. Orders without a counting attempt expire together; each other order moves in its
 * own transaction. An order that fails does not stop the others.
 *
 * @returns number of orders moved
 */
export async function sweepOverdueOrders<O extends OverdueMark>(
  deps: SweepDeps,
  kind: Sweepable<O>,
): Promise<number> {
  let swept = 0;
  let after = firstMerchant;
  for (;;) {
    const merchants = await kind.selectMerchants(deps.db, deps.clock.now(), after, merchantPage);
    const waiting = merchants.values();
    const sweeps = Array.from({ length: atOnce }, () => sweepMerchants(deps, kind, waiting));
    // Where one fails, the whole pass ends after it.
    await Promise.allSettled(sweeps);
    for (const moved of await Promise.all(sweeps)) swept += moved;
    const last = merchants.at(-1);
    if (last === undefined || merchants.length < merchantPage) return swept;
    after = last;
  }
}

/** Sweeps merchants of a queue that others take from as well. */
async function sweepMerchants<O extends OverdueMark>(
  deps: SweepDeps,
  kind: Sweepable<O>,
  waiting: Iterable<string>,
): Promise<number> {
  let swept = 0;
  for (const merchant_id of waiting) swept += await sweepMerchant(deps, kind, merchant_id);
  return swept;
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

/** The result of one batch. */
interface Batch<O> {
  /** Number of orders that expired together. */
  moved: number;
  /** Orders to move one by one. */
  left: O[];
  /** Where the next batch begins; null at the end. */
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
    log.error(
      { err: error, merchant_id },
      'overdue orders could not expire together; they are moved one by one',
    );
    const due = await db.transaction(take);
    return { moved: 0, left: due, last: markAfter(due) };
  }
}

/** Expires the orders without a counting attempt. Three round trips for any number of orders. */
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

/** @returns number of orders moved */
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
      log.error(
        { err: error, order_no: order.order_no },
        'an overdue order could not be moved; the next sweep retries it',
      );
    }
  }
  return count;
}
