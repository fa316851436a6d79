/** What operators see of the checks: the latest ones, and the findings that stand. */
import type { Queryable } from '../base/pg/index.ts';
import {
  countStandingFindings,
  selectStandingFindings,
  selectVerifications,
  type StandingFinding,
  type VerificationRecord,
} from '../ledger/verification/index.ts';

/** The latest check, and how many findings stand since when. */
export interface BooksOverview {
  /** Null if the books were never checked. */
  latest: VerificationRecord | null;
  standing: { findings: number; since: Date | null };
}

/** For the overview and its alarms. */
export async function readBooksOverview(db: Queryable): Promise<BooksOverview> {
  const [[latest = null], standing] = await Promise.all([
    selectVerifications(db, 1),
    countStandingFindings(db),
  ]);
  return { latest, standing };
}

/** Number of checks that the console shows. */
const shownChecks = 20;

/** For the ledger's screen. */
export async function readBooksState(
  db: Queryable,
): Promise<{ checks: VerificationRecord[]; findings: StandingFinding[] }> {
  const [checks, findings] = await Promise.all([
    selectVerifications(db, shownChecks),
    selectStandingFindings(db),
  ]);
  return { checks, findings };
}
