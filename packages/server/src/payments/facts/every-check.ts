/** All comparisons of stored facts with each other, and the findings that they give. */
import { type Queryable, sql } from '../../base/pg/index.ts';
import { bookOf, type Finding, type Scope } from '../../ledger/verification/index.ts';
import { archivedFacts, batchFacts, lineFacts } from './archive-facts.sql.ts';
import { attemptFacts, paymentFacts, titleFacts } from './attempt-facts.sql.ts';
import {
  complaintFacts,
  currencyFacts,
  merchantFacts,
  missingRows,
  productFacts,
  rateFacts,
  refundRequests,
  withdrawalFacts,
} from './audit-facts.sql.ts';
import {
  caseDecisions,
  caseFacts,
  holdFacts,
  lossFacts,
  refundFacts,
  reservationFacts,
  reservedFacts,
} from './case-facts.sql.ts';
import { catalogFacts, codeCounts, codeFacts, stockFacts } from './catalog-facts.sql.ts';
import type { Check, Difference } from './compare.sql.ts';
import { entryFacts, legFacts } from './entry-facts.sql.ts';
import { attemptedFacts, notificationFacts, toldFacts } from './notification-facts.sql.ts';
import { orderFacts, reversalFacts, termFacts } from './order-facts.sql.ts';
import { quoteCounts, quoteFacts } from './quote-facts.sql.ts';
import { topUpFacts, walletFacts } from './wallet-facts.sql.ts';

/** Maximum number of findings of one check. */
const maxDifferences = 1_000;

/** Every check: what it compares is in its file. */
export const facts: readonly Check[] = [
  entryFacts,
  legFacts,
  walletFacts,
  topUpFacts,
  orderFacts,
  reversalFacts,
  termFacts,
  quoteFacts,
  quoteCounts,
  attemptFacts,
  paymentFacts,
  titleFacts,
  holdFacts,
  reservationFacts,
  reservedFacts,
  refundFacts,
  lossFacts,
  caseFacts,
  catalogFacts,
  codeFacts,
  codeCounts,
  stockFacts,
  notificationFacts,
  attemptedFacts,
  toldFacts,
  archivedFacts,
  batchFacts,
  lineFacts,
  merchantFacts,
  productFacts,
  rateFacts,
  currencyFacts,
  withdrawalFacts,
  complaintFacts,
  refundRequests,
  caseDecisions,
  missingRows,
];

/** Runs one check. */
async function findDifferences(db: Queryable, check: Check, scope: Scope): Promise<Finding[]> {
  const rows = await db.query<Difference>(
    sql`SELECT * FROM (${check.statement(scope)}) d ORDER BY owner, subject, row, what LIMIT ${maxDifferences}`,
  );
  const { kind, settle = (row) => row } = check;
  return rows
    .map(settle)
    .filter((row) => row !== null)
    .map(({ owner, subject, row, what, expected, found }) => ({
      kind,
      book: bookOf(owner),
      subject,
      words: `${row}: ${what} should be ${expected ?? 'empty'}, and is ${found ?? 'empty'}`,
    }));
}

/** Runs all checks, one after the other, so that they need little memory. */
export async function verifyFacts(db: Queryable, scope: Scope): Promise<Finding[]> {
  const found: Finding[] = [];
  // The statements are long: to compile them would take longer than to run them.
  await db.query(sql`SET LOCAL jit = off`);
  // A nested loop keeps what it computes for rows without a partner until its end: gigabytes, where a table is new or empty.
  if (scope === null) await db.query(sql`SET LOCAL enable_nestloop = off`);
  for (const check of facts) found.push(...(await findDifferences(db, check, scope)));
  return found;
}
