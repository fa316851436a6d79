/** Signs a browser in and out: what sign-in.ts does, with the cookies that belong to it. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { recordAct } from '../../base/audit/index.ts';
import { AppError } from '../../base/errors.ts';
import { type Person, recordOwnAct } from '../people/index.ts';
import { rememberDevice } from './known-devices.ts';
import {
  browserOf,
  clearPending,
  clearSession,
  deviceOf,
  deviceWords,
  pendingToken,
  sessionIdOf,
  sessionToken,
  setDevice,
  setPending,
  setSession,
} from '../sessions/index.ts';
import { confirmSignIn, type Credentials, type NewSession, signIn, type SignInDeps } from './sign-in.ts';

/**
 * Signs in by password and gives the browser its session.
 *
 * @throws AppError as `signIn` does; `second_factor_required` where a code must follow: the browser then has a cookie
 *   that proves the right password
 */
export async function signInBrowser(
  deps: SignInDeps,
  credentials: Credentials,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Person> {
  const outcome = await signIn(deps, credentials, browserOf(request));
  if (!outcome.done) {
    setPending(reply, outcome.pending);
    throw new AppError('second_factor_required');
  }
  await beginInBrowser(deps, { ...outcome, method: 'password' }, request, reply);
  return outcome.person;
}

/** Checks the code that follows a right password, and gives the browser its session. Throws as `confirmSignIn` does. */
export async function confirmBrowser(
  deps: SignInDeps,
  code: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Person> {
  const session = await confirmSignIn(deps, { pending: pendingToken(request), code }, browserOf(request));
  await beginInBrowser(deps, { ...session, method: 'password and code' }, request, reply);
  clearPending(reply);
  return session.person;
}

/** `sign-up`: the account was made just now, so no device of it is known yet. */
type SignInMethod = 'password' | 'password and code' | 'passkey' | 'sign-up';

/** Gives the browser its new session, and the proof that this device has signed in to the account. */
export async function beginInBrowser(
  deps: SignInDeps,
  { person, token, method }: NewSession & { method: SignInMethod },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const browser = browserOf(request);
  const device = await rememberDevice(deps, browser.device, person);
  const actor = `user:${person.user_id}`;
  await recordAct(deps.db, deps, {
    ...{ actor, action: 'session.sign-in', target: actor, session_id: sessionIdOf(token) },
    after: {
      method,
      device: deviceWords(deviceOf(browser.agent)),
      new_device: device !== null && method !== 'sign-up',
    },
  });
  setSession(reply, token);
  if (device !== null) setDevice(reply, device);
}

/** Ends the session on the server and deletes its cookie (H-18). */
export async function signOutBrowser(
  deps: SignInDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const user = await deps.sessions.userOf(sessionToken(request));
  if (user !== null) await recordOwnAct(deps.db, deps, user.user_id, 'session.sign-out');
  await deps.sessions.end(sessionToken(request));
  clearSession(reply);
}
