/** Checks the books against their own transfers, and keeps the results. */
export { addToCheckpoints, changesOf, onNormalSide, replaceCheckpoints } from './balances.sql.ts';
export { isForeign, isNew, isNewHere, selectSnapshot, type Since, type Snapshot } from './new-rows.sql.ts';
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
