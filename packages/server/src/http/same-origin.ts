import type { FastifyRequest } from 'fastify';
import { AppError } from '../base/errors.ts';

/**
 * Demands proof that a browser sent this request from a page of ours (D-121, H-19): `Sec-Fetch-Site: same-origin`,
 * or an `Origin` equal to ours. Under `no-referrer` a form sends `Origin: null`, which counts only with the former.
 *
 * @throws AppError `cross_site_request`
 */
export function requireSameOrigin(request: FastifyRequest): void {
  if (!isSameOrigin(request)) throw new AppError('cross_site_request');
}

function isSameOrigin(request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site'];
  const { origin } = request.headers;
  const equal = origin === request.server.site.origin;
  if (site === undefined) return equal;
  return site === 'same-origin' && (origin === undefined || origin === 'null' || equal);
}

/**
 * For writes that prove by themselves who makes them, such as signing in with credentials in the body: a browser
 * marks every write that a page caused with one of the two headers, so a request with neither came from no browser.
 *
 * @throws AppError `cross_site_request` where a browser sent it from elsewhere
 */
export function refuseCrossSite(request: FastifyRequest): void {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (origin !== undefined || site !== undefined) requireSameOrigin(request);
}
