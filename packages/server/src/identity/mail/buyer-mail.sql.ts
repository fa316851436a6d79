/** The queue of mails to buyers, and the records of what was sent (table `buyer_mails`). */
import { type Database, type Queryable, type Row, sql, type Write } from '../../base/pg/index.ts';
import { claimMail } from './mail-queue.sql.ts';

const buyerMailKinds = ['receipt', 'delivered', 'refund', 'chargeback'] as const;
export type BuyerMailKind = (typeof buyerMailKinds)[number];

/** How a mail ended; `nobody`: there is no address to write to, as for a guest. */
export type BuyerMailOutcome = 'sent' | 'nobody' | 'given-up';

export interface BuyerMail {
  mail_id: string;
  merchant_id: string;
  order_no: string;
  kind: BuyerMailKind;
  /** The address typed on the receipt page, sealed. Null: the mail goes to the person who paid. */
  address_box: Buffer | null;
  /** The language of the page where the address was typed; null for the person's own. */
  locale: string | null;
  created_at: Date;
  /** Real time; null once it is done. */
  due_at: Date | null;
  tries: number;
}

const columns = sql`mail_id, merchant_id, order_no, kind, address_box, locale, created_at, due_at, tries`;

/** Queues a mail. One of the same number is not queued again, so a kind of mail goes once for an order. */
export const insertBuyerMail = (m: BuyerMail): Write => ({
  statement: sql`INSERT INTO buyer_mails (${columns}) VALUES (${m.mail_id}, ${m.merchant_id}::uuid, ${m.order_no},
    ${m.kind}, ${m.address_box}::bytea, ${m.locale}, ${m.created_at}::timestamptz, ${m.due_at}::timestamptz,
    ${m.tries}::smallint) ON CONFLICT (mail_id) DO NOTHING`,
  rows: 'all',
});

/** Takes one due mail and moves its `due_at` to `next`; null where none is due. */
export const claimBuyerMail = (db: Database, now: Date, next: Date): Promise<BuyerMail | null> =>
  claimMail<BuyerMail & Row>(db, { table: sql`buyer_mails`, id: sql`mail_id`, columns }, now, next);

/** Keeps the record of a mail, without the address. */
export async function endBuyerMail(
  db: Queryable,
  mail_id: string,
  outcome: BuyerMailOutcome,
  now: Date,
): Promise<void> {
  await db.query(
    sql`UPDATE buyer_mails SET due_at = NULL, address_box = NULL, outcome = ${outcome}, done_at = ${now}
      WHERE mail_id = ${mail_id}`,
  );
}

/** Deletes a batch of records that ended before `at`; returns how many. */
export async function deleteOldBuyerMails(db: Queryable, at: Date, limit: number): Promise<number> {
  const gone = await db.query(
    sql`DELETE FROM buyer_mails WHERE mail_id IN (
      SELECT mail_id FROM buyer_mails WHERE done_at < ${at} ORDER BY done_at LIMIT ${limit}
    ) RETURNING 1 AS gone`,
  );
  return gone.length;
}
