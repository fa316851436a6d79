/** Reads and writes scope applications (table `scope_applications`). */
import { type Queryable, type Tx, type Row, sql } from '../../base/pg/index.ts';
import type { ScopeApplication } from './scope-application.ts';

const columns = sql`application_id, client_id, merchant_id, scopes, status, requested_by, requested_at, decided_by,
  decided_at, reason, approved_scopes`;

export async function insertApplication(tx: Tx, a: ScopeApplication): Promise<void> {
  await tx.query(
    sql`INSERT INTO scope_applications (${columns}) VALUES (${a.application_id}, ${a.client_id}, ${a.merchant_id},
      ${a.scopes}, ${a.status}, ${a.requested_by}, ${a.requested_at}, ${a.decided_by}, ${a.decided_at},
      ${a.reason}, ${a.approved_scopes})`,
  );
}

export async function selectApplication(
  db: Queryable,
  application_id: string,
): Promise<ScopeApplication | null> {
  const [row] = await db.query<ScopeApplication & Row>(
    sql`SELECT ${columns} FROM scope_applications WHERE application_id = ${application_id}`,
  );
  return row ?? null;
}

/** Marks the pending application of a client as superseded, if there is one. */
export async function supersedePending(tx: Tx, client_id: string): Promise<void> {
  await tx.query(
    sql`UPDATE scope_applications SET status = 'superseded' WHERE client_id = ${client_id} AND status = 'pending'`,
  );
}

/** Writes the decision on a pending application; false where it is no longer pending. */
export async function updatePendingApplication(tx: Tx, a: ScopeApplication): Promise<boolean> {
  const rows = await tx.query(
    sql`UPDATE scope_applications SET status = ${a.status}, decided_by = ${a.decided_by},
      decided_at = ${a.decided_at}, reason = ${a.reason}, approved_scopes = ${a.approved_scopes}
      WHERE application_id = ${a.application_id} AND status = 'pending' RETURNING 1 AS done`,
  );
  return rows.length === 1;
}

/** One page of applications before a cursor, newest first: their ids sort by time. */
export function selectApplications(
  db: Queryable,
  { status, before, limit }: { status: string | null; before: string | null; limit: number },
): Promise<ScopeApplication[]> {
  const wanted = status === null ? sql`` : sql`AND status = ${status}`;
  const older = before === null ? sql`` : sql`AND application_id < ${before}`;
  return db.query<ScopeApplication & Row>(
    sql`SELECT ${columns} FROM scope_applications WHERE true ${wanted} ${older}
      ORDER BY application_id DESC LIMIT ${limit}`,
  );
}

/** The latest application of each of these clients that was not superseded. */
export function selectLatestApplications(
  db: Queryable,
  client_ids: readonly string[],
): Promise<ScopeApplication[]> {
  return db.query<ScopeApplication & Row>(
    sql`SELECT DISTINCT ON (client_id) ${columns} FROM scope_applications
      WHERE client_id = ANY (${client_ids}) AND status <> 'superseded'
      ORDER BY client_id, application_id DESC`,
  );
}

/** The number of pending applications, and the time of the oldest. */
export async function countPendingApplications(
  db: Queryable,
): Promise<{ due: number; oldest_at: Date | null }> {
  const [row] = await db.query<{ due: number; oldest_at: Date | null }>(
    sql`SELECT count(*)::int AS due, min(requested_at) AS oldest_at FROM scope_applications
      WHERE status = 'pending'`,
  );
  return row ?? { due: 0, oldest_at: null };
}
