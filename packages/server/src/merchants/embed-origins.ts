/** The origins of a merchant's pages that may show the checkout in a frame. */
import { invalid } from '../base/errors.ts';

const maxEmbedOrigins = 20;

/** Labels of letters, digits and hyphens: what a `frame-ancestors` policy can name, and no wildcard. */
const host = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/;

/**
 * The origin in the form in which browsers compare it: lower case, international names in their ASCII form, without the
 * default port. Null for anything but `https://host[:port]` (D-265).
 */
export function embedOrigin(text: string): string | null {
  // Nothing may follow the host: no slash, path, query, fragment or credentials. `URL` would drop what is empty.
  if (!/^https:\/\/[^\s/?#@\\]+$/i.test(text) || !URL.canParse(text)) return null;
  const { hostname, port, origin } = new URL(text);
  return host.test(hostname) && port !== '0' && !text.endsWith(':') ? origin : null;
}

/**
 * The origins, normalised, each once, in the order given.
 *
 * @throws AppError `invalid_request` on `embed_origins`
 */
export function checkEmbedOrigins(texts: readonly string[]): string[] {
  const origins = texts.map((text) => {
    const origin = embedOrigin(text);
    if (origin !== null) return origin;
    throw invalid(
      'embed_origins',
      `Each origin must be https://host or https://host:port, without a path, a slash at the end or a wildcard. This is not such an origin: ${text.slice(0, 100)}`,
    );
  });
  const distinct = [...new Set(origins)];
  if (distinct.length > maxEmbedOrigins) {
    throw invalid('embed_origins', `A merchant has at most ${maxEmbedOrigins} origins.`);
  }
  return distinct;
}
