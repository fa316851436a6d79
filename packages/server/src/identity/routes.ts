import type { FastifyInstance } from 'fastify';
import type { Clock } from '../base/clock.ts';
import type { Database } from '../base/db.ts';
import type { IdSource } from '../base/ids.ts';
import type { Pages } from '../http/page-context.ts';
import type { Limiter } from '../http/rate-limit.ts';
import { pageRoutes } from './page-routes.ts';
import type { SignedIn } from './person.ts';
import { sessionRoutes, sessionToken } from './session-routes.ts';
import { createSessions } from './sessions.ts';

export interface IdentityRoutesDeps {
  db: Database;
  clock: Clock;
  ids: IdSource;
  limiter: Limiter;
  pages: Pages;
}

/** Tells whose session a `Cookie` header carries; null where nobody is signed in. */
export type FindSessionUser = (cookies: string | undefined) => Promise<SignedIn | null>;

/**
 * Signing in and out, for scripts and by plain forms.
 *
 * @returns who is signed in, for the other surfaces
 */
export function identityRoutes(app: FastifyInstance, deps: IdentityRoutesDeps): FindSessionUser {
  const sessions = createSessions(deps);
  const signInDeps = { db: deps.db, limits: deps.limiter, sessions };
  sessionRoutes(app, signInDeps);
  pageRoutes(app, { ...signInDeps, pages: deps.pages });
  return (cookie) => sessions.userOf(sessionToken({ server: app, headers: { cookie } }));
}
