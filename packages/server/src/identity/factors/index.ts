/** Second factors and passkeys. */
export { deleteFactorsOf, type FactorDeps, factorsOf, needsSecondFactor } from './factors.ts';
export { selectPasskey } from './passkey.sql.ts';
export { demandFactorShown, factorSince } from './session-before-factor.ts';
export {
  type PasskeyDeps,
  type Ceremony,
  checkNewPasskey,
  passkeysPossible,
  removePasskey,
  savePasskey,
  startPasskeyRegistration,
  startPasskeyUse,
  usePasskey,
} from './passkeys.ts';
export { issueRecoveryCodes } from './issue-recovery-codes.ts';
export { pendingSecondFactor, secondFactorKind, startSecondFactor, useCode } from './second-factor.ts';
export {
  confirmTotpEnrolment,
  pendingTotpEnrolment,
  removeTotp,
  startTotpEnrolment,
} from './totp-enrolment.ts';
