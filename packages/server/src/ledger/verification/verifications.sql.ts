/** Statements on the record of checks of the books. */
import { type Queryable, type Row, sql } from '../../base/pg/index.ts';

/** The stored result of one check of the books. */
export interface VerificationRecord extends Row {
  verified_at: Date;
  /** The actor as in the audit log; `command` for the command line. */
  verified_by: string;
  ok: boolean;
  entries: bigint;
  /** The number of findings. */
  findings: number;
}

/** Stores the result of a check. */
export async function insertVerification(db: Queryable, v: VerificationRecord): Promise<void> {
  await db.query(sql`
    INSERT INTO ledger_verifications (verified_at, verified_by, ok, entries, findings)
    VALUES (${v.verified_at}, ${v.verified_by}, ${v.ok}, ${v.entries}, ${v.findings})
    ON CONFLICT (verified_at, verified_by) DO NOTHING`);
}

/**
 * The latest check, or null if there is none. `wrong_since` is the time of the first failed check after the last one
 * that was ok.
 */
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
