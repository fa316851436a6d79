/** The routes of identity/: signing in and out, resetting passwords, and the account page. */
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../base/time/clock.ts';
import type { Database } from '../base/pg/index.ts';
import type { IdSource } from '../base/ids.ts';
import type { SecretBox } from '../base/secret-box.ts';
import type { Pages } from '../http/page-context.ts';
import type { Limiter } from '../http/rate-limit.ts';
import { accountRoutes, type ConnectedApps, type ReadActivity } from './account/index.ts';
import {
  passkeySignInRoutes,
  type PurchaseAt,
  sessionListRoutes,
  sessionRoutes,
  signInPageRoutes,
} from './sign-in/index.ts';
import { isSignUpOpen, signUpRoutes } from './sign-up/index.ts';
import { passwordResetRoutes } from './password-reset/index.ts';
import { createSessions, requireEnrolled, sessionToken, type SessionUse } from './sessions/index.ts';
import type { SignedInUser } from './people/index.ts';

export interface IdentityRoutesDeps {
  db: Database;
  clock: Clock;
  ids: IdSource;
  box: SecretBox;
  limiter: Limiter;
  pages: Pages;
  apps: ConnectedApps;
  purchaseAt: PurchaseAt;
  activityOf: ReadActivity;
  /** Whether platform staff need a second factor. */
  staff_factor_required: boolean;
  /** Whether a mail transport is configured; without it, passwords cannot be reset. */
  mail: boolean;
  /** Called when a mail was queued. */
  onMail: () => void;
}

/**
 * The person of the session in a `Cookie` header; null where no one is signed in. Throws
 * `second_factor_setup_required` for a session that can only set up a second factor.
 */
export type FindSessionUser = (cookies: string | undefined, use?: SessionUse) => Promise<SignedInUser | null>;

/** What the other surfaces know of sessions. */
export interface SignedIn {
  sessionUser: FindSessionUser;
  /** Whether the session in a `Cookie` header is still this person's, after any change of the account under way. */
  isStillSignedIn: (cookies: string | undefined, user_id: string) => Promise<boolean>;
}

export function identityRoutes(app: FastifyInstance, deps: IdentityRoutesDeps): SignedIn {
  const sessions = createSessions(deps);
  const shared = {
    ...deps,
    limits: deps.limiter,
    sessions,
    origin: app.site.origin,
    isSignUpOpen: () => isSignUpOpen(deps),
  };
  sessionRoutes(app, shared);
  sessionListRoutes(app, shared);
  passkeySignInRoutes(app, shared);
  signInPageRoutes(app, shared);
  signUpRoutes(app, shared);
  passwordResetRoutes(app, shared);
  accountRoutes(app, shared);
  const tokenIn = (cookie: string | undefined) => sessionToken({ server: app, headers: { cookie } });
  return {
    sessionUser: async (cookie, use) => requireEnrolled(await sessions.userOf(tokenIn(cookie), use)),
    isStillSignedIn: (cookie, user_id) => sessions.isStill(tokenIn(cookie), user_id),
  };
}
