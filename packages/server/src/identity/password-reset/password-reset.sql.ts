/** The queue of requests for a reset link (table `password_reset_requests`). */
import { type Database, type Queryable, type Row, sql } from '../../base/pg/index.ts';
import { claimMail } from '../mail/index.ts';

/** A request for a link that resets a password. The address may have no account. */
export interface ResetRequest {
  request_id: string;
  email: string;
  locale: string;
  requested_at: Date;
  /** Real time. */
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

/** Takes one due request and moves its `due_at` to `next`; null where none is due. */
export const claimResetRequest = (db: Database, now: Date, next: Date): Promise<ResetRequest | null> =>
  claimMail<ResetRequest & Row>(
    db,
    { table: sql`password_reset_requests`, id: sql`request_id`, columns },
    now,
    next,
  );

export async function deleteResetRequest(db: Queryable, request_id: string): Promise<void> {
  await db.query(sql`DELETE FROM password_reset_requests WHERE request_id = ${request_id}`);
}
