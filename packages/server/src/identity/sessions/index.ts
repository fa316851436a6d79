export {
  forgetPasskeyQuestion,
  forgetPending,
  forgetSession,
  fromOf,
  giveSession,
  keepPasskeyQuestion,
  keepPending,
  passkeyToken,
  pendingToken,
  sessionToken,
} from './session-cookies.ts';
export { deleteSessionsOf } from './session.sql.ts';
export { type From, type Sessions, createSessions, purgeExpiredSessions } from './sessions.ts';
