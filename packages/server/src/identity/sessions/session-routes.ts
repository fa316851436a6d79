import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError, invalid } from '../../base/errors.ts';
import { isJsonObject, type JsonValue } from '../../base/input/json.ts';
import { clearCookie, readCookie, setCookie } from '../../http/cookies.ts';
import { refuseCrossSite, requireSameOrigin } from '../../http/same-origin.ts';
import { selectOneTime, type Person } from '../people/index.ts';
import { beginUse, type PasskeyDeps, passkeysPossible, usePasskey } from '../factors/index.ts';
import { beginFor, confirmSignIn, type From, signIn, type SignInDeps } from './sign-in.ts';

const sessionCookie = 'paydesk_session';
/** Stands for a right password, until the second factor has followed. */
const pendingCookie = 'paydesk_second_factor';
/** The question that a device with a passkey is asked. */
const passkeyCookie = 'paydesk_passkey';
/** How long browsers keep those two; the server keeps them no longer. */
const shortLife_s = 600;
/**
 * As long as browsers keep a cookie at all: the session itself ends by the server's clock, fourteen days after it
 * was last used.
 */
const cookieLife_s = 400 * 24 * 3_600;

export type SessionRoutesDeps = SignInDeps & PasskeyDeps;

const cookieOf =
  (name: string) =>
  ({ server, headers }: Pick<FastifyRequest, 'server' | 'headers'>): string | null =>
    readCookie(server.site, headers.cookie, name);

/** The session token in a request's `Cookie` header, or null. */
export const sessionToken = cookieOf(sessionCookie);
export const pendingToken = cookieOf(pendingCookie);
export const passkeyToken = cookieOf(passkeyCookie);

/** Gives the browser a session, which takes the place of whatever it had. */
export function giveSession(reply: FastifyReply, token: string): void {
  setCookie(reply, sessionCookie, token, { max_age_s: cookieLife_s });
}

/** Lets the browser keep the question that its device is asked. */
export function keepPasskeyQuestion(reply: FastifyReply, token: string): void {
  setCookie(reply, passkeyCookie, token, { max_age_s: shortLife_s });
}

export const fromOf = (request: FastifyRequest): From => ({
  address: request.client_ip,
  agent: request.headers['user-agent'] ?? '',
  previous: sessionToken(request),
});

/**
 * Signs in with what a request sent and gives the browser its session.
 *
 * @throws AppError as `signIn` does; `second_factor_required` where a code has to follow: the browser then keeps a
 *   cookie that stands for the right password
 */
export async function signInWith(
  deps: SignInDeps,
  credentials: { email: string; password: string },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Person> {
  const outcome = await signIn(deps, { ...credentials, ...fromOf(request) });
  if (!outcome.done) {
    setCookie(reply, pendingCookie, outcome.pending, { max_age_s: shortLife_s });
    throw new AppError('second_factor_required');
  }
  giveSession(reply, outcome.token);
  return outcome.person;
}

/** Sends the code that follows a right password. Throws as `confirmSignIn` does. */
export async function confirmWith(
  deps: SignInDeps,
  code: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Person> {
  const { person, token } = await confirmSignIn(deps, {
    ...fromOf(request),
    pending: pendingToken(request),
    code,
  });
  giveSession(reply, token);
  clearCookie(reply, pendingCookie);
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

const shown = ({ user_id, name }: Person): { user_id: string; name: string } => ({ user_id, name });

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
    return shown(await signInWith(deps, credentials, request, reply));
  });

  app.post('/session/second-factor', async (request, reply) => {
    refuseCrossSite(request);
    const { code } = objectOf(request.body as JsonValue);
    if (typeof code !== 'string') throw invalid('code', 'The code is missing.');
    return shown(await confirmWith(deps, code, request, reply));
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

  if (passkeysPossible(deps.origin)) passkeyRoutes(app, deps);
}

/** Signing in by a passkey: a question, and the device's answer. */
function passkeyRoutes(app: FastifyInstance, deps: SessionRoutesDeps): void {
  app.post('/session/passkey/options', async (request, reply) => {
    requireSameOrigin(request);
    await deps.limits.check('sign_in_address', request.client_ip);
    const pending = pendingToken(request);
    const known =
      pending === null ? null : await selectOneTime(deps.db, pending, 'second_factor', deps.clock.real());
    const { options, token } = await beginUse(deps, known?.user_id ?? null);
    keepPasskeyQuestion(reply, token);
    return options;
  });

  app.post('/session/passkey', async (request, reply) => {
    requireSameOrigin(request);
    const answer = objectOf(request.body as JsonValue) as unknown as AuthenticationResponseJSON;
    await deps.limits.check('sign_in_address', request.client_ip);
    let user_id: string;
    try {
      user_id = await usePasskey(deps, passkeyToken(request), answer);
    } catch (error) {
      await deps.limits.take('sign_in_address', request.client_ip);
      throw error;
    }
    const { person, token } = await beginFor(deps, user_id, fromOf(request));
    giveSession(reply, token);
    clearCookie(reply, passkeyCookie);
    clearCookie(reply, pendingCookie);
    return shown(person);
  });
}

export function objectOf(body: JsonValue): Record<string, JsonValue | undefined> {
  if (!isJsonObject(body)) throw new AppError('invalid_request');
  return body;
}

function readCredentials(body: JsonValue): { email: string; password: string } {
  const { email, password } = objectOf(body);
  if (typeof email !== 'string') throw invalid('email', 'The e-mail address is missing.');
  if (typeof password !== 'string') throw invalid('password', 'The password is missing.');
  return { email, password };
}
