/** Finds the order of a notification event by the event's id. */
import { type Queryable, sql } from '../../base/pg/index.ts';
import { type ArchiveReading, selectArchivedOrderOfEvent } from './archived-event.sql.ts';

/**
 * The order of a notification event, by one look-up for each merchant, also of an event whose row is in the archive (D-533);
 * null if there is no such event.
 *
 * @param merchant_id null for all merchants
 */
export async function selectOrderOfEvent(
  db: Queryable,
  merchant_id: string | null,
  event_id: string,
  read?: ArchiveReading,
): Promise<{ order_no: string } | null> {
  const [row] = await db.query<{ order_no: string }>(
    merchant_id === null
      ? sql`SELECT n.order_no FROM merchants m CROSS JOIN LATERAL (
          SELECT order_no FROM notifications WHERE merchant_id = m.merchant_id AND event_id = ${event_id}) n LIMIT 1`
      : sql`SELECT order_no FROM notifications WHERE merchant_id = ${merchant_id} AND event_id = ${event_id}`,
  );
  return row ?? selectArchivedOrderOfEvent(db, merchant_id, event_id, read);
}
