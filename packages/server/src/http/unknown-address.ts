/**
 * Answers requests for unknown addresses: with an error, or for a person with a page or a redirect to the right address
 * (D-284).
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../base/errors.ts';

/** Answers with the page for an address that is not there. */
export type UnknownPage = (request: FastifyRequest, reply: FastifyReply) => void;

/**
 * The error of an unknown address, which is checked first (D-011): 404 if it has no route (H-01), 405 with `Allow` if
 * it has a route for another method (H-02). A call to refund, cancel or withdraw ends here, too. The router
 * adds HEAD to each GET (H-03); no route has OPTIONS (H-04). Addresses with empty parts or a slash at the end are
 * unknown (H-05), and so are unusual parameters (H-06).
 */
export function refusalOf(request: FastifyRequest, reply: FastifyReply): AppError | undefined {
  const url = pathOf(request);
  // The router accepts empty parameters, and the database cannot store NUL.
  if (url.includes('%00') || url.includes('//') || (url.endsWith('/') && url !== '/')) {
    return new AppError('not_found');
  }
  if (!request.is404) return isSpelledOut(url, request) ? undefined : new AppError('not_found');
  const { server } = request;
  // The declared type omits null.
  const find = (method: string): object | null => server.findRoute({ method, url });
  const allowed = server.supportedMethods.filter((method) => find(method) !== null);
  if (allowed.length === 0) return new AppError('not_found');
  reply.header('allow', allowed.join(', '));
  return new AppError('method_not_allowed');
}

/** Redirects a person to the right address, or shows that there is no page here. */
export function leadBack(
  app: FastifyInstance,
  page: UnknownPage,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  // A console is one route for all of its addresses.
  const isOneOfMany = request.routeOptions.url?.endsWith('/*') === true;
  const exists = (url: string): boolean =>
    isOneOfMany || (app.findRoute({ method: 'GET', url }) as object | null) !== null;
  const right = rightPath(pathOf(request), exists);
  if (right === null) {
    page(request, reply);
    return;
  }
  const query = /\?.*$/s.exec(request.raw.url ?? '')?.[0] ?? '';
  void reply.redirect(app.site.base_path + right + query, 302);
}

/**
 * Whether the path contains the fixed parts of the route unchanged. The router decodes them, so that `/%61dmin` would
 * reach `/admin` past a proxy that guards `/admin`. Parameters may be encoded.
 */
function isSpelledOut(path: string, { routeOptions }: FastifyRequest): boolean {
  const parts = path.split('/');
  for (const [i, fixed] of (routeOptions.url ?? '').split('/').entries()) {
    if (fixed === '*') return true;
    if (!fixed.includes(':') && fixed !== parts[i]) return false;
  }
  return true;
}

export const pathOf = (request: FastifyRequest): string => (request.raw.url ?? '/').split('?', 1)[0] ?? '/';

/** Addresses that programs call. They answer in JSON whatever the caller accepts (H-12). */
const forPrograms =
  /^\/(openapi|oauth|session|webhooks|branding|\.well-known|healthz|readyz|metrics)(\/|$)|^\/(admin|console)\/v1(\/|$)|^\/console\/assets(\/|$)|^\/checkout\/api(\/|$)|\.(json|js|css|csv|xml|txt|ico|png|map)$/;

/**
 * Whether a request for this path is a person's, by a browser.
 *
 * @param path below the prefix of the public address, without the query
 */
export const isForPeople = (
  { method, headers }: Pick<FastifyRequest, 'method' | 'headers'>,
  path: string,
): boolean =>
  (method === 'GET' || method === 'HEAD') && prefersHtml(headers.accept) && !forPrograms.test(path);

/** Whether HTML is named, and preferred at least as much as JSON. A `*` does not count. */
export function prefersHtml(accept = ''): boolean {
  const wanted = new Map(
    accept.split(',').map((range): [string, number] => {
      const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
      const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
      return [type, /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(quality) ? Number(quality) : 0];
    }),
  );
  const html = wanted.get('text/html') ?? 0;
  return html > 0 && html >= (wanted.get('application/json') ?? 0);
}

/** What people type for the platform's console, which has another name. */
const moved: Readonly<Record<string, string>> = { '/admin': '/platform' };

/**
 * The page that a mistyped path means; null if there is none. An extra slash at its end is removed (D-980).
 *
 * @param exists whether a page has this path
 */
export function rightPath(path: string, exists: (path: string) => boolean): string | null {
  // Two slashes would name another host in a redirect.
  if (path.includes('//') || path.includes('\\') || path === '/') return null;
  const trimmed = path.replace(/\/$/, '');
  const target = moved[trimmed] ?? trimmed;
  return target !== path && exists(target) ? target : null;
}
