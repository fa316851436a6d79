import { type Clock, rfc3339 } from '../base/clock.ts';
import type { Database, Queryable } from '../base/db.ts';
import { type JsonValue, parseJson } from '../base/json.ts';
import {
  type AttemptRow,
  type DeliveryRow,
  lockNotification,
  requeueNotification,
  selectDeliveries,
} from './notification.sql.ts';

/** The latest attempts that a record shows. */
const mostAttempts = 20;

/** One attempt as the API shows it; without `finished_at` it is under way or was interrupted (D-148). */
export interface DeliveryAttempt {
  attempt: number;
  trigger: string;
  started_at: string;
  finished_at?: string;
  http_status?: number;
  error?: string;
  duration_ms?: number;
}

/** A notification as the API shows it: all nine members are always there (D-147). */
export interface DeliveryRecord {
  event_id: string;
  status_version: number;
  /** The envelope exactly as it is sent (D-149). */
  event: JsonValue;
  delivery_status: string;
  attempts: number;
  next_attempt_at: string | null;
  last_http_status: number | null;
  last_error: string | null;
  delivery_attempts: DeliveryAttempt[];
}

/**
 * The delivery records of an order, newest status version first. Whether the order belongs to the
 * merchant is for the caller to know: an order without notifications has none.
 *
 * @param limit 1 to 100, already read by the list rule
 */
export async function listDeliveries(
  db: Queryable,
  merchant_id: string,
  order_no: string,
  limit: number,
): Promise<DeliveryRecord[]> {
  const rows = await selectDeliveries(db, { merchant_id, order_no, limit, most_attempts: mostAttempts });
  return rows.map(recordOf);
}

function recordOf(row: DeliveryRow): DeliveryRecord {
  return {
    event_id: row.event_id,
    status_version: row.status_version,
    event: parseJson(Buffer.from(row.body, 'utf8')),
    delivery_status: row.delivery_status,
    attempts: row.attempts,
    next_attempt_at: row.next_attempt_at === null ? null : rfc3339(row.next_attempt_at),
    last_http_status: row.last_http_status,
    last_error: row.last_error,
    delivery_attempts: row.delivery_attempts.map(attemptOf),
  };
}

function attemptOf(row: AttemptRow): DeliveryAttempt {
  return {
    attempt: row.attempt,
    trigger: row.trigger,
    started_at: rfc3339(new Date(row.started_at)),
    ...(row.finished_at === null ? {} : { finished_at: rfc3339(new Date(row.finished_at)) }),
    ...(row.http_status === null ? {} : { http_status: row.http_status }),
    ...(row.error === null ? {} : { error: row.error }),
    ...(row.duration_ms === null ? {} : { duration_ms: row.duration_ms }),
  };
}

export interface EventOfOrder {
  merchant_id: string;
  order_no: string;
  event_id: string;
}

/**
 * Asks for one more attempt of an event that was given up: same bytes, same address, same key. An event
 * that is delivered or still pending is left as it is, so a second click is harmless (D-145).
 *
 * @returns `unknown` where the order has no such event (D-146)
 */
export function replay(
  db: Database,
  clock: Clock,
  event: EventOfOrder,
): Promise<'requeued' | 'unchanged' | 'unknown'> {
  return db.transaction(async (tx) => {
    const delivery_status = await lockNotification(tx, event);
    if (delivery_status === undefined) return 'unknown';
    if (delivery_status !== 'failed') return 'unchanged';
    await tx.write([{ statement: requeueNotification(event, clock.now()), rows: 1 }]);
    return 'requeued';
  });
}
