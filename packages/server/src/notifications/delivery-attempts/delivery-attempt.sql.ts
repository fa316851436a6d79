/**
 * Writes the single attempts to deliver notifications (table `notification_attempts`), with the state of their
 * notifications.
 */
import { join, type Sql, sql, type Queryable } from '../../base/pg/index.ts';
import type { AddressedResult } from '../receivers/index.ts';
import type { NextDeliveryAttempt } from './retry-schedule.ts';

export interface Lease {
  merchant_id: string;
  event_ids: string[];
  lease_until: Date;
}

/**
 * Counts an attempt of each event and leases the event to this worker. Stores where the attempt before was
 * interrupted.
 */
export function leaseNotifications({ merchant_id, event_ids, lease_until }: Lease): Sql {
  return sql`
    UPDATE notifications SET attempts = attempts + 1, lease_until = ${lease_until},
      last_http_status = CASE WHEN lease_until IS NULL THEN last_http_status END,
      last_error = CASE WHEN lease_until IS NULL THEN last_error ELSE 'interrupted' END
    WHERE merchant_id = ${merchant_id} AND event_id = ANY(${event_ids})`;
}

export interface NewDeliveryAttempt {
  event_id: string;
  attempt: number;
  manual: boolean;
}

export function insertDeliveryAttempts(
  merchant_id: string,
  begun: NewDeliveryAttempt[],
  started_at: Date,
): Sql {
  const rows = begun.map(
    ({ event_id, attempt, manual }) =>
      sql`(${merchant_id}, ${event_id}, ${attempt}, ${manual ? 'manual' : 'automatic'}, ${started_at})`,
  );
  return sql`
    INSERT INTO notification_attempts (merchant_id, event_id, attempt, trigger, started_at)
    VALUES ${join(rows)}`;
}

/** Marks attempts that were begun and never ended as interrupted (D-143). */
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

/** How an attempt ended, and what follows for its event. */
export interface DeliveryResult extends AddressedResult {
  event_id: string;
  attempt: number;
  next: NextDeliveryAttempt;
  duration_ms: number;
}

/**
 * Stores the results of attempts of one merchant. The number of the attempt guards each write: nothing changes where
 * the lease ended and another worker has begun the next attempt.
 *
 * @returns the events whose result was stored
 */
export async function endDeliveryAttempts(
  db: Queryable,
  merchant_id: string,
  ended: DeliveryResult[],
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

/** Deletes attempts that were begun but sent nothing. Their events are due again at `next_attempt_at`. */
export async function withdrawDeliveryAttempts(
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

/** Merchants with attempts that were begun before `before`. */
export async function selectMerchantsWithOldDeliveryAttempts(
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

/** Deletes a batch of a merchant's attempts that were begun before `before`; returns how many. */
export async function deleteOldDeliveryAttempts(
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
