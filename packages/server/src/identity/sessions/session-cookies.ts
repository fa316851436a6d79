import type { FastifyReply, FastifyRequest } from 'fastify';
import { clearCookie, readCookie, setCookie } from '../../http/cookies.ts';
import type { From } from './sessions.ts';

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

export function forgetSession(reply: FastifyReply): void {
  clearCookie(reply, sessionCookie);
}

/** Lets the browser keep the token that stands for a right password. */
export function keepPending(reply: FastifyReply, token: string): void {
  setCookie(reply, pendingCookie, token, { max_age_s: shortLife_s });
}

export function forgetPending(reply: FastifyReply): void {
  clearCookie(reply, pendingCookie);
}

/** Lets the browser keep the question that its device is asked. */
export function keepPasskeyQuestion(reply: FastifyReply, token: string): void {
  setCookie(reply, passkeyCookie, token, { max_age_s: shortLife_s });
}

export function forgetPasskeyQuestion(reply: FastifyReply): void {
  clearCookie(reply, passkeyCookie);
}

export const fromOf = (request: FastifyRequest): From => ({
  address: request.client_ip,
  agent: request.headers['user-agent'] ?? '',
  previous: sessionToken(request),
});
