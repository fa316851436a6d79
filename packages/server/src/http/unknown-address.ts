/** What a person gets who opens an address that is not there: a page, or the way to where it belongs (D-284). */
import type { FastifyRequest } from 'fastify';

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

/** Whether HTML is named, and no less wanted than JSON. A `*` is no preference. */
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
 * Where a mistyped path leads; null if nowhere. One slash too many at its end is left out.
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
