/** Statements on approvals. */
import type { ApprovalState } from '@paydesk/contract';
import { writeJson } from '../../base/input/json.ts';
import { type Queryable, type Row, sql, type Tx } from '../../base/pg/index.ts';
import type { Approval } from './approval.ts';

const columns = sql`approval_id, action, subject, target, amount_ptk, request, reason, asked_by, asked_at, status,
  decided_by, decided_at, decision_reason, failure`;

const stored = (value: unknown): string | null => (value === null ? null : writeJson(value));

/**
 * Stores a pending approval unless the same write waits already; waits for a transaction that is storing it now.
 *
 * @returns whether it was stored
 */
export async function insertApproval(tx: Tx, a: Approval): Promise<boolean> {
  const rows = await tx.query(
    sql`INSERT INTO approvals (${columns}) VALUES (${a.approval_id}, ${a.action}, ${a.subject}, ${a.target},
        ${a.amount_ptk}, ${stored(a.request)}::jsonb, ${a.reason}, ${a.asked_by}, ${a.asked_at}, ${a.status},
        ${a.decided_by}, ${a.decided_at}, ${a.decision_reason}, ${stored(a.failure)}::jsonb)
      ON CONFLICT (action, subject) WHERE status = 'pending' DO NOTHING RETURNING 1`,
  );
  return rows.length === 1;
}

export async function selectPendingApproval(
  db: Queryable,
  action: string,
  subject: string,
): Promise<Approval | null> {
  const [row] = await db.query<Approval & Row>(
    sql`SELECT ${columns} FROM approvals WHERE action = ${action} AND subject = ${subject} AND status = 'pending'`,
  );
  return row ?? null;
}

export async function selectApproval(db: Queryable, approval_id: string): Promise<Approval | null> {
  const [row] = await db.query<Approval & Row>(
    sql`SELECT ${columns} FROM approvals WHERE approval_id = ${approval_id}`,
  );
  return row ?? null;
}

/** Locks an approval: of two decisions, the second waits here and then sees the first. */
export async function selectApprovalForUpdate(tx: Tx, approval_id: string): Promise<Approval | null> {
  const [row] = await tx.query<Approval & Row>(
    sql`SELECT ${columns} FROM approvals WHERE approval_id = ${approval_id} FOR UPDATE`,
  );
  return row ?? null;
}

/** Locks the approvals that wait and were asked for by this actor, in the order of their ids. */
export function selectPendingOfForUpdate(tx: Tx, asked_by: string): Promise<Approval[]> {
  return tx.query<Approval & Row>(
    sql`SELECT ${columns} FROM approvals WHERE asked_by = ${asked_by} AND status = 'pending'
      ORDER BY approval_id FOR UPDATE`,
  );
}

/** Writes a decision. The approval was locked and pending. */
export async function updateApproval(tx: Tx, a: Approval): Promise<void> {
  await tx.write([
    {
      statement: sql`UPDATE approvals SET status = ${a.status}, decided_by = ${a.decided_by},
        decided_at = ${a.decided_at}::timestamptz, decision_reason = ${a.decision_reason},
        failure = ${stored(a.failure)}::jsonb
        WHERE approval_id = ${a.approval_id} AND status = 'pending'`,
      rows: 1,
    },
  ]);
}

/** One page of approvals before a cursor, newest first: their ids sort by time. */
export function selectApprovals(
  db: Queryable,
  { status, before, limit }: { status: ApprovalState | null; before: string | null; limit: number },
): Promise<Approval[]> {
  const ofStatus = status === null ? sql`` : sql`AND status = ${status}`;
  const older = before === null ? sql`` : sql`AND approval_id < ${before}`;
  return db.query<Approval & Row>(
    sql`SELECT ${columns} FROM approvals WHERE true ${ofStatus} ${older} ORDER BY approval_id DESC LIMIT ${limit}`,
  );
}

/** The number of approvals that wait, and the time of the oldest request. */
export async function countPendingApprovals(db: Queryable): Promise<{ due: number; oldest_at: Date | null }> {
  const [row] = await db.query<{ due: number; oldest_at: Date | null }>(
    sql`SELECT count(*)::int AS due, min(asked_at) AS oldest_at FROM approvals WHERE status = 'pending'`,
  );
  return row ?? { due: 0, oldest_at: null };
}
