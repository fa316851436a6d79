/** Notices a proxy that changes the path of requests, so that it does not fit the public address. */
import type { FastifyRequest } from 'fastify';

/** An address of Paydesk begins like this. */
const own = String.raw`\/(?:healthz|readyz|openapi|oauth|admin|console|checkout|webhooks|session|\.well-known)(?:\/|\?|$)`;
const isOurs = new RegExp(`^${own}`);
const addedBefore = new RegExp(String.raw`^((?:\/[\w.-]+)+?)(?=${own})`);

/**
 * Says in one line of the log which side is wrong. A proxy that has passed one path on as it should does so with all: what
 * comes later is a stranger's guess (D-944).
 *
 * @param base_path the path of the public address: '' or '/pay'
 * @returns to be called with each request, and whether its address is unknown
 */
export function createPrefixWatch(base_path: string): (request: FastifyRequest, isUnknown: boolean) => void {
  let isOver = false;
  return (request, isUnknown) => {
    if (isOver) return;
    if (!isUnknown) {
      // Without a proxy this runs with every request, so the sender is not looked at.
      isOver = request.headers['x-forwarded-for'] !== undefined && request.is_proxied;
      return;
    }
    const hint = hintFor(request.originalUrl, base_path, request.is_proxied);
    if (hint === null) return;
    isOver = true;
    // Without the path: the address of a webhook has a secret in it (D-1421).
    request.server.log.warn(hint);
  };
}

/** @param isProxied whether a trusted proxy passed the request on: any stranger can ask for any address */
export function hintFor(url: string, base_path: string, isProxied: boolean): string | null {
  if (base_path !== '' && isOurs.test(url)) {
    return `a request arrived without the path ${base_path} of PAYDESK_PUBLIC_URL: let the proxy pass the path on unchanged`;
  }
  const rest = url.startsWith(`${base_path}/`) ? url.slice(base_path.length) : url;
  const [, added] = addedBefore.exec(rest) ?? [];
  if (added === undefined || isOurs.test(`${added}/`) || !isProxied) return null;
  return `a request arrived with the path ${added} before an address of the service: add it to PAYDESK_PUBLIC_URL, or let the proxy remove it`;
}
