export { type FactorDeps, factorsOf, needsSecondFactor } from './factors.ts';
export {
  type PasskeyDeps,
  addPasskey,
  beginPasskey,
  beginUse,
  passkeysPossible,
  removePasskey,
  usePasskey,
} from './passkeys.ts';
export { renewRecoveryCodes } from './recovery-codes.ts';
export { beginSecondFactor, useCode } from './second-factor.ts';
export { beginApp, confirmApp, pendingApp, removeApp } from './totp-enrolment.ts';
