import type { FastifyInstance } from 'fastify';
import type { Clock } from '../base/time/clock.ts';
import type { Database } from '../base/pg/index.ts';
import type { IdSource } from '../base/ids.ts';
import type { SecretBox } from '../base/secret-box.ts';
import type { Pages } from '../http/page-context.ts';
import type { Limiter } from '../http/rate-limit.ts';
import { accountRoutes, type ConnectedApps } from './account/index.ts';
import { pageRoutes, passkeySignInRoutes, sessionRoutes } from './sign-in/index.ts';
import { resetRoutes } from './password-reset/index.ts';
import { sessionToken, createSessions } from './sessions/index.ts';
import type { SignedIn } from './people/index.ts';

export interface IdentityRoutesDeps {
  db: Database;
  clock: Clock;
  ids: IdSource;
  box: SecretBox;
  limiter: Limiter;
  pages: Pages;
  apps: ConnectedApps;
  /** Whether mail can be sent: without, no password can be reset by it. */
  mail: boolean;
  /** Told that a mail is due. */
  onMail: () => void;
}

/** Tells whose session a `Cookie` header carries; null where nobody is signed in. */
export type FindSessionUser = (cookies: string | undefined) => Promise<SignedIn | null>;

/**
 * Signing in and out, resetting passwords and the account page, for scripts and by plain forms.
 *
 * @returns who is signed in, for the other surfaces
 */
export function identityRoutes(app: FastifyInstance, deps: IdentityRoutesDeps): FindSessionUser {
  const sessions = createSessions(deps);
  const shared = { ...deps, limits: deps.limiter, sessions, origin: app.site.origin };
  sessionRoutes(app, shared);
  passkeySignInRoutes(app, shared);
  pageRoutes(app, shared);
  resetRoutes(app, shared);
  accountRoutes(app, shared);
  return (cookie) => sessions.userOf(sessionToken({ server: app, headers: { cookie } }));
}
