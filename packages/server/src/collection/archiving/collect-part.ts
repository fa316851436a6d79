/** Collects the rows of closed orders that go into one file of the archive. Changes nothing. */
import type { Database, Queryable, Tx } from '../../base/pg/index.ts';
import { readOneSnapshot } from '../../ledger/verification/index.ts';
import {
  type ArchivedEvent,
  bodyOf,
  selectEventsOf,
  type StoredEvent,
} from '../../notifications/delivery-records/index.ts';
import { type ArchiveFile, findSealedRows, subjectsOf } from '../../seals/archive/index.ts';
import { snapshotOf } from '../orders/index.ts';
import { type ClosedOrder, selectClosedOrders } from './closed-order.sql.ts';

/** What to collect: the orders of a merchant after a number, whose last change was before a time. */
export interface PartRequest {
  merchant_id: string;
  before: Date;
  /** The number of the order after which the part begins; empty for the first. */
  after: string;
  limit: number;
  /** Only rows leave whose seals were made at or before this time. */
  settled_at: Date;
}

export interface CollectedPart extends Pick<ArchiveFile, 'orders' | 'rows' | 'seals'> {
  /** The last order that was looked at; null if there are no more. */
  last: string | null;
  /** How many closed orders stay, because their rows are not under a settled seal, or are not what their order gives. */
  left_alone: number;
}

/**
 * Reads the next closed orders with the rows that leave: all events, and the unused quotes. An order leaves only
 * if every row of it is exactly what a settled seal covers (D-472), and if its events can be written again from the order,
 * byte by byte. An order without such rows is skipped.
 */
export function collectPart(db: Database, request: PartRequest): Promise<CollectedPart> {
  return db.transaction(async (tx: Tx) => {
    await readOneSnapshot(tx);
    const { merchant_id, before, after, limit, settled_at } = request;
    const orders = await selectClosedOrders(tx, merchant_id, before, { after, limit });
    const last = orders.length < limit ? null : (orders.at(-1)?.order_no ?? null);
    const filed = (await fileOrders(tx, merchant_id, orders)).flatMap((one) => one ?? []);
    const odd = orders.length - filed.length;
    const leaving = filed.filter((order) => subjectsOf(order).length > 0);
    if (leaving.length === 0) return { orders: [], rows: [], seals: [], last, left_alone: odd };
    const events = leaving.flatMap((order) => order.events);
    // Quotes were made with their orders.
    const times = [...orders.map(({ created_at }) => created_at), ...events.map(([, at]) => new Date(at))];
    const subjects = leaving.flatMap(subjectsOf);
    const { rows, seals } = await findSealedRows(tx, merchant_id, subjects, { times, settled_at });
    const sealed = leaving.filter((order) => subjectsOf(order).every((subject) => rows.has(subject)));
    const gone = sealed.flatMap((order) => subjectsOf(order).flatMap((subject) => rows.get(subject) ?? []));
    const used = new Set(gone.map(({ seal_no }) => seal_no));
    return {
      orders: sealed,
      rows: gone,
      seals: seals.filter(({ seal_no }) => used.has(seal_no)),
      last,
      left_alone: odd + leaving.length - sealed.length,
    };
  });
}

/** The orders as a file has them; null in place of one whose events are not what the order gives. */
export async function fileOrders(db: Queryable, merchant_id: string, orders: readonly ClosedOrder[]) {
  const stored = new Map<string, StoredEvent[]>(orders.map(({ order_no }) => [order_no, []]));
  for (const event of await selectEventsOf(db, merchant_id, [...stored.keys()])) {
    stored.get(event.order_no)?.push(event);
  }
  return orders.map((order) => {
    const events = eventsOf(order, stored.get(order.order_no) ?? []);
    if (events === null) return null;
    const { order_no, confirmed, order_digest, method_ids } = order;
    return { order_no, events, confirmed, order_digest, method_ids };
  });
}

/** What stays of the events of an order; null if one is missing, or could not be written again as it is. */
function eventsOf(order: ClosedOrder, stored: readonly StoredEvent[]): ArchivedEvent[] | null {
  const told = order.notify_secret_box === null ? 0 : order.status_version;
  if (stored.length !== told) return null;
  const invoice = snapshotOf(order);
  const events = stored.map(({ event_id, body, created_at, attempts, last_http_status }): ArchivedEvent => {
    const { status, payment_no, test_mode } = toldIn(body);
    return [event_id, created_at.getTime(), status, payment_no, test_mode, attempts, last_http_status];
  });
  const isSame = stored.every(({ status_version, body }, i) => {
    const event = events[i];
    return event !== undefined && status_version === i + 1 && bodyOf(invoice, event, i + 1) === body;
  });
  return isSame ? events : null;
}

/** What an event said and its order may no longer say. */
function toldIn(body: string): { status: string; payment_no: string; test_mode: boolean } {
  const { data } = JSON.parse(body) as { data: { status: string; payment_no: string; test_mode: boolean } };
  return data;
}
