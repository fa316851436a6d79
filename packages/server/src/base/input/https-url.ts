/** HTTPS addresses that merchants send. Only addresses that every parser reads in the same way are accepted. */

/** Maximum length of a stored address in UTF-8 bytes. */
const maxUrlBytes = 2_048;

/** Characters that the URL parser silently drops, repairs or encodes: backslash, white space, controls. */
const silentlyRepaired = /[\\\s\p{White_Space}\p{Cc}]/u;

/** Scheme, both slashes and an authority, as written. The parser also accepts `https:/h` and `https:///h`. */
const absoluteHttps = /^https:\/\/([^/?#]+)/i;

/**
 * Reads an absolute HTTPS address that the parser does not have to repair: at most 2048 bytes, no
 * credentials, not even an empty `@`, no backslash, no white space or control character (R-078,
 * R-249), a port from 1 to 65535 (D-134). Address literals and international names are accepted here (R-080, D-124).
 *
 * @param text as sent; not trimmed here
 * @returns null if the text is not such an address
 */
export function parseHttpsUrl(text: string): URL | null {
  if (!text.isWellFormed() || Buffer.byteLength(text, 'utf8') > maxUrlBytes) return null;
  if (silentlyRepaired.test(text)) return null;
  const authority = absoluteHttps.exec(text)?.[1];
  if (authority === undefined || authority.includes('@')) return null;
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  return url.hostname === '' || url.port === '0' ? null : url;
}

/** Host and port of an HTTPS address in one spelling, the key of limits and connection pools. */
export function destinationOf(url: URL): string {
  return `${url.hostname.replace(/\.$/, '')}:${url.port === '' ? '443' : url.port}`;
}
