/** Statements on events that leave for the archive, and on what stays of them (table `archived_orders`). */
import { join, type Queryable, type Row, type Sql, sql, type Tx } from '../../base/pg/index.ts';

/** What stays of an event: enough to write it again from its order, and to answer as before. */
export type ArchivedEvent = [
  event_id: string,
  /** Milliseconds since 1970. */
  created_at: number,
  status: string,
  payment_no: string,
  test_mode: boolean,
  attempts: number,
  last_http_status: number | null,
];

/** What stays of an archived order beside the order itself. */
export interface ArchivedOrder {
  order_no: string;
  /** In the order of their versions, from 1; empty if the order had no notifications. */
  events: ArchivedEvent[];
  /** Whether it was paid when its rows left. */
  confirmed: boolean;
  /** In hex. */
  order_digest: string;
}

/** Events of some orders as stored, in the order of their versions. */
export interface StoredEvent extends Row {
  order_no: string;
  event_id: string;
  status_version: number;
  body: string;
  created_at: Date;
  delivery_status: string;
  attempts: number;
  last_http_status: number | null;
}

export function selectEventsOf(
  db: Queryable,
  merchant_id: string,
  order_nos: readonly string[],
): Promise<StoredEvent[]> {
  return db.query<StoredEvent>(
    sql`SELECT order_no, event_id, status_version, body, created_at, delivery_status, attempts, last_http_status
      FROM notifications WHERE merchant_id = ${merchant_id} AND order_no = ANY(${[...order_nos]}::text[])
      ORDER BY order_no, status_version`,
  );
}

/** Locks the events of some orders, so that no worker and no replay changes them meanwhile. */
export async function lockEventsOf(tx: Tx, merchant_id: string, order_nos: readonly string[]): Promise<void> {
  await tx.query(
    sql`SELECT 1 AS locked FROM notifications
      WHERE merchant_id = ${merchant_id} AND order_no = ANY(${[...order_nos]}::text[]) ORDER BY event_id FOR UPDATE`,
  );
}

/** Deletes events with what is left of their delivery attempts; returns how many events there were. */
export async function deleteEvents(
  tx: Tx,
  merchant_id: string,
  event_ids: readonly string[],
): Promise<number> {
  const ids = [...event_ids];
  await tx.query(
    sql`DELETE FROM notification_attempts WHERE merchant_id = ${merchant_id} AND event_id = ANY(${ids}::text[])`,
  );
  const gone = await tx.query(
    sql`DELETE FROM notifications WHERE merchant_id = ${merchant_id} AND event_id = ANY(${ids}::text[]) RETURNING 1 AS gone`,
  );
  return gone.length;
}

export async function insertArchivedOrders(
  tx: Tx,
  { merchant_id, batch_no }: { merchant_id: string; batch_no: bigint },
  orders: readonly ArchivedOrder[],
): Promise<void> {
  const rows = orders.map(
    ({ order_no, events, confirmed, order_digest }) =>
      sql`(${merchant_id}::uuid, ${order_no}, ${batch_no}::bigint, ${JSON.stringify(events)}::jsonb,
        ${confirmed}::boolean, decode(${order_digest}, 'hex'))`,
  );
  await tx.query(
    sql`INSERT INTO archived_orders (merchant_id, order_no, batch_no, events, confirmed, order_digest)
      VALUES ${join(rows)}`,
  );
}

/** A condition that holds for orders `o` whose rows have left. */
export const isArchived: Sql = sql`EXISTS (SELECT 1 FROM archived_orders r
  WHERE r.merchant_id = o.merchant_id AND r.order_no = o.order_no)`;

/** The events of an archived order; null if the order is not archived. */
export async function selectArchivedEvents(
  db: Queryable,
  merchant_id: string,
  order_no: string,
): Promise<ArchivedEvent[] | null> {
  const [row] = await db.query<{ events: ArchivedEvent[] }>(
    sql`SELECT events FROM archived_orders WHERE merchant_id = ${merchant_id} AND order_no = ${order_no}`,
  );
  return row?.events ?? null;
}

/** How many archived orders a look-up reads, and of each merchant where it looks at all of them. */
export interface ArchiveReading {
  all: number;
  of_each: number;
}

const mostRead: ArchiveReading = { all: 10_000, of_each: 1_000 };

/**
 * The order of an archived event. The events have no index. An id tells when its event was made, and an order is older than
 * its events, so they are looked for among the archived orders just before it (D-533).
 *
 * @param merchant_id null for all merchants
 */
export async function selectArchivedOrderOfEvent(
  db: Queryable,
  merchant_id: string | null,
  event_id: string,
  { all, of_each }: ArchiveReading = mostRead,
): Promise<{ order_no: string } | null> {
  // Both kinds of number are ULIDs behind a prefix of two letters.
  const latest = event_id.replace('ne_', 'mp_');
  const before = (columns: Sql, merchant: Sql, limit: number): Sql => sql`
    SELECT ${columns} FROM archived_orders WHERE merchant_id = ${merchant} AND order_no <= ${latest}
    ORDER BY order_no DESC LIMIT ${limit}`;
  // Of all merchants, the nearest orders by number: a merchant with very many orders does not hide the orders of others. The
  // inner query reads only the index.
  const near =
    merchant_id === null
      ? sql`SELECT a.order_no, a.events FROM (
          SELECT r.* FROM merchants m CROSS JOIN LATERAL (
            ${before(sql`merchant_id, order_no`, sql`m.merchant_id`, of_each)}) r
          ORDER BY r.order_no DESC LIMIT ${all}) n JOIN archived_orders a USING (merchant_id, order_no)`
      : before(sql`order_no, events`, sql`${merchant_id}`, all);
  const [row] = await db.query<{ order_no: string }>(
    sql`SELECT a.order_no FROM (${near}) a
      WHERE a.events @> jsonb_build_array(jsonb_build_array(${event_id}::text)) LIMIT 1`,
  );
  return row ?? null;
}
