import { type Queryable, type Row, sql, type Tx } from '../base/db.ts';

/** A mail that a person is owed about their account. */
export interface Notice {
  notice_id: string;
  user_id: string;
  kind: 'password_changed';
  locale: string;
  /** Real time. */
  due_at: Date;
  tries: number;
}

const columns = sql`notice_id, user_id, kind, locale, due_at, tries`;

export async function insertNotice(tx: Tx, n: Notice): Promise<void> {
  await tx.query(
    sql`INSERT INTO account_notices (${columns})
      VALUES (${n.notice_id}, ${n.user_id}, ${n.kind}, ${n.locale}, ${n.due_at}, ${n.tries})`,
  );
}

/** Takes one that is due, and puts it off until `next`, so that no other worker takes it meanwhile. */
export async function claimNotice(db: Queryable, now: Date, next: Date): Promise<Notice | null> {
  const [row] = await db.query<Notice & Row>(
    sql`UPDATE account_notices SET due_at = ${next}, tries = tries + 1 WHERE notice_id = (
        SELECT notice_id FROM account_notices WHERE due_at <= ${now}
        ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED
      ) RETURNING ${columns}`,
  );
  return row ?? null;
}

export async function deleteNotice(db: Queryable, notice_id: string): Promise<void> {
  await db.query(sql`DELETE FROM account_notices WHERE notice_id = ${notice_id}`);
}
