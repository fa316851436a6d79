import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError, invalid } from '../base/errors.ts';
import { isJsonObject, type JsonValue } from '../base/json.ts';
import { clearCookie, readCookie, setCookie } from '../http/cookies.ts';
import { refuseCrossSite, requireSameOrigin } from '../http/same-origin.ts';
import type { Person } from './person.ts';
import { signIn, type SignInDeps } from './sign-in.ts';

const sessionCookie = 'paydesk_session';
/**
 * As long as browsers keep a cookie at all: the session itself ends by the server's clock, fourteen days after it
 * was last used.
 */
const cookieLife_s = 400 * 24 * 3_600;

/** The session token in a request's `Cookie` header, or null. */
export const sessionToken = ({
  server,
  headers,
}: Pick<FastifyRequest, 'server' | 'headers'>): string | null =>
  readCookie(server.site, headers.cookie, sessionCookie);

/** Signs in with what a request sent and gives the browser its session. Throws as `signIn` does. */
export async function signInWith(
  deps: SignInDeps,
  credentials: { email: string; password: string },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Person> {
  const from = { address: request.client_ip, previous: sessionToken(request) };
  const { person, token } = await signIn(deps, { ...credentials, ...from });
  setCookie(reply, sessionCookie, token, { max_age_s: cookieLife_s });
  return person;
}

/** Ends the session on the server, and makes the browser forget it (H-18). */
export async function signOut(
  { sessions }: SignInDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  await sessions.end(sessionToken(request));
  clearCookie(reply, sessionCookie);
}

/**
 * `/session`: signing in and out for scripts.
 *
 * Signing in asks for no proof of origin from callers that are no browser: the credentials are in the request.
 * Signing out acts on the cookie alone, so it demands the proof (D-121).
 */
export function sessionRoutes(app: FastifyInstance, deps: SignInDeps): void {
  app.post('/session', async (request, reply) => {
    refuseCrossSite(request);
    const credentials = readCredentials(request.body as JsonValue);
    const { user_id, name } = await signInWith(deps, credentials, request, reply);
    return { user_id, name };
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
  if (!isJsonObject(body)) throw new AppError('invalid_request');
  const { email, password } = body;
  if (typeof email !== 'string') throw invalid('email', 'The e-mail address is missing.');
  if (typeof password !== 'string') throw invalid('password', 'The password is missing.');
  return { email, password };
}
