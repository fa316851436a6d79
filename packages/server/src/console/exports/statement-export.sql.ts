/** The SQL of scheduled exports (tables `statement_exports`, `statement_deliveries`). */
import { claimInTurn, type Database, type Queryable, type Row, sql, type Tx } from '../../base/pg/index.ts';
import type { FailingExport, StatementDelivery, StatementExport } from './statement-export.ts';

const columns = sql`export_id, merchant_id, frequency, time_zone, with_pdf, user_ids, url, secret_box, created_by,
  created_at, next_day, next_at, failing_since`;

export async function insertExport(tx: Tx, e: StatementExport): Promise<void> {
  await tx.query(
    sql`INSERT INTO statement_exports (${columns}) VALUES (${e.export_id}, ${e.merchant_id}, ${e.frequency},
      ${e.time_zone}, ${e.with_pdf}, ${e.user_ids}, ${e.url}, ${e.secret_box}, ${e.created_by}, ${e.created_at},
      ${e.next_day}, ${e.next_at}, ${e.failing_since})`,
  );
}

export async function updateExport(tx: Tx, e: StatementExport): Promise<void> {
  await tx.query(
    sql`UPDATE statement_exports SET frequency = ${e.frequency}, time_zone = ${e.time_zone}, with_pdf = ${e.with_pdf},
        user_ids = ${e.user_ids}, url = ${e.url}, secret_box = ${e.secret_box}, next_day = ${e.next_day},
        next_at = ${e.next_at}
      WHERE merchant_id = ${e.merchant_id} AND export_id = ${e.export_id}`,
  );
}

/** Deletes an export with its deliveries. A worker that sends one just now finds no row to write to. */
export async function deleteExport(tx: Tx, { merchant_id, export_id }: StatementExport): Promise<void> {
  await tx.query(
    sql`DELETE FROM statement_deliveries WHERE merchant_id = ${merchant_id} AND export_id = ${export_id}`,
  );
  await tx.query(
    sql`DELETE FROM statement_exports WHERE merchant_id = ${merchant_id} AND export_id = ${export_id}`,
  );
}

export function selectExports(db: Queryable, merchant_id: string): Promise<StatementExport[]> {
  return db.query<StatementExport & Row>(
    sql`SELECT ${columns} FROM statement_exports WHERE merchant_id = ${merchant_id} ORDER BY export_id`,
  );
}

export async function selectExport(
  db: Queryable,
  merchant_id: string,
  export_id: string,
): Promise<StatementExport | null> {
  const [row] = await db.query<StatementExport & Row>(
    sql`SELECT ${columns} FROM statement_exports WHERE merchant_id = ${merchant_id} AND export_id = ${export_id}`,
  );
  return row ?? null;
}

export async function selectExportForUpdate(
  tx: Tx,
  merchant_id: string,
  export_id: string,
): Promise<StatementExport | null> {
  const [row] = await tx.query<StatementExport & Row>(
    sql`SELECT ${columns} FROM statement_exports WHERE merchant_id = ${merchant_id} AND export_id = ${export_id}
      FOR UPDATE`,
  );
  return row ?? null;
}

/** Locks an export whose next period has ended, and that no other worker has; null if there is none. No ties (D-622). */
export async function lockDueExport(tx: Tx, now: Date): Promise<StatementExport | null> {
  const [row] = await tx.query<StatementExport & Row>(
    sql`SELECT ${columns} FROM statement_exports WHERE next_at <= ${now}
      ORDER BY next_at, export_id LIMIT 1 FOR UPDATE SKIP LOCKED`,
  );
  return row ?? null;
}

const delivered = sql`delivery_id, merchant_id, export_id, period, time_zone, user_id, created_at, due_at, attempts,
  sent_at, failing_since, last_http_status, last_error`;

const insertion = (d: StatementDelivery) =>
  sql`INSERT INTO statement_deliveries (${delivered}) VALUES (${d.delivery_id}, ${d.merchant_id}, ${d.export_id},
    ${d.period}, ${d.time_zone}, ${d.user_id}, ${d.created_at}, ${d.due_at}, ${d.attempts}, ${d.sent_at},
    ${d.failing_since}, ${d.last_http_status}, ${d.last_error})`;

/** With an id of its own where the period was sent in another time zone: that one only has the same name (D-1277). */
async function inItsZone(tx: Tx, d: StatementDelivery): Promise<StatementDelivery> {
  const elsewhere = await tx.query(
    sql`SELECT 1 AS found FROM statement_deliveries
      WHERE delivery_id = ${d.delivery_id} AND time_zone <> ${d.time_zone}`,
  );
  return elsewhere.length === 0 ? d : { ...d, delivery_id: `${d.delivery_id}-${d.time_zone}` };
}

/** The time zones in which a period of an export was queued. */
export async function selectZonesOf(
  db: Queryable,
  { merchant_id, export_id }: StatementExport,
  period: string,
): Promise<string[]> {
  const rows = await db.query<{ time_zone: string }>(
    sql`SELECT DISTINCT time_zone FROM statement_deliveries
      WHERE merchant_id = ${merchant_id} AND export_id = ${export_id} AND period = ${period}`,
  );
  return rows.map(({ time_zone }) => time_zone);
}

/** Does nothing where the delivery is there. The caller has locked its export. */
export async function insertDelivery(tx: Tx, d: StatementDelivery): Promise<void> {
  await tx.query(sql`${insertion(await inItsZone(tx, d))} ON CONFLICT (delivery_id) DO NOTHING`);
}

/**
 * Makes a delivery due, also one that is over. The lease of a worker that sends it just now stays. The caller has locked its
 * export.
 */
export async function insertOrRepeatDelivery(tx: Tx, d: StatementDelivery): Promise<void> {
  await tx.query(
    sql`${insertion(await inItsZone(tx, d))} ON CONFLICT (delivery_id) DO UPDATE
      SET due_at = EXCLUDED.due_at, attempts = 0, sent_at = NULL`,
  );
}

/** Deletes what still waits of an export, such as when it is paused. */
export async function deleteWaiting(tx: Tx, { merchant_id, export_id }: StatementExport): Promise<void> {
  await tx.query(
    sql`DELETE FROM statement_deliveries
      WHERE merchant_id = ${merchant_id} AND export_id = ${export_id} AND due_at IS NOT NULL`,
  );
}

/** The latest deliveries of an export, newest first. */
export function selectDeliveries(
  db: Queryable,
  { merchant_id, export_id }: StatementExport,
  limit: number,
): Promise<StatementDelivery[]> {
  return db.query<StatementDelivery & Row>(
    sql`SELECT ${delivered} FROM statement_deliveries WHERE merchant_id = ${merchant_id} AND export_id = ${export_id}
      ORDER BY created_at DESC, delivery_id DESC LIMIT ${limit}`,
  );
}

/** A delivery that this worker alone tries, until its lease ends. */
export interface ClaimedDelivery extends StatementDelivery {
  /** Real time. */
  lease_until: Date;
}

/**
 * Claims a due delivery and counts an attempt; null if none is due. If the worker dies, another takes it after the lease.
 * A merchant whose delivery is under way has no other one claimed, also where two claim at the same moment: only the first
 * one that waits of each merchant can be claimed (D-1074). Its order has no ties (D-622).
 */
export async function claimDelivery(
  db: Database | Tx,
  { now, real, lease_until }: { now: Date; real: Date; lease_until: Date },
): Promise<ClaimedDelivery | null> {
  const [row] = await claimInTurn<StatementDelivery & Row>(
    db,
    sql`statement_deliveries`,
    sql`UPDATE statement_deliveries SET lease_until = ${lease_until}, attempts = attempts + 1 WHERE delivery_id = (
        SELECT delivery_id FROM statement_deliveries d
        WHERE due_at <= ${now} AND (lease_until IS NULL OR lease_until <= ${real}) AND NOT EXISTS (
          SELECT 1 FROM statement_deliveries o
          WHERE o.merchant_id = d.merchant_id AND o.due_at IS NOT NULL AND o.lease_until > ${real})
        AND delivery_id IN (
          SELECT DISTINCT ON (merchant_id) delivery_id FROM statement_deliveries
          WHERE due_at <= ${now} ORDER BY merchant_id, due_at, delivery_id)
        ORDER BY due_at, delivery_id LIMIT 1 FOR UPDATE SKIP LOCKED
      ) RETURNING ${delivered}`,
  );
  return row === undefined ? null : { ...row, lease_until };
}

/** Stores how an attempt ended; false where its lease was lost to another worker. */
export async function endAttempt(tx: Tx, d: ClaimedDelivery): Promise<boolean> {
  const ended = await tx.query(
    sql`UPDATE statement_deliveries SET lease_until = NULL, due_at = ${d.due_at}, sent_at = ${d.sent_at},
        failing_since = ${d.failing_since}, last_http_status = ${d.last_http_status}, last_error = ${d.last_error}
      WHERE delivery_id = ${d.delivery_id} AND lease_until = ${d.lease_until} RETURNING 1 AS ended`,
  );
  return ended.length > 0;
}

/** Stores since when people know that an export fails; null: that it arrives. */
export async function updateFailingSince(
  tx: Tx,
  { merchant_id, export_id }: StatementExport,
  failing_since: Date | null,
): Promise<void> {
  await tx.query(
    sql`UPDATE statement_exports SET failing_since = ${failing_since}
      WHERE merchant_id = ${merchant_id} AND export_id = ${export_id}`,
  );
}

/**
 * The failing exports of all merchants that are not paused, the longest failing first. Not those whose merchant has taken out
 * the recipient who got nothing, or has paused them meanwhile: the next statement tells (D-1278). A recipient who has got a
 * later statement is none of those (D-1258).
 */
export function selectFailingExports(db: Queryable, limit: number): Promise<FailingExport[]> {
  return db.query<FailingExport & Row>(
    // A cluster runs it in two steps: it takes no such condition beside a join with merchants.
    sql`WITH failing AS MATERIALIZED (
        SELECT e.merchant_id, e.export_id, e.frequency, e.failing_since FROM statement_exports e
        WHERE e.failing_since IS NOT NULL AND e.next_at IS NOT NULL AND EXISTS (
          SELECT 1 FROM statement_deliveries d
          WHERE d.merchant_id = e.merchant_id AND d.export_id = e.export_id AND d.failing_since IS NOT NULL
            AND CASE WHEN d.user_id IS NULL THEN e.url IS NOT NULL ELSE d.user_id = ANY (e.user_ids) END
            AND NOT EXISTS (SELECT 1 FROM statement_deliveries s
              WHERE s.merchant_id = d.merchant_id AND s.export_id = d.export_id
                AND s.user_id IS NOT DISTINCT FROM d.user_id AND s.sent_at IS NOT NULL AND s.created_at > d.created_at))
        ORDER BY e.failing_since LIMIT ${limit})
      SELECT f.merchant_id, m.name AS merchant_name, f.export_id, f.frequency, f.failing_since
      FROM failing f JOIN merchants m USING (merchant_id) ORDER BY f.failing_since`,
  );
}

/** Deletes a batch of records that ended before `at`; returns how many. */
export async function deleteOldDeliveries(db: Queryable, at: Date, limit: number): Promise<number> {
  const gone = await db.query(
    sql`DELETE FROM statement_deliveries WHERE delivery_id IN (
      SELECT delivery_id FROM statement_deliveries WHERE created_at < ${at} AND due_at IS NULL
      ORDER BY created_at LIMIT ${limit}
    ) RETURNING 1 AS gone`,
  );
  return gone.length;
}

/** Deletes one delivery, whose recipient was taken out of the export. */
export async function deleteDelivery(db: Queryable, { delivery_id }: StatementDelivery): Promise<void> {
  await db.query(sql`DELETE FROM statement_deliveries WHERE delivery_id = ${delivery_id}`);
}
