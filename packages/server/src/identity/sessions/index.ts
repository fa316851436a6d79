export { ownAddress } from './return-to.ts';
export {
  type SessionRoutesDeps,
  confirmWith,
  fromOf,
  giveSession,
  keepPasskeyQuestion,
  objectOf,
  passkeyToken,
  pendingToken,
  sessionRoutes,
  sessionToken,
  signInWith,
  signOut,
} from './session-routes.ts';
export { deleteSessionsOf } from './session.sql.ts';
export { createSessions, purgeExpiredSessions } from './sessions.ts';
export type { SignInLimits } from './sign-in.ts';
