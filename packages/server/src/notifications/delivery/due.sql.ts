import { type Queryable, type Tx, type Row, type Sql, sql } from '../../base/pg/index.ts';

/** When work is due by the clock, and until when leases count by real time. */
export interface Instant {
  now: Date;
  real: Date;
}

export const isDue = ({
  now,
  real,
}: Instant): Sql => sql`n.delivery_status = 'pending' AND n.next_attempt_at <= ${now}
      AND (n.lease_until IS NULL OR n.lease_until <= ${real})`;

/**
 * The next merchants after `after` that have due work: one probe of an index each, however long their backlog. The order
 * inside the probe keeps the planner on that index; without it, a long backlog looks like a reason to read the table.
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
 * The destinations for which a merchant has due work, the longest overdue first. Walks from destination to destination
 * through their index, so the backlog of one is not read to find the next.
 */
export async function destinationsWithDueWork(
  db: Queryable,
  { merchant_id, at, limit }: { merchant_id: string; at: Instant; limit: number },
): Promise<string[]> {
  const rows = await db.query<{ destination: string }>(sql`
    WITH RECURSIVE lane (destination) AS (
      (SELECT n.destination FROM notifications n
        WHERE n.merchant_id = ${merchant_id} AND n.delivery_status = 'pending'
        ORDER BY n.destination LIMIT 1)
      UNION ALL
      SELECT (SELECT n.destination FROM notifications n
        WHERE n.merchant_id = ${merchant_id} AND n.delivery_status = 'pending' AND n.destination > lane.destination
        ORDER BY n.destination LIMIT 1)
      FROM lane WHERE lane.destination IS NOT NULL
    )
    SELECT lane.destination FROM lane
    CROSS JOIN LATERAL (
      SELECT n.next_attempt_at FROM notifications n
      WHERE n.merchant_id = ${merchant_id} AND n.destination = lane.destination AND ${isDue(at)}
      ORDER BY n.next_attempt_at LIMIT 1
    ) first
    ORDER BY first.next_attempt_at LIMIT ${limit}`);
  return rows.map(({ destination }) => destination);
}

/** How many events to take for one destination. */
export interface Portion {
  destination: string;
  most: number;
}

export interface DueRow extends Row {
  event_id: string;
  body: string;
  url: string;
  destination: string;
  secret_box: Buffer;
  attempts: number;
  manual: boolean;
  /** Not null: an attempt was begun and its lease has run out. */
  lease_until: Date | null;
}

/** Locks due events of one merchant, oldest first per destination; passes by what another worker is locking. */
export function lockDue(
  tx: Tx,
  { merchant_id, at, portions }: { merchant_id: string; at: Instant; portions: Portion[] },
): Promise<DueRow[]> {
  const destinations = portions.map(({ destination }) => destination);
  const most = portions.map((portion) => portion.most);
  return tx.query<DueRow>(sql`
    SELECT due.* FROM unnest(${destinations}::text[], ${most}::int[]) AS lane (destination, most)
    CROSS JOIN LATERAL (
      SELECT n.event_id, n.body, n.url, n.destination, n.secret_box, n.attempts, n.manual, n.lease_until
      FROM notifications n
      WHERE n.merchant_id = ${merchant_id} AND n.destination = lane.destination AND ${isDue(at)}
      ORDER BY n.next_attempt_at LIMIT lane.most
      FOR UPDATE SKIP LOCKED
    ) due`);
}
