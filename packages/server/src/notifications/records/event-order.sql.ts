/** Finds the order of a notification event by the event's id. */
import { type Queryable, type Sql, sql } from '../../base/pg/index.ts';

interface Place {
  order_no: string;
}

/** How many archived orders a look-up reads: of one merchant, and of each where it looks at all of them. */
const mostArchived = 10_000;
const mostOfEach = 1_000;

/**
 * The order of a notification event, by one look-up for each merchant; null if there is no such event.
 *
 * The events of archived orders have no index. An id tells when its event was made, and an order is older than its events,
 * so they are looked for among the archived orders just before it (D-533).
 */
export async function selectOrderOfEvent(
  db: Queryable,
  merchant_id: string | null,
  event_id: string,
): Promise<Place | null> {
  const [row] = await db.query<{ order_no: string }>(
    merchant_id === null
      ? sql`SELECT n.order_no FROM merchants m CROSS JOIN LATERAL (
          SELECT order_no FROM notifications WHERE merchant_id = m.merchant_id AND event_id = ${event_id}) n LIMIT 1`
      : sql`SELECT order_no FROM notifications WHERE merchant_id = ${merchant_id} AND event_id = ${event_id}`,
  );
  return row ?? selectArchivedOrderOfEvent(db, merchant_id, event_id);
}

async function selectArchivedOrderOfEvent(
  db: Queryable,
  merchant_id: string | null,
  event_id: string,
): Promise<Place | null> {
  // Both kinds of number are ULIDs behind a prefix of two letters.
  const latest = event_id.replace('ne_', 'mp_');
  const before = (merchant: Sql, most: number): Sql => sql`
    SELECT order_no, events FROM archived_orders WHERE merchant_id = ${merchant} AND order_no <= ${latest}
    ORDER BY order_no DESC LIMIT ${most}`;
  const near =
    merchant_id === null
      ? sql`SELECT r.order_no, r.events
          FROM merchants m CROSS JOIN LATERAL (${before(sql`m.merchant_id`, mostOfEach)}) r LIMIT ${mostArchived}`
      : before(sql`${merchant_id}`, mostArchived);
  const [row] = await db.query<{ order_no: string }>(
    sql`SELECT a.order_no FROM (${near}) a
      WHERE a.events @> jsonb_build_array(jsonb_build_array(${event_id}::text)) LIMIT 1`,
  );
  return row ?? null;
}
