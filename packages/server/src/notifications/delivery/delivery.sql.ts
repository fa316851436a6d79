import { join, type Queryable, type Row, type Sql, sql, type Tx } from '../../base/pg/db.ts';
import type { DeliveryError } from '../addresses/attempt-outcome.ts';
import type { EventToStore } from '../events/outbox.ts';
import type { NextAttempt } from '../events/schedule.ts';

export function insertNotification(event: EventToStore, destination: string): Sql {
  return sql`
    INSERT INTO notifications (merchant_id, event_id, order_no, status_version, body, url, destination, secret_box,
      delivery_status, attempts, manual, next_attempt_at, created_at)
    VALUES (${event.merchant_id}, ${event.event_id}, ${event.order_no}, ${event.status_version}, ${event.body},
      ${event.url}, ${destination}, ${event.secret_box}, 'pending', 0, false, ${event.now}, ${event.now})`;
}

/** The same for many events, in arrays: the statement is one, however many they are. */
export function insertNotifications(events: readonly (EventToStore & { destination: string })[]): Sql {
  const column = <K extends keyof (typeof events)[number]>(name: K) => events.map((event) => event[name]);
  return sql`
    INSERT INTO notifications (merchant_id, event_id, order_no, status_version, body, url, destination, secret_box,
      delivery_status, attempts, manual, next_attempt_at, created_at)
    SELECT merchant_id, event_id, order_no, status_version, body, url, destination, secret_box,
      'pending', 0, false, now, now
    FROM unnest(${column('merchant_id')}::uuid[], ${column('event_id')}::text[], ${column('order_no')}::text[],
      ${column('status_version')}::integer[], ${column('body')}::text[], ${column('url')}::text[],
      ${column('destination')}::text[], ${column('secret_box')}::bytea[], ${column('now')}::timestamptz[])
      AS e (merchant_id, event_id, order_no, status_version, body, url, destination, secret_box, now)`;
}

/** When work is due by the clock, and until when leases count by real time. */
export interface Instant {
  now: Date;
  real: Date;
}

const isDue = ({
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

/** Merchants with due work: how much, at most `most` each, and since when. */
const backlog = (at: Instant, most: number): Sql => sql`
    SELECT m.merchant_id, m.name, counted.due, counted.oldest_at FROM merchants m
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS due, min(first.next_attempt_at) AS oldest_at FROM (
        SELECT n.next_attempt_at FROM notifications n WHERE n.merchant_id = m.merchant_id AND ${isDue(at)}
        ORDER BY n.next_attempt_at LIMIT ${most}
      ) first
    ) counted
    WHERE counted.due > 0`;

export async function selectTotalBacklog(
  db: Queryable,
  at: Instant,
  most: number,
): Promise<{ due: number; merchants: number; oldest_at: Date | null }> {
  const [row] = await db.query<{ due: number; merchants: number; oldest_at: Date | null }>(sql`
    SELECT coalesce(sum(b.due), 0)::int AS due, count(*)::int AS merchants, min(b.oldest_at) AS oldest_at
    FROM (${backlog(at, most)}) b`);
  return row ?? { due: 0, merchants: 0, oldest_at: null };
}

export interface MerchantBacklog extends Row {
  merchant_id: string;
  name: string;
  due: number;
  oldest_at: Date;
}

/** The longest overdue first. */
export function selectBacklog(
  db: Queryable,
  at: Instant,
  { most, limit }: { most: number; limit: number },
): Promise<MerchantBacklog[]> {
  return db.query<MerchantBacklog>(sql`${backlog(at, most)} ORDER BY counted.oldest_at LIMIT ${limit}`);
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

export interface Lease {
  merchant_id: string;
  event_ids: string[];
  lease_until: Date;
}

/** Counts an attempt of each event and leases it to this worker; notes where the one before was interrupted. */
export function leaseAttempts({ merchant_id, event_ids, lease_until }: Lease): Sql {
  return sql`
    UPDATE notifications SET attempts = attempts + 1, lease_until = ${lease_until},
      last_http_status = CASE WHEN lease_until IS NULL THEN last_http_status END,
      last_error = CASE WHEN lease_until IS NULL THEN last_error ELSE 'interrupted' END
    WHERE merchant_id = ${merchant_id} AND event_id = ANY(${event_ids})`;
}

export interface BegunAttempt {
  event_id: string;
  attempt: number;
  manual: boolean;
}

export function insertAttempts(merchant_id: string, begun: BegunAttempt[], started_at: Date): Sql {
  const rows = begun.map(
    ({ event_id, attempt, manual }) =>
      sql`(${merchant_id}, ${event_id}, ${attempt}, ${manual ? 'manual' : 'automatic'}, ${started_at})`,
  );
  return sql`
    INSERT INTO notification_attempts (merchant_id, event_id, attempt, trigger, started_at)
    VALUES ${join(rows)}`;
}

/** Says of attempts that were begun and never ended why they have no end (D-143). */
export function markInterrupted(merchant_id: string, attempts: { event_id: string; attempt: number }[]): Sql {
  return sql`
    UPDATE notification_attempts a SET error = 'interrupted'
    FROM unnest(${attempts.map(({ event_id }) => event_id)}::text[],
      ${attempts.map(({ attempt }) => attempt)}::int[]) AS r (event_id, attempt)
    WHERE a.merchant_id = ${merchant_id} AND a.event_id = r.event_id AND a.attempt = r.attempt`;
}

/** Gives up events whose last attempt was interrupted. */
export function giveUpInterrupted(merchant_id: string, event_ids: string[]): Sql {
  return sql`
    UPDATE notifications SET delivery_status = 'failed', next_attempt_at = NULL, lease_until = NULL, manual = false,
      last_http_status = NULL, last_error = 'interrupted'
    WHERE merchant_id = ${merchant_id} AND event_id = ANY(${event_ids})`;
}

export interface EndedAttemptRow {
  event_id: string;
  attempt: number;
  next: NextAttempt;
  http_status: number | null;
  error: DeliveryError | null;
  finished_at: Date;
  duration_ms: number;
}

/**
 * Ends attempts of one merchant. Guarded by the attempt's number: where the lease ran out and another worker has begun
 * the next one, nothing is changed.
 *
 * @returns the events whose attempt was ended
 */
export async function endAttempts(
  db: Queryable,
  merchant_id: string,
  ended: EndedAttemptRow[],
): Promise<string[]> {
  const event_ids = ended.map(({ event_id }) => event_id);
  const attempts = ended.map(({ attempt }) => attempt);
  const statuses = ended.map(({ http_status }) => http_status);
  const errors = ended.map(({ error }) => error);
  const rows = await db.query<{ event_id: string }>(sql`
    WITH ended AS (
      UPDATE notifications n SET delivery_status = r.delivery_status, next_attempt_at = r.next_attempt_at,
        lease_until = NULL, manual = false, last_http_status = r.http_status, last_error = r.error
      FROM unnest(${event_ids}::text[], ${attempts}::int[], ${ended.map(({ next }) => next.delivery_status)}::text[],
        ${ended.map(({ next }) => next.next_attempt_at)}::timestamptz[], ${statuses}::smallint[], ${errors}::text[])
        AS r (event_id, attempt, delivery_status, next_attempt_at, http_status, error)
      WHERE n.merchant_id = ${merchant_id} AND n.event_id = r.event_id AND n.attempts = r.attempt
        AND n.lease_until IS NOT NULL
      RETURNING n.event_id
    )
    UPDATE notification_attempts a SET finished_at = r.finished_at, http_status = r.http_status, error = r.error,
      duration_ms = r.duration_ms
    FROM unnest(${event_ids}::text[], ${attempts}::int[], ${ended.map(({ finished_at }) => finished_at)}::timestamptz[],
      ${statuses}::smallint[], ${errors}::text[], ${ended.map(({ duration_ms }) => duration_ms)}::int[])
      AS r (event_id, attempt, finished_at, http_status, error, duration_ms)
    WHERE a.merchant_id = ${merchant_id} AND a.event_id = r.event_id AND a.attempt = r.attempt
      AND a.event_id IN (SELECT event_id FROM ended)
    RETURNING a.event_id`);
  return rows.map(({ event_id }) => event_id);
}

/** Takes back attempts that were begun and of which nothing was sent: they are due again, as if never begun. */
export async function withdrawAttempts(
  db: Queryable,
  merchant_id: string,
  withdrawn: { event_id: string; attempt: number; next_attempt_at: Date }[],
): Promise<void> {
  await db.query(sql`
    WITH withdrawn AS (
      UPDATE notifications n SET attempts = n.attempts - 1, lease_until = NULL, next_attempt_at = r.next_attempt_at
      FROM unnest(${withdrawn.map(({ event_id }) => event_id)}::text[],
        ${withdrawn.map(({ attempt }) => attempt)}::int[],
        ${withdrawn.map(({ next_attempt_at }) => next_attempt_at)}::timestamptz[])
        AS r (event_id, attempt, next_attempt_at)
      WHERE n.merchant_id = ${merchant_id} AND n.event_id = r.event_id AND n.attempts = r.attempt
        AND n.lease_until IS NOT NULL
      RETURNING n.event_id, r.attempt
    )
    DELETE FROM notification_attempts a USING withdrawn w
    WHERE a.merchant_id = ${merchant_id} AND a.event_id = w.event_id AND a.attempt = w.attempt`);
}

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
  delivery_attempts: AttemptRow[];
}

export interface AttemptRow {
  attempt: number;
  trigger: string;
  started_at: string;
  finished_at: string | null;
  http_status: number | null;
  error: string | null;
  duration_ms: number | null;
}

/** Members of records, each with its latest attempts; of rows `n`. */
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

/** The events of one order, newest status first. */
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

/** What of a merchant's events is asked for; null: any. */
export interface DeliveryFilter {
  order_no: string | null;
  delivery_status: DeliveryStatus | null;
}

/** The events of a merchant older than `before`, newest first: their ids sort by time. */
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

/** Literal, so that the planner sees which partial index serves. */
const withStatus: Readonly<Record<DeliveryStatus, Sql>> = {
  pending: sql`AND n.delivery_status = 'pending'`,
  delivered: sql`AND n.delivery_status = 'delivered'`,
  failed: sql`AND n.delivery_status = 'failed'`,
};

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

/** Merchants that have attempts begun before `before`. */
export async function selectMerchantsWithOldAttempts(
  db: Queryable,
  before: Date,
  limit: number,
): Promise<string[]> {
  const rows = await db.query<{ merchant_id: string }>(
    sql`SELECT m.merchant_id FROM merchants m CROSS JOIN LATERAL (
        SELECT 1 FROM notification_attempts a
        WHERE a.merchant_id = m.merchant_id AND a.started_at < ${before} LIMIT 1) old
      LIMIT ${limit}`,
  );
  return rows.map((row) => row.merchant_id);
}

/** Removes a merchant's attempts that were begun before `before`. */
export async function deleteOldAttempts(
  db: Queryable,
  merchant_id: string,
  before: Date,
  limit: number,
): Promise<number> {
  const gone = await db.query(
    sql`DELETE FROM notification_attempts WHERE merchant_id = ${merchant_id} AND (event_id, attempt) IN (
        SELECT event_id, attempt FROM notification_attempts
        WHERE merchant_id = ${merchant_id} AND started_at < ${before} ORDER BY started_at LIMIT ${limit})
      RETURNING 1 AS gone`,
  );
  return gone.length;
}

/** How many of a merchant's events were given up and not replayed; counted up to `most`. */
export async function selectFailedCount(db: Queryable, merchant_id: string, most: number): Promise<number> {
  const [row] = await db.query<{ failed: number }>(
    sql`SELECT count(*)::int AS failed FROM (SELECT 1 FROM notifications
      WHERE merchant_id = ${merchant_id} AND delivery_status = 'failed' LIMIT ${most}) f`,
  );
  return row?.failed ?? 0;
}
