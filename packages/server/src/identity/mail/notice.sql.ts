/** The queue of account notices (table `account_notices`). */
import type { NoticeMailKind } from '@paydesk/checkout';
import { type Database, type Queryable, type Row, sql } from '../../base/pg/index.ts';
import { claimMail } from './mail-queue.sql.ts';

/** What a person is told of. */
export type NoticeKind = NoticeMailKind | 'password_changed';

/** A notice that waits to be sent to a person about their account. */
export interface Notice {
  notice_id: string;
  user_id: string;
  kind: NoticeKind;
  /** What the text of the mail names. */
  detail: Readonly<Record<string, string>>;
  /** The language if the person keeps none. */
  locale: string;
  /** Real time. */
  due_at: Date;
  tries: number;
}

const columns = sql`notice_id, user_id, kind, detail, locale, due_at, tries`;

/** Does nothing where the notice is there. */
export async function insertNotice(db: Queryable, n: Notice): Promise<void> {
  await db.query(
    sql`INSERT INTO account_notices (${columns})
      VALUES (${n.notice_id}, ${n.user_id}, ${n.kind}, ${JSON.stringify(n.detail)}, ${n.locale}, ${n.due_at}, ${n.tries})
      ON CONFLICT (notice_id) DO NOTHING`,
  );
}

/** Takes one due notice and moves its `due_at` to `next`; null where none is due. */
export const claimNotice = (db: Database, now: Date, next: Date): Promise<Notice | null> =>
  claimMail<Notice & Row>(db, { table: sql`account_notices`, id: sql`notice_id`, columns }, now, next);

export async function deleteNotice(db: Queryable, notice_id: string): Promise<void> {
  await db.query(sql`DELETE FROM account_notices WHERE notice_id = ${notice_id}`);
}
