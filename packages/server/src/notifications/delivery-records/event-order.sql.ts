/** Finds the order of a notification event by the event's id. */
import { type Queryable, type Sql, sql } from '../../base/pg/index.ts';

interface Place {
  order_no: string;
}

/** How many archived orders a look-up reads, and of each merchant where it looks at all of them. */
const most = { all: 10_000, of_each: 1_000 };

/**
 * The order of a notification event, by one look-up for each merchant; null if there is no such event.
 *
 * The events of archived orders have no index. An id tells when its event was made, and an order is older than its events,
 * so they are looked for among the archived orders just before it (D-533).
 *
 * @param merchant_id null for all merchants
 */
export async function selectOrderOfEvent(
  db: Queryable,
  merchant_id: string | null,
  event_id: string,
  read = most,
): Promise<Place | null> {
  const [row] = await db.query<{ order_no: string }>(
    merchant_id === null
      ? sql`SELECT n.order_no FROM merchants m CROSS JOIN LATERAL (
          SELECT order_no FROM notifications WHERE merchant_id = m.merchant_id AND event_id = ${event_id}) n LIMIT 1`
      : sql`SELECT order_no FROM notifications WHERE merchant_id = ${merchant_id} AND event_id = ${event_id}`,
  );
  return row ?? selectArchivedOrderOfEvent(db, merchant_id, event_id, read);
}

async function selectArchivedOrderOfEvent(
  db: Queryable,
  merchant_id: string | null,
  event_id: string,
  { all, of_each }: typeof most,
): Promise<Place | null> {
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
