/** Statements on what checks of the books store: their results, the findings that stand, and the mark. */
import { type Queryable, type Row, sql, type Tx } from '../../base/pg/index.ts';
import type { Finding } from './findings.ts';

/** `full`: everything. `incremental`: what is new since the last kept check, and what it touches. */
export type VerificationKind = 'full' | 'incremental';

/** The stored result of one check of the books. */
export interface VerificationRecord extends Row {
  verified_at: Date;
  /** The actor as in the audit log; `command` for the command line, `worker` for a worker. */
  verified_by: string;
  kind: VerificationKind;
  ok: boolean;
  entries: bigint;
  /** The number of findings. */
  findings: number;
  duration_ms: number;
}

/** Stores the result of a check. */
export async function insertVerification(db: Queryable, v: VerificationRecord): Promise<void> {
  await db.query(sql`
    INSERT INTO ledger_verifications (verified_at, verified_by, kind, ok, entries, findings, duration_ms)
    VALUES (${v.verified_at}, ${v.verified_by}, ${v.kind}, ${v.ok}, ${v.entries}, ${v.findings}, ${v.duration_ms})
    ON CONFLICT (verified_at, verified_by) DO NOTHING`);
}

/** The latest checks, newest first. */
export function selectVerifications(db: Queryable, limit: number): Promise<VerificationRecord[]> {
  return db.query<VerificationRecord>(sql`
    SELECT verified_at, verified_by, kind, ok, entries, findings, duration_ms
    FROM ledger_verifications ORDER BY verified_at DESC, verified_by LIMIT ${limit}`);
}

/** A finding that stands, and when a check found it first. */
export interface StandingFinding extends Finding {
  found_at: Date;
}

/** All findings that stand. */
export function selectStandingFindings(db: Queryable): Promise<StandingFinding[]> {
  return db.query<StandingFinding & Row>(
    sql`SELECT kind, book, subject, words, found_at FROM ledger_findings ORDER BY finding_no`,
  );
}

/** How many findings stand, and since when. */
export async function countStandingFindings(
  db: Queryable,
): Promise<{ findings: number; since: Date | null }> {
  const [row] = await db.query<{ findings: number; since: Date | null }>(
    sql`SELECT count(*)::int AS findings, min(found_at) AS since FROM ledger_findings`,
  );
  return row ?? { findings: 0, since: null };
}

/** Replaces all findings that stand. */
export async function replaceStandingFindings(tx: Tx, findings: readonly StandingFinding[]): Promise<void> {
  await tx.query(sql`DELETE FROM ledger_findings`);
  if (findings.length === 0) return;
  const column = <K extends keyof StandingFinding>(name: K): StandingFinding[K][] =>
    findings.map((finding) => finding[name]);
  await tx.query(sql`
    INSERT INTO ledger_findings (finding_no, kind, book, subject, words, found_at)
    SELECT n, kind, book, subject, words, found_at
    FROM unnest(${column('kind')}::text[], ${column('book')}::text[], ${column('subject')}::text[],
      ${column('words')}::text[], ${column('found_at')}::timestamptz[]) WITH ORDINALITY
      AS f (kind, book, subject, words, found_at, n)`);
}

/** Where the last kept check stood. */
export interface VerificationMark extends Row {
  version: bigint;
  snapshot: string | null;
  cluster: string | null;
  seal_no: bigint;
  seal_hash: string | null;
  sealed_below: bigint;
  checked_at: Date | null;
  full_at: Date | null;
}

const markColumns = sql`version, snapshot, cluster, seal_no, seal_hash, sealed_below, checked_at, full_at`;

const noMark: VerificationMark = {
  version: 0n,
  snapshot: null,
  cluster: null,
  seal_no: 0n,
  seal_hash: null,
  sealed_below: 0n,
  checked_at: null,
  full_at: null,
};

export async function selectVerificationMark(db: Queryable): Promise<VerificationMark> {
  const [row] = await db.query<VerificationMark>(
    sql`SELECT ${markColumns} FROM ledger_verification_marks WHERE singleton`,
  );
  return row ?? noMark;
}

/** Locks the mark, so that results are stored one after the other. */
export async function lockVerificationMark(tx: Tx): Promise<VerificationMark> {
  const [row] = await tx.query<VerificationMark>(
    sql`SELECT ${markColumns} FROM ledger_verification_marks WHERE singleton FOR UPDATE`,
  );
  return row ?? noMark;
}

export async function updateVerificationMark(tx: Tx, m: VerificationMark): Promise<void> {
  await tx.query(sql`
    UPDATE ledger_verification_marks SET version = ${m.version}, snapshot = ${m.snapshot}, cluster = ${m.cluster},
      seal_no = ${m.seal_no}, seal_hash = ${m.seal_hash}, sealed_below = ${m.sealed_below},
      checked_at = ${m.checked_at}, full_at = ${m.full_at} WHERE singleton`);
}

/**
 * Takes or renews the lease of the workers' check.
 *
 * @returns whether `lease_id` holds it
 */
export async function takeVerificationLease(
  db: Queryable,
  { lease_id, now, until }: { lease_id: string; now: Date; until: Date },
): Promise<boolean> {
  const rows = await db.query(sql`
    UPDATE ledger_verification_leases SET lease_id = ${lease_id}, lease_until = ${until}
    WHERE singleton AND (lease_id = ${lease_id} OR lease_until IS NULL OR lease_until <= ${now}) RETURNING true`);
  return rows.length > 0;
}

export async function endVerificationLease(db: Queryable, lease_id: string): Promise<void> {
  await db.query(sql`
    UPDATE ledger_verification_leases SET lease_id = NULL, lease_until = NULL
    WHERE singleton AND lease_id = ${lease_id}`);
}
