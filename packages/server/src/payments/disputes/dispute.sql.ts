/** SQL of disputes and of the files for them. */
import { type Queryable, type Row, type Tx, sql } from '../../base/pg/index.ts';
import { platformBook } from '../../base/ids.ts';
import type { Dispute, DisputeStage } from './dispute.ts';
import type { EvidenceFile } from './evidence.ts';

const columns = sql`merchant_id, dispute_id, payment_no, order_no, case_id, test_mode, state, stage, reason, amount,
  currency, currency_decimals, due_by, submissions, opened_at, seen_at`;

/**
 * Writes what the provider says of a dispute, unless it was asked later than this already. Its end is written in any case:
 * the process that was asked before may have had a clock that was ahead, and nothing looks the dispute up again (D-876).
 */
export async function upsertDispute(db: Queryable, d: Dispute): Promise<void> {
  await db.query(
    sql`INSERT INTO card_disputes (${columns}) VALUES (${d.merchant_id}, ${d.dispute_id}, ${d.payment_no},
        ${d.order_no}, ${d.case_id}, ${d.test_mode}, ${d.state}, ${d.stage}, ${d.reason}, ${d.amount}::numeric,
        ${d.currency}, ${d.currency_decimals}, ${d.due_by}, ${d.submissions}, ${d.opened_at}, ${d.seen_at})
      ON CONFLICT (merchant_id, dispute_id) DO UPDATE SET case_id = excluded.case_id, state = excluded.state,
        stage = excluded.stage, reason = excluded.reason, amount = excluded.amount, due_by = excluded.due_by,
        submissions = excluded.submissions, seen_at = greatest(card_disputes.seen_at, excluded.seen_at)
        WHERE card_disputes.seen_at <= excluded.seen_at OR excluded.stage = 'ended'`,
  );
}

/** Removes what was kept of a dispute while its receipt belonged to no order: an order has it now (D-1235). */
export async function deleteUnmatchedDispute(tx: Tx, dispute_id: string): Promise<void> {
  await tx.query(
    sql`DELETE FROM card_disputes WHERE merchant_id = ${platformBook} AND dispute_id = ${dispute_id}`,
  );
}

/** The dispute with the provider's number, of any merchant. */
export async function selectDisputeById(db: Queryable, dispute_id: string): Promise<Dispute | null> {
  const [row] = await db.query<Dispute & Row>(
    sql`SELECT ${columns} FROM card_disputes WHERE dispute_id = ${dispute_id} ORDER BY order_no LIMIT 1`,
  );
  return row ?? null;
}

/** The same under a lock. Its evidence changes only under this lock. */
export async function lockDispute(
  tx: Tx,
  { merchant_id, dispute_id }: Pick<Dispute, 'merchant_id' | 'dispute_id'>,
): Promise<Dispute | null> {
  const [row] = await tx.query<Dispute & Row>(
    sql`SELECT ${columns} FROM card_disputes WHERE merchant_id = ${merchant_id} AND dispute_id = ${dispute_id}
      FOR UPDATE`,
  );
  return row ?? null;
}

/**
 * The numbers of the disputes about the payment that paid an order that have not ended, as they were seen last; the newest
 * first. One that was lost in a currency that the payment does not have counts too: a person decides about it (D-902).
 * Those about a second payment belong to its case.
 */
export async function selectOpenDisputes(
  db: Queryable,
  { merchant_id, order_no }: { merchant_id: string; order_no: string },
): Promise<string[]> {
  const rows = await db.query<{ dispute_id: string }>(
    sql`SELECT dispute_id FROM card_disputes
      WHERE merchant_id = ${merchant_id} AND order_no = ${order_no} AND case_id IS NULL
        AND (stage <> 'ended' OR (state = 'lost' AND currency_decimals IS NULL))
      ORDER BY opened_at DESC, dispute_id`,
  );
  return rows.map(({ dispute_id }) => dispute_id);
}

/** The place of a dispute in the queue: its deadline in RFC 3339, or `infinity`, and its number. */
export interface QueuePlace {
  due_by: string;
  dispute_id: string;
}

/**
 * A page of the disputes of all merchants in one stage, by deadline (D-342): the next first, of those that ended the
 * last.
 */
export function selectDisputePage(
  db: Queryable,
  stage: DisputeStage,
  behind: QueuePlace | null,
  limit: number,
): Promise<Dispute[]> {
  const place = sql`(coalesce(due_by, 'infinity'), dispute_id)`;
  const last = behind === null ? null : sql`(${behind.due_by}::timestamptz, ${behind.dispute_id})`;
  if (stage === 'ended') {
    const rest = last === null ? sql`` : sql`AND ${place} < ${last}`;
    return db.query<Dispute & Row>(
      sql`SELECT ${columns} FROM card_disputes WHERE stage = ${stage} ${rest}
        ORDER BY coalesce(due_by, 'infinity') DESC, dispute_id DESC LIMIT ${limit}`,
    );
  }
  const rest = last === null ? sql`` : sql`AND ${place} > ${last}`;
  return db.query<Dispute & Row>(
    sql`SELECT ${columns} FROM card_disputes WHERE stage = ${stage} ${rest}
      ORDER BY coalesce(due_by, 'infinity'), dispute_id LIMIT ${limit}`,
  );
}

type Named = Pick<Dispute, 'merchant_id' | 'dispute_id'>;

/** Stores what a file is. A later file for the same member takes its place. */
export async function upsertFile(tx: Tx, { merchant_id, dispute_id }: Named, f: EvidenceFile): Promise<void> {
  await tx.query(
    sql`INSERT INTO dispute_files (merchant_id, dispute_id, field, file_id, content_type, size, uploaded_by, uploaded_at)
      VALUES (${merchant_id}, ${dispute_id}, ${f.field}, ${f.file_id}, ${f.content_type}, ${f.size}, ${f.uploaded_by},
        ${f.uploaded_at})
      ON CONFLICT (merchant_id, dispute_id, field) DO UPDATE SET file_id = excluded.file_id,
        content_type = excluded.content_type, size = excluded.size, uploaded_by = excluded.uploaded_by,
        uploaded_at = excluded.uploaded_at`,
  );
}

/** The books that may have files and evidence of a dispute: those of before its receipt had an order are the platform's (D-1235). */
export const booksOf = ({ merchant_id }: Pick<Dispute, 'merchant_id'>): string[] => [
  ...new Set([merchant_id, platformBook]),
];

/** The latest file of each member. */
export async function selectFiles(db: Queryable, dispute: Named): Promise<EvidenceFile[]> {
  const [files = [], before = []] = await Promise.all(
    booksOf(dispute).map((book) =>
      db.query<EvidenceFile & Row>(
        sql`SELECT field, file_id, content_type, size, uploaded_by, uploaded_at FROM dispute_files
          WHERE merchant_id = ${book} AND dispute_id = ${dispute.dispute_id} ORDER BY field`,
      ),
    ),
  );
  return [...files, ...before.filter(({ field }) => files.every((file) => file.field !== field))];
}
