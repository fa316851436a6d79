/** Verifies cases against the money in suspense. */
import type { Queryable } from '../../base/pg/index.ts';
import { amountWords, bookOf, type Finding, type Scope } from '../../ledger/verification/index.ts';
import { type CaseFault, selectCaseFaults } from './verify-cases.sql.ts';

/** Maximum number of cases with faults to report. */
const maxCaseFaults = 1_000;

/** Verifies that cases and the money in suspense agree (D-082, D-083). Describes each fault. */
export async function verifyCases(db: Queryable, scope: Scope): Promise<Finding[]> {
  return (await selectCaseFaults(db, scope, maxCaseFaults)).map((fault) => ({
    kind: 'suspense_amount',
    book: bookOf(fault.owner),
    subject: fault.case_id,
    words: wordsFor(fault),
  }));
}

function wordsFor({ case_id, state, suspended, currency }: CaseFault): string {
  const amount = amountWords(suspended, currency);
  if (state === null) return `${amount} wait in suspense under ${case_id}, and there is no such case`;
  return `case ${case_id} is ${state}, and ${amount} wait in suspense under it`;
}
