import { type Detail, isAtRest } from './check-order.ts';
import { endOf, type Sold } from './check-purchase.ts';
import type { OrderRecord } from './order-record.ts';
import { ownerCall, type Shop } from './shop.ts';

/**
 * A dead worker's hold on a notification lasts 30 s, on a card attempt 12 s; the rest is the machine's. Counted in
 * looks, half a second apart: a machine that stood still meanwhile has not waited.
 */
const mostLooks = 600;
const pause_ms = 500;

/** Seconds by which due times are moved closer between two looks: retries begin after a minute. */
const step_s = 61;
/** At first: unpaid catalog orders are cancelled after half an hour (D-177). */
const firstStep_s = 31 * 60;

/** How everything stands once nothing moves any more. */
export interface AtRest {
  details: Map<OrderRecord, Detail>;
  /** Every catalog order of this round, including those whose creation got no answer. */
  sold: Sold[];
}

/**
 * Lets the workers finish until no order has unfinished work, and returns the orders. The test clock moves to the due
 * times; leases run in real time. Orders that do not finish in time are returned as they are, and the checks report
 * them.
 */
export async function settle(shop: Shop): Promise<AtRest> {
  await Promise.all(shop.returning);
  const { admin } = shop.paydesk;
  const details = new Map<OrderRecord, Detail>();
  let waiting: OrderRecord[] = shop.records;
  for (let looks = 1; ; looks++) {
    await admin('PUT', '/test-clock', { advance_seconds: looks === 1 ? firstStep_s : step_s });
    await inParallel(waiting, async (record) => {
      details.set(record, await admin<Detail>('GET', `/collection-orders/${record.order_no}`));
    });
    waiting = waiting.filter((record) => {
      const detail = details.get(record);
      return detail === undefined || !isAtRest(record, detail);
    });
    const sold = await listSold(shop);
    const isOver = waiting.length === 0 && areAtRest(shop, sold);
    if (isOver || looks === mostLooks) return { details, sold };
    await new Promise((resolve) => setTimeout(resolve, pause_ms));
  }
}

/** Every order of the products of this round: they are newer than all others. */
async function listSold(shop: Shop): Promise<Sold[]> {
  const found: Sold[] = [];
  for (let cursor = ''; ;) {
    const query = new URLSearchParams({ limit: '100', ...(cursor === '' ? {} : { cursor }) });
    const path = `/catalog-orders?${query.toString()}`;
    const answer = await ownerCall<{ items: Sold[]; next_cursor?: string }>(shop, 'GET', path);
    if (answer?.status !== 200) throw new Error(`listing what was sold: ${answer?.text ?? 'no answer'}`);
    const { items, next_cursor } = answer.body;
    const ours = items.filter((sold) => shop.shelf.some(({ gd_no }) => gd_no === sold.gd_no));
    found.push(...ours);
    if (next_cursor === undefined || ours.length < items.length) return found;
    cursor = next_cursor;
  }
}

function areAtRest({ purchases }: Shop, sold: readonly Sold[]): boolean {
  const records = new Map(purchases.map((record) => [record.request.other_ipu.reference, record]));
  return sold.every((order) => {
    const record = records.get(order.other_ipu.reference);
    return record === undefined || order.status === endOf(record, order);
  });
}

/** Processes several items concurrently. */
export async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const workers = Array.from({ length: 6 }, async () => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) await work(item);
  });
  await Promise.all(workers);
}
