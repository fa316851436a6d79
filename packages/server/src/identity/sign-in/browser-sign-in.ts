import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../base/errors.ts';
import type { Person } from '../people/index.ts';
import { confirmSignIn, signIn, type SignInDeps } from './sign-in.ts';
import {
  forgetPending,
  forgetSession,
  fromOf,
  giveSession,
  keepPending,
  pendingToken,
  sessionToken,
} from '../sessions/index.ts';

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
    keepPending(reply, outcome.pending);
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
  forgetPending(reply);
  return person;
}

/** Ends the session on the server, and makes the browser forget it (H-18). */
export async function signOut(
  { sessions }: SignInDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  await sessions.end(sessionToken(request));
  forgetSession(reply);
}
