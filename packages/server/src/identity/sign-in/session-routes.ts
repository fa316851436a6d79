import type { FastifyInstance } from 'fastify';
import { AppError, invalid } from '../../base/errors.ts';
import type { JsonValue } from '../../base/input/json.ts';
import { refuseCrossSite, requireSameOrigin } from '../../http/same-origin.ts';
import type { PasskeyDeps } from '../factors/index.ts';
import type { SignInDeps } from './sign-in.ts';
import { confirmWith, signInWith, signOut } from './browser-sign-in.ts';
import { sessionToken } from '../sessions/index.ts';
import { objectOf, personJson } from './session-json.ts';

export type SessionRoutesDeps = SignInDeps & PasskeyDeps;

/**
 * `/session`: signing in and out for scripts.
 *
 * Signing in asks for no proof of origin from callers that are no browser: the credentials are in the request.
 * What acts on a cookie alone demands the proof (D-121).
 */
export function sessionRoutes(app: FastifyInstance, deps: SessionRoutesDeps): void {
  app.post('/session', async (request, reply) => {
    refuseCrossSite(request);
    const credentials = readCredentials(request.body as JsonValue);
    return personJson(await signInWith(deps, credentials, request, reply));
  });

  app.post('/session/second-factor', async (request, reply) => {
    refuseCrossSite(request);
    const { code } = objectOf(request.body as JsonValue);
    if (typeof code !== 'string') throw invalid('code', 'The code is missing.');
    return personJson(await confirmWith(deps, code, request, reply));
  });

  app.get('/session', async (request) => {
    const user = await deps.sessions.userOf(sessionToken(request));
    if (user === null) throw new AppError('authentication_required');
    const { user_id, name, email, role } = user;
    return { user_id, name, email, role };
  });

  app.delete('/session', async (request, reply) => {
    requireSameOrigin(request);
    await signOut(deps, request, reply);
    return {};
  });
}

function readCredentials(body: JsonValue): { email: string; password: string } {
  const { email, password } = objectOf(body);
  if (typeof email !== 'string') throw invalid('email', 'The e-mail address is missing.');
  if (typeof password !== 'string') throw invalid('password', 'The password is missing.');
  return { email, password };
}
