import { parseHttpsUrl } from './https-url.ts';

/**
 * Checks a `return_url`: an absolute HTTPS address of at most 2048 bytes, without credentials,
 * backslash, white space or control character. Private hosts, IP addresses, international names and fragments are allowed, because
 * only the buyer's browser opens it (R-080, D-124).
 *
 * @param text already trimmed, not empty
 * @returns the text itself, to be stored unchanged, without additions, or null if it is not accepted
 */
export function parseReturnUrl(text: string): string | null {
  return parseHttpsUrl(text) === null ? null : text;
}
