/** SQL of complaints. */
import { type Queryable, type Row, type Tx, type Write, sql } from '../../base/pg/index.ts';
import type { DueRows } from '../engine/index.ts';
import type { Complaint } from './complaint.ts';

const columns = sql`merchant_id, complaint_id, order_no, source, dispute_id, reason, status, currency,
  currency_decimals, loss_amount, external_cost, opened_at, decided_at, check_at`;

type ComplaintRow = Complaint & Row;

export const complaintRows: DueRows = { table: sql`payment_complaints`, id: sql`complaint_id`, columns };

export function insertComplaint(c: Complaint): Write {
  return {
    statement: sql`INSERT INTO payment_complaints (${columns}) VALUES (${c.merchant_id}::uuid, ${c.complaint_id},
      ${c.order_no}, ${c.source}, ${c.dispute_id}, ${c.reason}, ${c.status}, ${c.currency},
      ${c.currency_decimals}::smallint, ${c.loss_amount}::numeric, ${c.external_cost}::numeric,
      ${c.opened_at}::timestamptz, ${c.decided_at}::timestamptz, ${c.check_at}::timestamptz)`,
    rows: 'all',
  };
}

/** Writes a complaint's new state. Touches no row if another process has decided it meanwhile. */
export function updateComplaint(before: Complaint, after: Complaint): Write {
  return {
    statement: sql`UPDATE payment_complaints SET status = ${after.status}, dispute_id = ${after.dispute_id},
      loss_amount = ${after.loss_amount}::numeric, external_cost = ${after.external_cost}::numeric,
      decided_at = ${after.decided_at}::timestamptz, check_at = ${after.check_at}::timestamptz
      WHERE merchant_id = ${before.merchant_id}::uuid AND complaint_id = ${before.complaint_id}
        AND status = ${before.status} /* guard: complaint-guarded-by-its-state */`,
    rows: 1,
  };
}

/** Takes a dispute from the complaint that was dismissed with it, so that another complaint can be about it (D-901). */
export async function giveUpDispute(
  tx: Tx,
  { merchant_id, dispute_id }: { merchant_id: string; dispute_id: string },
): Promise<void> {
  await tx.query(
    sql`UPDATE payment_complaints SET dispute_id = NULL
      WHERE merchant_id = ${merchant_id} AND dispute_id = ${dispute_id} AND status = 'dismissed'`,
  );
}

/** The complaints about an order, newest first. */
export function selectComplaints(db: Queryable, merchant_id: string, order_no: string): Promise<Complaint[]> {
  return db.query<ComplaintRow>(
    sql`SELECT ${columns} FROM payment_complaints WHERE merchant_id = ${merchant_id} AND order_no = ${order_no}
      ORDER BY complaint_id DESC`,
  );
}

/** The complaint with a number, of any merchant. */
export async function selectComplaintById(db: Queryable, complaint_id: string): Promise<Complaint | null> {
  const [row] = await db.query<ComplaintRow>(
    sql`SELECT ${columns} FROM payment_complaints WHERE complaint_id = ${complaint_id}`,
  );
  return row ?? null;
}

/** One page of the complaints of all merchants before a cursor, newest first. Their ids sort by time. */
export function selectComplaintPage(
  db: Queryable,
  status: Complaint['status'] | null,
  before: string | null,
  limit: number,
): Promise<Complaint[]> {
  const inStatus = status === null ? sql`` : sql`AND status = ${status}`;
  const older = before === null ? sql`` : sql`AND complaint_id < ${before}`;
  return db.query<ComplaintRow>(
    sql`SELECT ${columns} FROM payment_complaints WHERE true ${inStatus} ${older}
      ORDER BY complaint_id DESC LIMIT ${limit}`,
  );
}
