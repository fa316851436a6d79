/**
 * `/session`: signing in and out for scripts. A write that relies on a cookie alone must come from our own origin;
 * signing in, which sends the credentials, may also come from a program that is not a browser (D-121, H-19).
 */
import type { FastifyInstance } from 'fastify';
import { AppError, invalid } from '../../base/errors.ts';
import type { JsonValue } from '../../base/input/json.ts';
import { refuseCrossSite, requireSameOrigin } from '../../http/same-origin.ts';
import type { PasskeyDeps } from '../factors/index.ts';
import type { Credentials, SignInDeps } from './sign-in.ts';
import { confirmBrowser, signInBrowser, signOutBrowser } from './browser-sign-in.ts';
import { sessionToken } from '../sessions/index.ts';
import { objectOf, personJson } from './session-json.ts';

export type SessionRoutesDeps = SignInDeps & PasskeyDeps;

export function sessionRoutes(app: FastifyInstance, deps: SessionRoutesDeps): void {
  app.post('/session', async (request, reply) => {
    refuseCrossSite(request);
    const credentials = readCredentials(request.body as JsonValue);
    return personJson(await signInBrowser(deps, credentials, request, reply));
  });

  app.post('/session/second-factor', async (request, reply) => {
    refuseCrossSite(request);
    const { code } = objectOf(request.body as JsonValue);
    if (typeof code !== 'string') throw invalid('code', 'The code is missing.');
    return personJson(await confirmBrowser(deps, code, request, reply));
  });

  app.get('/session', async (request) => {
    const user = await deps.sessions.userOf(sessionToken(request));
    if (user === null) throw new AppError('authentication_required');
    const { user_id, name, email, role } = user;
    return { user_id, name, email, role };
  });

  app.delete('/session', async (request, reply) => {
    requireSameOrigin(request);
    await signOutBrowser(deps, request, reply);
    return {};
  });
}

function readCredentials(body: JsonValue): Credentials {
  const { email, password } = objectOf(body);
  if (typeof email !== 'string') throw invalid('email', 'The email address is missing.');
  if (typeof password !== 'string') throw invalid('password', 'The password is missing.');
  return { email, password };
}
