import { type Queryable, type Row, sql } from '../../base/pg/index.ts';

/** A check of the books that somebody had made. */
export interface VerificationRecord extends Row {
  verified_at: Date;
  /** As the audit log names people; `command` for the command line. */
  verified_by: string;
  ok: boolean;
  entries: bigint;
  /** How much was found wrong. */
  findings: number;
}

/** Keeps how a check of the books went. */
export async function insertVerification(db: Queryable, v: VerificationRecord): Promise<void> {
  await db.query(sql`
    INSERT INTO ledger_verifications (verified_at, verified_by, ok, entries, findings)
    VALUES (${v.verified_at}, ${v.verified_by}, ${v.ok}, ${v.entries}, ${v.findings})
    ON CONFLICT (verified_at, verified_by) DO NOTHING`);
}

/** The latest check, and since when none has found everything right; null where there was none. */
export async function selectLastVerification(
  db: Queryable,
): Promise<(VerificationRecord & { wrong_since: Date | null }) | null> {
  const [row] = await db.query<VerificationRecord & { wrong_since: Date | null }>(sql`
    SELECT v.verified_at, v.verified_by, v.ok, v.entries, v.findings, (
      SELECT min(w.verified_at) FROM ledger_verifications w WHERE NOT w.ok AND w.verified_at > coalesce(
        (SELECT max(r.verified_at) FROM ledger_verifications r WHERE r.ok), '-infinity')) AS wrong_since
    FROM ledger_verifications v ORDER BY v.verified_at DESC LIMIT 1`);
  return row ?? null;
}
