/** Finds and locks due notifications. */
import { type Queryable, type Tx, type Row, type Sql, sql } from '../../base/pg/index.ts';

/** The time that due times are compared with, and the real time that leases are compared with. */
export interface Instant {
  now: Date;
  real: Date;
}

/**
 * The condition for a due notification of rows `n`: it is pending, its time has come, and no worker holds its lease
 * . When the lease of a worker that crashed ends, another worker continues.
 */
export const isDue = ({
  now,
  real,
}: Instant): Sql => sql`n.delivery_status = 'pending' AND n.next_attempt_at <= ${now}
      AND (n.lease_until IS NULL OR n.lease_until <= ${real})`;

/**
 * The next merchants after `after` with due notifications: one index look-up for each, however long the backlog is. The
 * ORDER BY inside keeps the planner on that index; without it, a long backlog makes it read the whole table.
 */
export async function merchantsWithDueWork(
  db: Queryable,
  { at, after, limit }: { at: Instant; after: string; limit: number },
): Promise<string[]> {
  const rows = await db.query<{ merchant_id: string }>(sql`
    SELECT m.merchant_id FROM merchants m
    CROSS JOIN LATERAL (
      SELECT n.next_attempt_at FROM notifications n WHERE n.merchant_id = m.merchant_id AND ${isDue(at)}
      ORDER BY n.next_attempt_at LIMIT 1
    ) due
    WHERE m.merchant_id > ${after}
    ORDER BY m.merchant_id LIMIT ${limit}`);
  return rows.map(({ merchant_id }) => merchant_id);
}

/**
 * The destinations for which a merchant has due notifications, the longest overdue first. The query jumps from
 * destination to destination in the index, so it does not read the backlog of one to find the next.
 */
export async function destinationsWithDueWork(
  db: Queryable,
  { merchant_id, at, limit }: { merchant_id: string; at: Instant; limit: number },
): Promise<string[]> {
  const rows = await db.query<{ destination: string }>(sql`
    WITH RECURSIVE receiver (destination) AS (
      (SELECT n.destination FROM notifications n
        WHERE n.merchant_id = ${merchant_id} AND n.delivery_status = 'pending'
        ORDER BY n.destination LIMIT 1)
      UNION ALL
      SELECT (SELECT n.destination FROM notifications n
        WHERE n.merchant_id = ${merchant_id} AND n.delivery_status = 'pending' AND n.destination > receiver.destination
        ORDER BY n.destination LIMIT 1)
      FROM receiver WHERE receiver.destination IS NOT NULL
    )
    SELECT receiver.destination FROM receiver
    CROSS JOIN LATERAL (
      SELECT n.next_attempt_at FROM notifications n
      WHERE n.merchant_id = ${merchant_id} AND n.destination = receiver.destination AND ${isDue(at)}
      ORDER BY n.next_attempt_at LIMIT 1
    ) first
    ORDER BY first.next_attempt_at LIMIT ${limit}`);
  return rows.map(({ destination }) => destination);
}

/** The maximum number of events to take for one destination. */
export interface Portion {
  destination: string;
  most: number;
}

export interface DueRow extends Row {
  event_id: string;
  order_no: string;
  body: string;
  url: string;
  destination: string;
  secret_box: Buffer;
  attempts: number;
  manual: boolean;
  /** Not null where an attempt was interrupted: it was begun, and its lease has ended. */
  lease_until: Date | null;
  /** The span that caused the event; null where it had none. */
  traceparent: string | null;
}

/**
 * Locks due events of one merchant, oldest first for each destination. Skips rows that another worker has locked
 * so the events of one order have no fixed order (D-151).
 */
export function lockDue(
  tx: Tx,
  { merchant_id, at, portions }: { merchant_id: string; at: Instant; portions: Portion[] },
): Promise<DueRow[]> {
  const destinations = portions.map(({ destination }) => destination);
  const most = portions.map((portion) => portion.most);
  return tx.query<DueRow>(sql`
    SELECT due.* FROM unnest(${destinations}::text[], ${most}::int[]) AS receiver (destination, most)
    CROSS JOIN LATERAL (
      SELECT n.event_id, n.order_no, n.body, n.url, n.destination, n.secret_box, n.attempts, n.manual, n.lease_until,
        n.traceparent
      FROM notifications n
      WHERE n.merchant_id = ${merchant_id} AND n.destination = receiver.destination AND ${isDue(at)}
      ORDER BY n.next_attempt_at LIMIT receiver.most
      FOR UPDATE SKIP LOCKED
    ) due`);
}
