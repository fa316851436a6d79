import type { Tx } from '../base/db.ts';
import { ordersWithAttempt, readAttempts } from '../payments/read-attempts.ts';
import { counts } from '../payments/attempt.ts';
import type { CollectionDeps } from './deps.ts';
import { type CollectionOrder, deadlineEvent, moved } from './order.ts';
import {
  type OverdueMark,
  selectMerchantsOverdue,
  selectOrderForUpdate,
  selectOverdueForUpdate,
  updateOrder,
  updateStatuses,
} from './order.sql.ts';
import { announce, announceAll } from './status-event.ts';

type ExpireDeps = Pick<CollectionDeps, 'db' | 'clock' | 'ids' | 'log'>;

/**
 * The order as it stands after its deadline, where that has passed: moved, under its lock, to `expired` or
 * `review` (T2, T3, R-177 to R-179). Answers at once where nothing is due; asks no provider (D-089).
 */
export async function expireIfDue(deps: ExpireDeps, order: CollectionOrder): Promise<CollectionOrder> {
  if (order.status !== 'pending' || deps.clock.now() < order.expires_at) return order;
  return deps.db.transaction(async (tx) => {
    const { merchant_id, order_no } = order;
    const [locked, attempts] = await Promise.all([
      selectOrderForUpdate(tx, merchant_id, order_no),
      readAttempts(tx, merchant_id, order_no),
    ]);
    if (locked === null) return order;
    const now = deps.clock.now();
    const event = deadlineEvent(locked, attempts.some(counts), now);
    if (event === null) return locked;
    const after = moved(locked, event);
    await tx.write([updateOrder(locked, after), ...announce(after, deps.ids, now)]);
    return after;
  });
}

/** How many orders move in one transaction, and how many merchants are asked for at a time. */
const batchSize = 500;
const merchantPage = 100;
const firstMerchant = '00000000-0000-0000-0000-000000000000';

/**
 * One pass of the sweep: every overdue order moves on, merchant by merchant, in bounded batches that skip what others
 * hold (R-193, R-195, D-113). What nobody has begun to pay expires as a set, all else in a transaction of its own; one
 * that cannot move holds back no other.
 *
 * @returns how many orders moved
 */
export async function sweepOverdue(deps: ExpireDeps): Promise<number> {
  let swept = 0;
  let after = firstMerchant;
  for (;;) {
    const merchants = await selectMerchantsOverdue(deps.db, deps.clock.now(), after, merchantPage);
    for (const merchant_id of merchants) swept += await sweepMerchant(deps, merchant_id);
    const last = merchants.at(-1);
    if (last === undefined || merchants.length < merchantPage) return swept;
    after = last;
  }
}

async function sweepMerchant(deps: ExpireDeps, merchant_id: string): Promise<number> {
  let swept = 0;
  let behind: OverdueMark | null = null;
  do {
    const batch: Batch = await sweepBatch(deps, merchant_id, behind);
    swept += batch.moved + (await expireOneByOne(deps, batch.left));
    behind = batch.last;
  } while (behind !== null);
  return swept;
}

/** What a batch came to. */
interface Batch {
  /** How many expired together. */
  moved: number;
  /** What has to move one by one. */
  left: CollectionOrder[];
  /** Where to go on; null at the end. */
  last: OverdueMark | null;
}

async function sweepBatch(deps: ExpireDeps, merchant_id: string, behind: OverdueMark | null): Promise<Batch> {
  try {
    return await deps.db.transaction((tx) => expireSet(deps, tx, merchant_id, behind));
  } catch (error) {
    deps.log.error({ err: error, merchant_id }, 'a set of overdue orders failed; trying them one by one');
    const due = await deps.db.transaction((tx) => takeOverdue(deps, tx, merchant_id, behind));
    return { moved: 0, left: due, last: lastOf(due) };
  }
}

/** Expires those of the next overdue orders that no attempt counts for. Three round trips, whatever their number. */
async function expireSet(
  deps: ExpireDeps,
  tx: Tx,
  merchant_id: string,
  behind: OverdueMark | null,
): Promise<Batch> {
  const due = await takeOverdue(deps, tx, merchant_id, behind);
  const numbers = due.map(({ order_no }) => order_no);
  const begun = await ordersWithAttempt(tx, merchant_id, numbers);
  const isBegun = ({ order_no }: CollectionOrder): boolean => begun.has(order_no);
  const now = deps.clock.now();
  const changes = due
    .filter((order) => !isBegun(order))
    .map((before) => ({ before, after: moved(before, 'deadline') }));
  if (changes.length > 0) {
    const after = changes.map((change) => change.after);
    await tx.finish([updateStatuses(merchant_id, changes), ...announceAll(after, deps.ids, now)]);
  }
  return { moved: changes.length, left: due.filter(isBegun), last: lastOf(due) };
}

const takeOverdue = (
  { clock }: ExpireDeps,
  tx: Tx,
  merchant_id: string,
  behind: OverdueMark | null,
): Promise<CollectionOrder[]> => selectOverdueForUpdate(tx, merchant_id, clock.now(), behind, batchSize);

const lastOf = (due: readonly CollectionOrder[]): OverdueMark | null =>
  due.length < batchSize ? null : (due.at(-1) ?? null);

/** @returns how many could move */
async function expireOneByOne(deps: ExpireDeps, orders: readonly CollectionOrder[]): Promise<number> {
  let count = 0;
  for (const order of orders) {
    try {
      await expireIfDue(deps, order);
      count++;
    } catch (error) {
      deps.log.error({ err: error, order_no: order.order_no }, 'an overdue order cannot move');
    }
  }
  return count;
}
