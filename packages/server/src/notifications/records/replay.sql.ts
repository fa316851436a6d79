import { type Sql, sql, type Tx } from '../../base/pg/index.ts';

/** An event of a merchant, and of the order it is looked for under unless that is null. */
export interface EventToReplay {
  merchant_id: string;
  order_no: string | null;
  event_id: string;
}

/** Locks one event and gives its delivery status, or undefined where there is none such. */
export async function lockNotification(
  tx: Tx,
  { merchant_id, order_no, event_id }: EventToReplay,
): Promise<string | undefined> {
  const [row] = await tx.query<{ delivery_status: string }>(sql`
    SELECT delivery_status FROM notifications
    WHERE merchant_id = ${merchant_id} AND event_id = ${event_id}
      ${order_no === null ? sql`` : sql`AND order_no = ${order_no}`} FOR UPDATE`);
  return row?.delivery_status;
}

export function requeueNotification(
  { merchant_id, event_id }: Pick<EventToReplay, 'merchant_id' | 'event_id'>,
  next_attempt_at: Date,
): Sql {
  return sql`
    UPDATE notifications SET delivery_status = 'pending', manual = true, next_attempt_at = ${next_attempt_at}
    WHERE merchant_id = ${merchant_id} AND event_id = ${event_id} AND delivery_status = 'failed'`;
}

/**
 * Requeues the oldest failed events of a merchant after one event, those that nobody is replaying already.
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
