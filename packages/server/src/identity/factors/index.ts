/** Second factors and passkeys. */
export {
  deleteFactorsOf,
  demandFactorShown,
  type FactorDeps,
  factorSince,
  factorsOf,
  needsSecondFactor,
} from './factors.ts';
export {
  type PasskeyDeps,
  type Ceremony,
  addPasskey,
  checkNewPasskey,
  passkeysPossible,
  removePasskey,
  savePasskey,
  startPasskeyRegistration,
  startPasskeyUse,
  usePasskey,
} from './passkeys.ts';
export { renewRecoveryCodes } from './recovery-codes.ts';
export { pendingSecondFactor, secondFactorKind, startSecondFactor, useCode } from './second-factor.ts';
export {
  confirmTotpEnrolment,
  pendingTotpEnrolment,
  removeTotp,
  startTotpEnrolment,
} from './totp-enrolment.ts';
