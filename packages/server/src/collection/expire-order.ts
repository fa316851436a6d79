import type { Tx, Write } from '../base/db.ts';
import { readAttempts } from '../payments/read-attempts.ts';
import { counts } from '../payments/attempt.ts';
import type { CollectionDeps } from './deps.ts';
import { type CollectionOrder, deadlineEvent, moved } from './order.ts';
import {
  selectMerchantsOverdue,
  selectOrderForUpdate,
  selectOverdueForUpdate,
  updateOrder,
} from './order.sql.ts';
import { announce } from './status-event.ts';

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

const batch = 100;

/**
 * One pass of the sweep: every overdue order moves on, merchant by merchant, in bounded batches that skip what
 * others hold (R-193, R-195, D-113).
 *
 * @returns how many orders moved
 */
export async function sweepOverdue(deps: ExpireDeps, merchants = 100): Promise<number> {
  let movedOrders = 0;
  for (const merchant_id of await selectMerchantsOverdue(deps.db, deps.clock.now(), merchants)) {
    for (;;) {
      const count = await sweepBatch(deps, merchant_id);
      movedOrders += count;
      if (count < batch) break;
    }
  }
  return movedOrders;
}

async function sweepBatch(deps: ExpireDeps, merchant_id: string): Promise<number> {
  try {
    return await deps.db.transaction((tx) => expireBatch(deps, tx, merchant_id, batch));
  } catch (error) {
    deps.log.error({ err: error, merchant_id }, 'a batch of overdue orders failed; trying them one by one');
    return expireOneByOne(deps, merchant_id);
  }
}

async function expireBatch(deps: ExpireDeps, tx: Tx, merchant_id: string, limit: number): Promise<number> {
  const due = await selectOverdueForUpdate(tx, merchant_id, deps.clock.now(), limit);
  const attempts = await Promise.all(due.map(({ order_no }) => readAttempts(tx, merchant_id, order_no)));
  const now = deps.clock.now();
  const writes = due.map((order, i): Write[] => {
    const event = deadlineEvent(order, attempts[i]?.some(counts) ?? false, now);
    if (event === null) return [];
    const after = moved(order, event);
    return [updateOrder(order, after), ...announce(after, deps.ids, now)];
  });
  await Promise.all(writes.map((ofOne) => tx.write(ofOne)));
  return due.length;
}

/** What a poisoned batch is taken apart into: one order that cannot move holds back no other. */
async function expireOneByOne(deps: ExpireDeps, merchant_id: string): Promise<number> {
  const due = await deps.db.transaction((tx) =>
    selectOverdueForUpdate(tx, merchant_id, deps.clock.now(), batch),
  );
  const results = await Promise.allSettled(due.map((order) => expireIfDue(deps, order)));
  for (const [i, result] of results.entries()) {
    if (result.status === 'rejected') {
      deps.log.error(
        { err: result.reason as Error, order_no: due[i]?.order_no },
        'an overdue order cannot move',
      );
    }
  }
  return results.filter(({ status }) => status === 'fulfilled').length;
}
