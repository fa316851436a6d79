export {
  type PasskeyDeps,
  addPasskey,
  beginPasskey,
  beginUse,
  passkeysPossible,
  removePasskey,
  usePasskey,
} from './passkeys.ts';
export {
  type FactorDeps,
  beginApp,
  beginSecondFactor,
  confirmApp,
  factorsOf,
  needsSecondFactor,
  pendingApp,
  removeApp,
  renewRecoveryCodes,
  useCode,
} from './second-factor.ts';
