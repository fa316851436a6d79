/** Moves collection orders on when their deadline passes: on reading, and in the sweep. */
import { counts, selectAttempts } from '../../payments/attempts/index.ts';
import { sweepOverdueOrders } from '../../payments/deadlines/index.ts';
import type { CollectionDeps } from './deps.ts';
import type { CollectionOrder } from './order.ts';
import { overdue, selectOrderForUpdate, updateOrder, updateStatuses } from './order.sql.ts';
import { deadlineEvent, moved } from './status-change.ts';
import { announce, announceAll } from './status-notification.ts';

type ExpireDeps = Pick<CollectionDeps, 'db' | 'clock' | 'ids' | 'log'>;

/**
 * Moves an order to `expired` or `review` if its deadline has passed (T2, T3, R-177, R-179), and returns it. Only a pending order
 * has one, so time alone never ends `review`.
 *
 * Invariant: status and clock are read again under the row's lock, so a deadline moves an order at most once,
 * and its notification is stored in the same transaction. No provider is asked (D-089).
 */
export async function expireIfDue(deps: ExpireDeps, order: CollectionOrder): Promise<CollectionOrder> {
  if (order.status !== 'pending' || deps.clock.now() < order.expires_at) return order;
  return deps.db.transaction(async (tx) => {
    const { merchant_id, order_no } = order;
    const [locked, attempts] = await Promise.all([
      selectOrderForUpdate(tx, merchant_id, order_no),
      selectAttempts(tx, merchant_id, order_no),
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

/**
 * Moves every overdue collection order (R-193, R-195, D-113).
 *
 * @returns the number of orders that moved
 */
export function sweepOverdue(deps: ExpireDeps): Promise<number> {
  return sweepOverdueOrders<CollectionOrder>(deps, {
    ...overdue,
    expire(merchant_id, orders, now) {
      const changes = orders.map((before) => ({ before, after: moved(before, 'deadline') }));
      const after = changes.map((change) => change.after);
      return [
        updateStatuses(merchant_id, changes),
        .../* guard: each-status-told = [] */ announceAll(after, deps.ids, now),
      ];
    },
    moveOne: (order) => expireIfDue(deps, order),
  });
}
