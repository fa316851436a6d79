/** Signs a browser in and out: what sign-in.ts does, with the cookies that belong to it. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../base/errors.ts';
import type { Person } from '../people/index.ts';
import { rememberDevice } from './known-devices.ts';
import { accountKey } from './limits.ts';
import {
  browserOf,
  clearPending,
  clearSession,
  pendingToken,
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
  beginInBrowser(deps, outcome, request, reply);
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
  beginInBrowser(deps, session, request, reply);
  clearPending(reply);
  return session.person;
}

/** Gives the browser its new session, and the proof that this device has signed in to the account. */
export function beginInBrowser(
  deps: SignInDeps,
  { person, token }: NewSession,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  setSession(reply, token);
  const device = rememberDevice(deps, browserOf(request).device, accountKey(person.email));
  if (device !== null) setDevice(reply, device);
}

/** Ends the session on the server and deletes its cookie (H-18). */
export async function signOutBrowser(
  { sessions }: SignInDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  await sessions.end(sessionToken(request));
  clearSession(reply);
}
