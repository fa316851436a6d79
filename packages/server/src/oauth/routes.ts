/** The authorization server: token endpoint, authorization with consent page, user information and metadata. */
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../base/time/clock.ts';
import type { Database } from '../base/pg/index.ts';
import type { IdSource } from '../base/ids.ts';
import type { LiveCache } from '../base/caches/live-cache.ts';
import type { SecretBox } from '../base/secret-box.ts';
import { cookieName } from '../http/cookies.ts';
import type { Pages } from '../http/page-context.ts';
import type { Limiter } from '../http/rate-limit.ts';
import type { FindMerchant } from '../merchants/index.ts';
import {
  type AuthorizeDeps,
  authorizeRoutes,
  consentRoutes,
  type FindVisitor,
  metadata,
  tokenRoutes,
  userinfoRoutes,
} from './endpoints/index.ts';
import { createCurrentProvider, createSigningKeys, jwksPath, metadataPath } from './provider/index.ts';
import type { BearerChecks } from './tokens/index.ts';
import { createFindClient } from './clients/index.ts';

export interface OauthRoutesDeps {
  db: Database;
  cache: LiveCache;
  clock: Clock;
  ids: IdSource;
  box: SecretBox;
  limiter: Limiter;
  findMerchant: FindMerchant;
  subjectBearer: BearerChecks['subjectBearer'];
  findVisitor: FindVisitor;
  isStillSignedIn: AuthorizeDeps['isStillSignedIn'];
  pages: Pages;
}

export function oauthRoutes(app: FastifyInstance, deps: OauthRoutesDeps): void {
  const { public_url, secure } = app.site;
  const findClient = createFindClient(deps.db, deps.cache);
  const cookies = { name: (name: string) => cookieName(app.site, name, '/oauth'), secure };
  const keys = createSigningKeys(deps);
  const { provider, call } = createCurrentProvider({ ...deps, findClient, public_url, cookies }, keys);

  app.get(metadataPath, () => metadata(public_url));
  app.get(jwksPath, () => keys.published());
  tokenRoutes(app, { call, limiter: deps.limiter });
  authorizeRoutes(app, { ...deps, call });
  consentRoutes(app, { ...deps, findClient, provider });
  userinfoRoutes(app, deps);
}
