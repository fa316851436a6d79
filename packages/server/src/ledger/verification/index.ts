/** Checks the books and explains transfers in words. */
export { type TotalName, addUp, sumByAccount } from './add-up.ts';
export { compareTransfers, explain } from './explain.ts';
export { type Finding, amountWords, bookOf } from './findings.ts';
export { selectLastVerification } from './verifications.sql.ts';
export { recordVerification } from './verifications.ts';
export { readOneSnapshot } from './verify.sql.ts';
export { type Verification, addFindings, verifyLedger } from './verify.ts';
