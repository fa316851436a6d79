/** Reads and sets our cookies with the names and attributes of H-18. */
import type { FastifyReply } from 'fastify';
import { InvariantError } from '../base/errors.ts';
import type { Site } from './public-url.ts';

export interface CookieOptions {
  /** Default `/`. Include the path prefix of the public address. */
  path?: string;
  /** Lifetime in seconds. Without it, the cookie lasts until the browser closes. */
  max_age_s?: number;
}

/**
 * The cookie's name in the browser (H-18). A cookie for the whole host gets `__Host-`, so that no other host can set
 * it; a cookie for a path gets `__Secure-`. On HTTP loopback there is no prefix, because browsers refuse both there.
 */
export function cookieName(site: Site, name: string, path = '/'): string {
  if (!site.secure) return name;
  return path === '/' ? `__Host-${name}` : `__Secure-${name}`;
}

/**
 * Sets a cookie: HttpOnly, SameSite=Lax, Secure on HTTPS (D-121, H-18).
 *
 * @param value text that needs no quoting, such as a token in base64url
 */
export function setCookie(
  reply: FastifyReply,
  name: string,
  value: string,
  options: CookieOptions = {},
): void {
  const { path = '/', max_age_s } = options;
  const { site } = reply.server;
  if (!/^[\w.~-]*$/.test(value)) throw new InvariantError('the value of a cookie needs quoting');
  const parts = [`${cookieName(site, name, path)}=${value}`, `Path=${path}`, 'HttpOnly', 'SameSite=Lax'];
  if (site.secure) parts.push('Secure');
  if (max_age_s !== undefined) parts.push(`Max-Age=${max_age_s}`);
  reply.header('set-cookie', parts.join('; '));
}

/** Deletes a cookie in the browser. */
export function clearCookie(reply: FastifyReply, name: string): void {
  setCookie(reply, name, '', { max_age_s: 0 });
}

/** The value of one of our cookies in a `Cookie` header, or null. */
export function readCookie(site: Site, header: string | undefined, name: string, path = '/'): string | null {
  const wanted = `${cookieName(site, name, path)}=`;
  const pairs = (header ?? '').split(';').map((pair) => pair.trim());
  const found = pairs.find((pair) => pair.startsWith(wanted));
  return found?.slice(wanted.length) ?? null;
}
