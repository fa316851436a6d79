/** A person's own account. Everything works by plain forms, except adding passkeys, which needs a script. */
import type { FastifyInstance } from 'fastify';
import { accountPageRoutes, type AccountRoutesDeps } from './account-page-routes.ts';
import { factorRoutes } from './factor-routes.ts';
import { passkeyRoutes } from './passkey-routes.ts';
import { profileRoutes } from './profile-routes.ts';
import { reauthenticateRoutes } from './reauthenticate-routes.ts';

export function accountRoutes(app: FastifyInstance, deps: AccountRoutesDeps): void {
  const page = accountPageRoutes(app, deps);
  profileRoutes(page, deps);
  factorRoutes(app, page, deps);
  passkeyRoutes(app, page, deps);
  reauthenticateRoutes(app, deps);
}
