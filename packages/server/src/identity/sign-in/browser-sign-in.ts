/** Signs a browser in and out: what sign-in.ts does, with the cookies that belong to it. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../base/errors.ts';
import type { Person } from '../people/index.ts';
import {
  browserOf,
  clearPending,
  clearSession,
  pendingToken,
  sessionToken,
  setPending,
  setSession,
} from '../sessions/index.ts';
import { confirmSignIn, type Credentials, signIn, type SignInDeps } from './sign-in.ts';

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
  setSession(reply, outcome.token);
  return outcome.person;
}

/** Checks the code that follows a right password, and gives the browser its session. Throws as `confirmSignIn` does. */
export async function confirmBrowser(
  deps: SignInDeps,
  code: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Person> {
  const { person, token } = await confirmSignIn(
    deps,
    { pending: pendingToken(request), code },
    browserOf(request),
  );
  setSession(reply, token);
  clearPending(reply);
  return person;
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
