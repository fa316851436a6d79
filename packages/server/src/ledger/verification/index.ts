/** Checks the books and explains transfers in words. */
export { keepAccountSums, readAccounts, rebuildAccountSums } from './account-sums.ts';
export {
  type AccountMark,
  type AccountRow,
  accountSumsSubject,
  type AccountSumsFault,
  selectAccountSumsFaults,
} from './account-sums.sql.ts';
export { type TotalName, addUp, sumByAccount } from './add-up.ts';
export { addToCheckpoints, replaceCheckpoints } from './balances.sql.ts';
export { isForeign, isNew, isNewHere, selectSnapshot, type Since } from './new-rows.sql.ts';
export { compareTransfers, explain, inLanguage } from './explain.ts';
export { type Finding, amountWords, bookOf } from './findings.ts';
export { merchantsWithin, pairsOf, type Scope, subjectOfTarget, targetsOf, within } from './scope.ts';
export {
  countStandingFindings,
  endVerificationLease,
  insertVerification,
  lockVerificationMark,
  replaceStandingFindings,
  selectStandingFindings,
  selectVerificationMark,
  selectVerifications,
  type StandingFinding,
  takeVerificationLease,
  updateVerificationMark,
  type VerificationKind,
  type VerificationMark,
  type VerificationRecord,
} from './verifications.sql.ts';
export { preferKeys, readOneSnapshot } from './verify.sql.ts';
export { type Verification, addFindings, verifyLedger, verifySince } from './verify.ts';
