/** Requeues notifications that were given up. */
import { type Queryable, type Sql, sql, type Tx } from '../../base/pg/index.ts';

/** An event of a merchant. It must belong to `order_no`, unless that is null (R-287, D-195). */
export interface EventToReplay {
  merchant_id: string;
  order_no: string | null;
  event_id: string;
}

/** Locks one event and returns its delivery status; undefined where it does not exist. Archived ones were delivered. */
export async function lockNotification(
  tx: Tx,
  { merchant_id, order_no, event_id }: EventToReplay,
): Promise<string | undefined> {
  const [row] = await tx.query<{ delivery_status: string }>(sql`
    SELECT delivery_status FROM notifications
    WHERE merchant_id = ${merchant_id} AND event_id = ${event_id}
      ${order_no === null ? sql`` : sql`AND order_no = ${order_no}`} FOR UPDATE`);
  if (row !== undefined || order_no === null) return row?.delivery_status;
  const [left] = await tx.query(sql`
    SELECT 1 AS known FROM archived_orders
    WHERE merchant_id = ${merchant_id} AND order_no = ${order_no}
      AND events @> jsonb_build_array(jsonb_build_array(${event_id}::text))`);
  return left === undefined ? undefined : 'delivered';
}

/** Whether a merchant has an event. */
export async function hasNotification(
  db: Queryable,
  merchant_id: string,
  event_id: string,
): Promise<boolean> {
  const rows = await db.query(
    sql`SELECT 1 AS known FROM notifications WHERE merchant_id = ${merchant_id} AND event_id = ${event_id}`,
  );
  return rows.length > 0;
}

/**
 * Makes a given-up event due at `next_attempt_at`, for one attempt (D-144), with the same bytes, address and key (R-283, R-288).
 * A delivered or pending event stays as it is (R-284, D-145).
 */
export function requeueNotification(
  { merchant_id, event_id }: Pick<EventToReplay, 'merchant_id' | 'event_id'>,
  next_attempt_at: Date,
): Sql {
  return sql`
    UPDATE notifications SET delivery_status = 'pending', manual = true, next_attempt_at = ${next_attempt_at}
    WHERE merchant_id = ${merchant_id} AND event_id = ${event_id} AND delivery_status = 'failed'`;
}

/**
 * Requeues the oldest given-up events of a merchant after the event `after`. Skips events that another call has locked.
 *
 * @returns their ids in ascending order
 */
export async function requeueFailed(
  tx: Tx,
  { merchant_id, after, limit }: { merchant_id: string; after: string; limit: number },
  next_attempt_at: Date,
): Promise<string[]> {
  const rows = await tx.query<{ event_id: string }>(sql`
    WITH failed AS (
      SELECT n.event_id FROM notifications n
      WHERE n.merchant_id = ${merchant_id} AND n.delivery_status = 'failed' AND n.event_id > ${after}
      ORDER BY n.event_id LIMIT ${limit}
      FOR UPDATE SKIP LOCKED
    )
    UPDATE notifications n SET delivery_status = 'pending', manual = true, next_attempt_at = ${next_attempt_at}
    FROM failed WHERE n.merchant_id = ${merchant_id} AND n.event_id = failed.event_id
    RETURNING n.event_id`);
  return rows.map(({ event_id }) => event_id).sort();
}
