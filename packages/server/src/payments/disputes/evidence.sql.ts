/** SQL of evidence. */
import { type Queryable, type Row, type Tx, sql } from '../../base/pg/index.ts';
import type { DueRows } from '../engine/index.ts';
import { booksOf } from './dispute.sql.ts';
import type { Evidence } from './evidence.ts';

const columns = sql`merchant_id, evidence_id, dispute_id, status, texts_box, files, submissions_before, asked_by,
  asked_at, ended_at, check_at, detail`;

type EvidenceRow = Evidence & Row;

export const evidenceRows: DueRows = { table: sql`dispute_evidence`, id: sql`evidence_id`, columns };

export async function insertEvidence(tx: Tx, e: Evidence): Promise<void> {
  await tx.query(
    sql`INSERT INTO dispute_evidence (${columns}) VALUES (${e.merchant_id}, ${e.evidence_id}, ${e.dispute_id},
      ${e.status}, ${e.texts_box}, ${JSON.stringify(e.files)}::jsonb, ${e.submissions_before}, ${e.asked_by},
      ${e.asked_at}, ${e.ended_at}, ${e.check_at}, ${e.detail})`,
  );
}

/** Writes news of evidence that is being sent. Touches no row if another process has ended it meanwhile. */
export async function updateEvidence(
  db: Queryable,
  { merchant_id, evidence_id, status, ended_at, check_at, detail }: Evidence,
): Promise<void> {
  await db.query(
    sql`UPDATE dispute_evidence SET status = ${status}, ended_at = ${ended_at}, check_at = ${check_at},
        detail = ${detail}
      WHERE merchant_id = ${merchant_id} AND evidence_id = ${evidence_id} AND status = 'sending'`,
  );
}

/** The evidence about a dispute, newest first, also what was sent before its receipt had an order (D-1235). */
export async function selectEvidence(
  db: Queryable,
  dispute: Pick<Evidence, 'merchant_id' | 'dispute_id'>,
): Promise<Evidence[]> {
  const ofBooks = booksOf(dispute).map((book) =>
    db.query<EvidenceRow>(
      sql`SELECT ${columns} FROM dispute_evidence WHERE merchant_id = ${book} AND dispute_id = ${dispute.dispute_id}
        ORDER BY evidence_id DESC`,
    ),
  );
  return (await Promise.all(ofBooks)).flat();
}
