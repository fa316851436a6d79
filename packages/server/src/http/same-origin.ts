/** Protects writes against cross-site requests (D-121, H-19). */
import type { FastifyRequest } from 'fastify';
import { AppError } from '../base/errors.ts';

/**
 * Requires proof that a browser sent this request from one of our pages: `Sec-Fetch-Site: same-origin`, or an `Origin`
 * equal to ours. Under `no-referrer` a form sends `Origin: null`, which is accepted only with the first header.
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
 * For writes that authenticate by themselves, such as a sign-in with credentials in the body. Browsers send one of the
 * two headers with every write of a page, so a request with neither header does not come from a browser.
 *
 * @throws AppError `cross_site_request` if a browser sent it from another site
 */
export function refuseCrossSite(request: FastifyRequest): void {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (origin !== undefined || site !== undefined) requireSameOrigin(request);
}

/** Whether a browser shows the answer as a page. A program that follows redirects by itself sends no such header. */
export const isPageOfBrowser = ({ headers }: FastifyRequest): boolean =>
  headers['sec-fetch-dest'] === 'document';
