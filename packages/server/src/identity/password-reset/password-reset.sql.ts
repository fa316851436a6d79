import { type Queryable, type Row, sql } from '../../base/pg/index.ts';
import { claimDue } from '../mail/index.ts';

/** Somebody asked for a link to reset a password. */
export interface ResetRequest {
  request_id: string;
  email: string;
  locale: string;
  requested_at: Date;
  due_at: Date;
  tries: number;
}

const columns = sql`request_id, email, locale, requested_at, due_at, tries`;

export async function insertResetRequest(db: Queryable, r: ResetRequest): Promise<void> {
  await db.query(
    sql`INSERT INTO password_reset_requests (${columns})
      VALUES (${r.request_id}, ${r.email}, ${r.locale}, ${r.requested_at}, ${r.due_at}, ${r.tries})`,
  );
}

export async function claimResetRequest(db: Queryable, now: Date, next: Date): Promise<ResetRequest | null> {
  const [row] = await db.query<ResetRequest & Row>(
    claimDue(sql`password_reset_requests`, sql`request_id`, columns, now, next),
  );
  return row ?? null;
}

export async function deleteResetRequest(db: Queryable, request_id: string): Promise<void> {
  await db.query(sql`DELETE FROM password_reset_requests WHERE request_id = ${request_id}`);
}
