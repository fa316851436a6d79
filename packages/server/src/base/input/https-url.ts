/** The longest address that is stored, in UTF-8 bytes. */
export const maxUrlBytes = 2_048;

/** What the URL parser would drop, repair or encode without a word: raw backslash, white space, controls. */
const silentlyRepaired = /[\\\s\p{White_Space}\p{Cc}]/u;

/** Scheme, both slashes and an authority, as written; the parser also takes `https:/h` and `https:///h`. */
const absoluteHttps = /^https:\/\/([^/?#]+)/i;

/**
 * Reads an absolute HTTPS address whose raw text means what the parser makes of it: at most 2048 bytes, no
 * credentials (not even an empty `@`), no backslash, white space or control character, a port from 1 to 65535.
 *
 * @param text as sent; not trimmed here
 * @returns null where it is none
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

/**
 * Checks a `return_url`: private hosts, address literals, international names and fragments are fine, since only
 * the buyer's browser goes there (D-124).
 *
 * @param text already trimmed, not empty
 * @returns the text itself, to be stored unchanged, or null where it is not acceptable
 */
export function parseReturnUrl(text: string): string | null {
  return parseHttpsUrl(text) === null ? null : text;
}
