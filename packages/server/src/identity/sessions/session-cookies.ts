/**
 * The cookies of signing in: the session, the pending second factor, the pending passkey question, the known device, and the
 * way back after a new password.
 * All are HttpOnly, SameSite=Lax and, over HTTPS, Secure with the `__Host-` prefix (D-121, H-18).
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { clearCookie, readCookie, setCookie } from '../../http/cookies.ts';
import type { Browser } from './sessions.ts';

const sessionCookie = 'paydesk_session';
/** Proves a right password until the second factor follows. */
const pendingCookie = 'paydesk_second_factor';
/** Names the challenge that a device with a passkey must answer. */
const passkeyCookie = 'paydesk_passkey';
/** Proves that this browser has signed in before. It grants no access. */
const deviceCookie = 'paydesk_device';
/** The page that a person who has forgotten the password comes from: the link by mail opens in the same browser, mostly. */
const wayBackCookie = 'paydesk_way_back';
/** How long browsers keep the second factor and the challenge; the server keeps its side no longer. */
const shortLife_s = 600;
/** As long as a link works that resets a password. */
const wayBackLife_s = 1_800;
/**
 * The longest time that browsers allow. The session ends earlier, by the server's clock: 14 days after its last use.
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

/** Stores a session in the browser; it replaces an older one. */
export function setSession(reply: FastifyReply, token: string): void {
  setCookie(reply, sessionCookie, token, { max_age_s: cookieLife_s });
}

export function setDevice(reply: FastifyReply, value: string): void {
  setCookie(reply, deviceCookie, value, { max_age_s: cookieLife_s });
}

export function clearSession(reply: FastifyReply): void {
  clearCookie(reply, sessionCookie);
}

export function setPending(reply: FastifyReply, token: string): void {
  setCookie(reply, pendingCookie, token, { max_age_s: shortLife_s });
}

export function clearPending(reply: FastifyReply): void {
  clearCookie(reply, pendingCookie);
}

export function setPasskeyQuestion(reply: FastifyReply, token: string): void {
  setCookie(reply, passkeyCookie, token, { max_age_s: shortLife_s });
}

export function clearPasskeyQuestion(reply: FastifyReply): void {
  clearCookie(reply, passkeyCookie);
}

/** @param path of Paydesk, already checked */
export function setWayBack(reply: FastifyReply, path: string): void {
  const value = Buffer.from(path, 'utf8').toString('base64url');
  setCookie(reply, wayBackCookie, value, { max_age_s: wayBackLife_s });
}

/** The path that was kept, to be checked again; null without one. */
export function wayBackOf(request: FastifyRequest): string | null {
  const value = cookieOf(wayBackCookie)(request);
  return value === null ? null : Buffer.from(value, 'base64url').toString('utf8');
}

export function clearWayBack(reply: FastifyReply): void {
  clearCookie(reply, wayBackCookie);
}

/** The browser that sent a request. */
export const browserOf = (request: FastifyRequest): Browser => ({
  address: request.client_ip,
  agent: request.headers['user-agent'] ?? '',
  previous: sessionToken(request),
  device: cookieOf(deviceCookie)(request),
});
