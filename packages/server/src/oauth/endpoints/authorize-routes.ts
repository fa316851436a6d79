/** The authorization endpoint, which leads a person over the consent page to the client, with a code (D-171). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '../../base/pg/index.ts';
import { AppError } from '../../base/errors.ts';
import type { Pages } from '../../http/page-context.ts';
import type { Limiter } from '../../http/rate-limit.ts';
import { isCodeAllowed } from '../consents/index.ts';
import {
  type CallLibrary,
  errors,
  authorizePath,
  endCode,
  setVisitor,
  signInPath,
  type Visitor,
} from '../provider/index.ts';
import { refuseLongRequest } from './request-size.ts';

/** The person whose session is in a `Cookie` header; null where no one is signed in. */
export type FindVisitor = (cookies: string | undefined) => Promise<Visitor | null>;

export interface AuthorizeDeps {
  db: Database;
  pages: Pages;
  call: CallLibrary;
  limiter: Limiter;
  findVisitor: FindVisitor;
  /** Whether the session in a `Cookie` header is still this person's, after any change of the account under way. */
  isStillSignedIn: (cookies: string | undefined, user_id: string) => Promise<boolean>;
}

export function authorizeRoutes(app: FastifyInstance, deps: AuthorizeDeps): void {
  const { pages, call, findVisitor, limiter } = deps;
  const { site } = app;
  const isSignIn = (location: string): boolean => location.startsWith(`${site.base_path}${signInPath}?`);
  const { errorHandler } = pages;

  const authorize = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    refuseLongRequest(request.raw.url ?? '');
    refuseOtherModes(request);
    const visitor = await findVisitor(request.headers.cookie);
    setVisitor(request.raw, visitor);
    const { location, cookies, failure } = await call(request.raw, reply.raw);
    // The request of a person who must sign in first is not stored, so a cookie has nothing to name.
    if (isSignIn(location)) return reply.redirect(site.origin + location, 303);
    await refuseOvertaken(deps, request, visitor, location);
    for (const cookie of cookies) void reply.header('set-cookie', cookie);
    if (location !== '') return reply.redirect(location, 303);
    throw refusalOf(failure);
  };
  const limit = (request: FastifyRequest): Promise<void> => limiter.take('authorize', request.client_ip);
  app.get(authorizePath, { errorHandler, onRequest: limit }, authorize);
  app.get(`${authorizePath}/:uid`, { errorHandler }, authorize);
}

/**
 * Ends the code of a redirect if the person whose code it is is not signed in here any more: the answer of the consent page
 * waits in cookies of its own, which outlive the session (D-970). Ends it also if session or consent have ended while the
 * code was made: the change of the password, the disabling of the account, or the removal of the app may have deleted the
 * person's codes before this one was stored (D-937).
 *
 * @throws AppError `authorization_expired`
 */
async function refuseOvertaken(
  { db, isStillSignedIn }: AuthorizeDeps,
  { headers }: FastifyRequest,
  visitor: Visitor | null,
  location: string,
): Promise<void> {
  const code = URL.canParse(location) ? new URL(location).searchParams.get('code') : null;
  if (code === null) return;
  const isAllowed =
    visitor !== null &&
    (await isStillSignedIn(headers.cookie, visitor.user_id)) &&
    (await isCodeAllowed(db, code, visitor.user_id));
  if (isAllowed) return;
  await endCode(db, code);
  throw new AppError('authorization_expired');
}

/** The answer goes into the query of the redirect URI; other response modes are refused. */
function refuseOtherModes({ query }: FastifyRequest): void {
  const { response_mode = 'query' } = query as { response_mode?: unknown };
  if (response_mode !== 'query') throw new AppError('invalid_authorization_request');
}

/**
 * The error for the browser where a redirect is not safe: the client or its redirect URI is not verified, or the client has no
 * approved scope that a person can grant (D-936).
 */
function refusalOf(failure: Error | undefined): Error {
  if (failure instanceof errors.OIDCProviderError && failure.expose) {
    return new AppError('invalid_authorization_request');
  }
  return failure ?? new AppError('server_error');
}
