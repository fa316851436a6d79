/** Notifications that were given up: those whose delivery status is `failed`. */
import { type Queryable, type Row, sql } from '../../base/pg/index.ts';

/** A notification that was given up, with its merchant. */
export interface GivenUp extends Row {
  merchant_id: string;
  merchant_name: string;
  event_id: string;
  order_no: string;
  status_version: number;
  /** Host and port of the receiver. The rest of the address is private to the merchant. */
  destination: string;
  attempts: number;
  last_http_status: number | null;
  last_error: string | null;
  created_at: Date;
}

/** One page of given-up notifications of all merchants, or of one, before an event, newest first. */
export function selectGivenUp(
  db: Queryable,
  merchant_id: string | null,
  before: string | null,
  limit: number,
): Promise<GivenUp[]> {
  const older = before === null ? sql`` : sql`AND n.event_id < ${before}`;
  return db.query<GivenUp>(sql`
    SELECT m.merchant_id, m.name AS merchant_name, failed.* FROM merchants m CROSS JOIN LATERAL (
      SELECT n.event_id, n.order_no, n.status_version, n.destination, n.attempts, n.last_http_status, n.last_error,
        n.created_at
      FROM notifications n
      WHERE n.merchant_id = m.merchant_id AND n.delivery_status = 'failed' ${older}
      ORDER BY n.event_id DESC LIMIT ${limit}) failed
    ${merchant_id === null ? sql`` : sql`WHERE m.merchant_id = ${merchant_id}`}
    ORDER BY failed.event_id DESC LIMIT ${limit}`);
}

/**
 * The number of given-up notifications from an event id on, counted up to `most` for each merchant, and the creation time of
 * the oldest.
 */
export async function selectGivenUpCount(
  db: Queryable,
  oldest: string,
  most: number,
): Promise<{ due: number; oldest_at: Date | null }> {
  const [row] = await db.query<{ due: number; oldest_at: Date | null }>(sql`
    SELECT count(*)::int AS due, min(failed.created_at) AS oldest_at FROM merchants m CROSS JOIN LATERAL (
      SELECT n.created_at FROM notifications n
      WHERE n.merchant_id = m.merchant_id AND n.delivery_status = 'failed' AND n.event_id >= ${oldest}
      ORDER BY n.event_id LIMIT ${most}) failed`);
  return row ?? { due: 0, oldest_at: null };
}

/** The number of given-up notifications of one merchant, counted up to `most`. */
export async function selectGivenUpCountOf(
  db: Queryable,
  merchant_id: string,
  most: number,
): Promise<number> {
  const [row] = await db.query<{ failed: number }>(
    sql`SELECT count(*)::int AS failed FROM (SELECT 1 FROM notifications
      WHERE merchant_id = ${merchant_id} AND delivery_status = 'failed' LIMIT ${most}) f`,
  );
  return row?.failed ?? 0;
}

/** Whether any receiver of a merchant has ever acknowledged a notification. */
export async function hasDelivered(db: Queryable, merchant_id: string): Promise<boolean> {
  const rows = await db.query(
    sql`SELECT 1 AS delivered FROM notifications
      WHERE merchant_id = ${merchant_id} AND delivery_status = 'delivered' LIMIT 1`,
  );
  return rows.length > 0;
}
