/** Reads delivery records: notifications with their latest attempts. Each statement names the merchant (D-195). */
import { type Queryable, type Row, type Sql, sql } from '../../base/pg/index.ts';

export interface DeliveryRow extends Row {
  event_id: string;
  order_no: string;
  status_version: number;
  body: string;
  delivery_status: string;
  attempts: number;
  next_attempt_at: Date | null;
  last_http_status: number | null;
  last_error: string | null;
  /** The latest attempts, oldest first; times as text, as PostgreSQL writes them in JSON. */
  delivery_attempts: DeliveryAttemptRow[];
}

export interface DeliveryAttemptRow {
  attempt: number;
  trigger: string;
  started_at: string;
  finished_at: string | null;
  http_status: number | null;
  error: string | null;
  duration_ms: number | null;
}

/** Selects records of rows `n`, each with its latest attempts (R-292), oldest first (D-148). */
const records = (merchant_id: string, most_attempts: number): Sql => sql`
    SELECT n.event_id, n.order_no, n.status_version, n.body, n.delivery_status, n.attempts, n.next_attempt_at,
      n.last_http_status, n.last_error, latest.delivery_attempts
    FROM notifications n
    CROSS JOIN LATERAL (
      SELECT coalesce(json_agg(a ORDER BY a.attempt), '[]') AS delivery_attempts
      FROM (
        SELECT t.attempt, t.trigger, t.started_at, t.finished_at, t.http_status, t.error, t.duration_ms
        FROM notification_attempts t
        WHERE t.merchant_id = ${merchant_id} AND t.event_id = n.event_id
        ORDER BY t.attempt DESC LIMIT ${most_attempts}
      ) a
    ) latest`;

/** The events of one order, newest status version first (R-289). */
export function selectDeliveries(
  db: Queryable,
  {
    merchant_id,
    order_no,
    limit,
    most_attempts,
  }: { merchant_id: string; order_no: string; limit: number; most_attempts: number },
): Promise<DeliveryRow[]> {
  return db.query<DeliveryRow>(sql`${records(merchant_id, most_attempts)}
    WHERE n.merchant_id = ${merchant_id} AND n.order_no = ${order_no}
    ORDER BY n.status_version DESC LIMIT ${limit}`);
}

/** A filter on a merchant's events; null for any value. */
export interface DeliveryFilter {
  order_no: string | null;
  delivery_status: DeliveryStatus | null;
}

/** One page of a merchant's events before the event `before`, newest first: their ids sort by time. */
export function selectMerchantDeliveries(
  db: Queryable,
  merchant_id: string,
  { order_no, delivery_status }: DeliveryFilter,
  { before, limit, most_attempts }: { before: string | null; limit: number; most_attempts: number },
): Promise<DeliveryRow[]> {
  return db.query<DeliveryRow>(sql`${records(merchant_id, most_attempts)}
    WHERE n.merchant_id = ${merchant_id}
      ${order_no === null ? sql`` : sql`AND n.order_no = ${order_no}`}
      ${delivery_status === null ? sql`` : withStatus[delivery_status]}
      ${before === null ? sql`` : sql`AND n.event_id < ${before}`}
    ORDER BY n.event_id DESC LIMIT ${limit}`);
}

export type DeliveryStatus = 'pending' | 'delivered' | 'failed';

/** Literals, so that the planner can choose the partial index. */
const withStatus: Readonly<Record<DeliveryStatus, Sql>> = {
  pending: sql`AND n.delivery_status = 'pending'`,
  delivered: sql`AND n.delivery_status = 'delivered'`,
  failed: sql`AND n.delivery_status = 'failed'`,
};
