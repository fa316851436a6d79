/** Sessions of signed-in people, and their cookies. */
export {
  browserOf,
  clearPasskeyQuestion,
  clearPending,
  clearSession,
  clearWayBack,
  passkeyToken,
  pendingToken,
  sessionToken,
  setDevice,
  setPasskeyQuestion,
  setPending,
  setSession,
  setWayBack,
  wayBackOf,
} from './session-cookies.ts';
export { deviceOf, deviceWords } from './device.ts';
export { requireEnrolled } from './second-factor-required.ts';
export { endOfProof, isPresent, requirePresence } from './presence.ts';
export { deleteSessionsOf, isSessionOf } from './session.sql.ts';
export {
  type Browser,
  type SessionEntry,
  type Sessions,
  createSessions,
  demandSession,
  purgeExpiredSessions,
  sessionHashOf,
  sessionIdOf,
} from './sessions.ts';
export { type SessionUse, useBy } from './session-use.ts';
