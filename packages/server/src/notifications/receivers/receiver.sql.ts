/** Statements on receivers that fail (table `failing_receivers`), and figures of their attempts. */
import { type Queryable, type Row, sql, type Tx } from '../../base/pg/index.ts';
import { failuresToTell, type ReceiverState } from './failing-receiver.ts';

/** A receiver of a merchant, with its last attempts. */
export interface Receiver extends ReceiverState {
  endpoint: string;
  destination: string;
}

const columns = sql`endpoint, destination, failures, failing_since, last_failure_at, last_http_status, last_error`;

/** Whether any of these receivers has failed at its last attempt. */
export async function selectAnyFailing(
  db: Queryable,
  merchant_id: string,
  endpoints: readonly string[],
): Promise<boolean> {
  const rows = await db.query(
    sql`SELECT 1 AS failing FROM failing_receivers
      WHERE merchant_id = ${merchant_id} AND endpoint = ANY(${endpoints}) AND failures > 0 LIMIT 1`,
  );
  return rows.length > 0;
}

/** Locks the row of a receiver, and makes it where there is none. Callers lock several in the order of `endpoint`. */
export async function lockReceiver(
  tx: Tx,
  merchant_id: string,
  { endpoint, destination }: Pick<Receiver, 'endpoint' | 'destination'>,
): Promise<Receiver | null> {
  await tx.query(
    sql`INSERT INTO failing_receivers (merchant_id, endpoint, destination, failures)
      VALUES (${merchant_id}, ${endpoint}, ${destination}, 0) ON CONFLICT (merchant_id, endpoint) DO NOTHING`,
  );
  const [row] = await tx.query<Receiver & Row>(
    sql`SELECT ${columns} FROM failing_receivers
      WHERE merchant_id = ${merchant_id} AND endpoint = ${endpoint} FOR UPDATE`,
  );
  return row ?? null;
}

export async function updateReceiver(
  tx: Tx,
  merchant_id: string,
  r: Omit<Receiver, 'destination'>,
): Promise<void> {
  await tx.query(
    sql`UPDATE failing_receivers SET failures = ${r.failures}, failing_since = ${r.failing_since},
        last_failure_at = ${r.last_failure_at}, last_http_status = ${r.last_http_status}, last_error = ${r.last_error}
      WHERE merchant_id = ${merchant_id} AND endpoint = ${r.endpoint}`,
  );
}

/** The receivers of a merchant that failed at their last attempt and after `since`, the longest failing first. */
export function selectFailing(
  db: Queryable,
  merchant_id: string,
  { since, limit }: { since: Date; limit: number },
): Promise<Receiver[]> {
  return db.query<Receiver & Row>(
    sql`SELECT ${columns} FROM failing_receivers
      WHERE merchant_id = ${merchant_id} AND failures > 0 AND last_failure_at > ${since}
      ORDER BY failing_since LIMIT ${limit}`,
  );
}

/** The number of receivers of all merchants that failed after `since` and that people got mail about. */
export async function countFailing(
  db: Queryable,
  since: Date,
): Promise<{ due: number; oldest_at: Date | null }> {
  const [row] = await db.query<{ due: number; oldest_at: Date | null }>(sql`
    SELECT count(*)::int AS due, min(r.failing_since) AS oldest_at FROM merchants m CROSS JOIN LATERAL (
      SELECT f.failing_since FROM failing_receivers f
      WHERE f.merchant_id = m.merchant_id AND f.failures >= ${failuresToTell} AND f.last_failure_at > ${since}
      LIMIT 100) r`);
  return row ?? { due: 0, oldest_at: null };
}

/** What an operator sees of a failing receiver. */
export interface ListedReceiver extends Receiver {
  merchant_id: string;
  merchant_name: string;
}

/** The failing receivers of all merchants, the longest failing first. */
export function selectFailingOfAll(db: Queryable, since: Date, limit: number): Promise<ListedReceiver[]> {
  return db.query<ListedReceiver & Row>(sql`
    SELECT m.merchant_id, m.name AS merchant_name, r.* FROM merchants m CROSS JOIN LATERAL (
      SELECT f.endpoint, f.destination, f.failures, f.failing_since, f.last_failure_at, f.last_http_status, f.last_error
      FROM failing_receivers f
      WHERE f.merchant_id = m.merchant_id AND f.failures >= ${failuresToTell} AND f.last_failure_at > ${since}
      LIMIT 100) r
    ORDER BY r.failing_since LIMIT ${limit}`);
}

/** Counts other receivers at the same host that people got mail about, up to `most`. */
export async function countFailingBeside(
  tx: Tx,
  merchant_id: string,
  { endpoint, destination }: Pick<Receiver, 'endpoint' | 'destination'>,
  most: number,
): Promise<number> {
  const rows = await tx.query(
    sql`SELECT 1 AS failing FROM failing_receivers
      WHERE merchant_id = ${merchant_id} AND destination = ${destination} AND endpoint <> ${endpoint}
        AND failures >= ${failuresToTell} LIMIT ${most}`,
  );
  return rows.length;
}

/**
 * Deletes a batch of rows of receivers that work, or that were not tried since `before`; returns how many. Rows that a
 * worker holds are left for the next time.
 */
export async function deleteForgottenReceivers(
  db: Queryable,
  merchant_id: string,
  before: Date,
): Promise<number> {
  const gone = await db.query(
    sql`DELETE FROM failing_receivers WHERE merchant_id = ${merchant_id} AND endpoint IN (
      SELECT endpoint FROM failing_receivers
      WHERE merchant_id = ${merchant_id} AND (failures = 0 OR last_failure_at < ${before})
      LIMIT 1000 FOR UPDATE SKIP LOCKED) RETURNING 1 AS gone`,
  );
  return gone.length;
}

/** The attempts of one receiver since a time. */
export interface ReceiverFigures {
  attempts: number;
  failures: number;
  /** Milliseconds within which 95 of 100 attempts ended; null without attempts. */
  p95_ms: number | null;
}

export async function selectReceiverFigures(
  db: Queryable,
  merchant_id: string,
  endpoint: string,
  since: Date,
): Promise<ReceiverFigures> {
  const [row] = await db.query<{ attempts: number; failures: number; p95_ms: number | null }>(
    sql`SELECT count(*)::int AS attempts, count(a.error)::int AS failures,
        percentile_disc(0.95) WITHIN GROUP (ORDER BY a.duration_ms) AS p95_ms
      FROM notification_attempts a JOIN notifications n ON n.merchant_id = a.merchant_id AND n.event_id = a.event_id
      WHERE a.merchant_id = ${merchant_id} AND n.merchant_id = ${merchant_id} AND a.started_at > ${since}
        AND a.finished_at IS NOT NULL AND split_part(n.url, '?', 1) = ${endpoint}`,
  );
  return row ?? { attempts: 0, failures: 0, p95_ms: null };
}

/** The end of the last attempt since a time that the receiver acknowledged. */
export async function selectLastSuccess(
  db: Queryable,
  merchant_id: string,
  endpoint: string,
  since: Date,
): Promise<Date | null> {
  const [row] = await db.query<{ finished_at: Date }>(
    sql`SELECT a.finished_at FROM notification_attempts a
      JOIN notifications n ON n.merchant_id = a.merchant_id AND n.event_id = a.event_id
      WHERE a.merchant_id = ${merchant_id} AND n.merchant_id = ${merchant_id}
        AND a.started_at > ${since} AND a.finished_at IS NOT NULL AND a.error IS NULL
        AND split_part(n.url, '?', 1) = ${endpoint}
      ORDER BY a.started_at DESC LIMIT 1`,
  );
  return row?.finished_at ?? null;
}
