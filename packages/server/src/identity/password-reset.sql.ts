import { type Queryable, type Row, sql } from '../base/db.ts';

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

/** Takes one request that is due, and puts it off until `next`, so that no other worker takes it meanwhile. */
export async function claimResetRequest(db: Queryable, now: Date, next: Date): Promise<ResetRequest | null> {
  const [row] = await db.query<ResetRequest & Row>(
    sql`UPDATE password_reset_requests SET due_at = ${next}, tries = tries + 1 WHERE request_id = (
        SELECT request_id FROM password_reset_requests WHERE due_at <= ${now}
        ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED
      ) RETURNING ${columns}`,
  );
  return row ?? null;
}

export async function deleteResetRequest(db: Queryable, request_id: string): Promise<void> {
  await db.query(sql`DELETE FROM password_reset_requests WHERE request_id = ${request_id}`);
}
