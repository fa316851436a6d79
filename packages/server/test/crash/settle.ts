import { type Detail, isAtRest } from './check-order.ts';
import type { OrderRecord } from './order-record.ts';
import type { Shop } from './shop.ts';

/** A dead worker's hold on a notification lasts 30 s, on a card attempt 12 s; the rest is the machine's. */
const patience_ms = 60_000;

/** Seconds by which due times are moved closer between two looks: retries begin after a minute. */
const step_s = 61;

/**
 * Lets the workers finish what the kills have left, until every order is at rest, and gives each one's final
 * detail. Due times come by the test clock, leases by themselves. What is not at rest in time is given as it is:
 * the checks will name it.
 */
export async function settle(shop: Shop): Promise<Map<OrderRecord, Detail>> {
  await Promise.all(shop.returning);
  const { admin } = shop.paydesk;
  const deadline = performance.now() + patience_ms;
  const details = new Map<OrderRecord, Detail>();
  let waiting: OrderRecord[] = shop.records;
  for (;;) {
    await admin('PUT', '/test-clock', { advance_seconds: step_s });
    await inParallel(waiting, async (record) => {
      details.set(record, await admin<Detail>('GET', `/collection-orders/${record.order_no}`));
    });
    waiting = waiting.filter((record) => {
      const detail = details.get(record);
      return detail === undefined || !isAtRest(record, detail);
    });
    if (waiting.length === 0 || performance.now() > deadline) return details;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

/** Works on several items at once. */
export async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const workers = Array.from({ length: 6 }, async () => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) await work(item);
  });
  await Promise.all(workers);
}
