/** The rules for the email address of an account. */
import { domainToASCII, domainToUnicode } from 'node:url';
import { invalid } from '../../base/errors.ts';

/** The key by which addresses are compared: case and spelling variants share one account. */
export const emailKey = (email: string): string => email.trim().normalize('NFKC').toLowerCase();

/**
 * Trims an email address. Throws `invalid_request` where the text is not one, or another spelling of one: mail would
 * reach the same person, who would be another account (D-672).
 */
export function checkEmail(text: string): string {
  const email = text.trim();
  if (Buffer.byteLength(email) > 254 || !isPlainAddress(email)) {
    throw invalid('email', 'email must be an address such as name@example.com, of at most 254 bytes.');
  }
  return email;
}

/** Neither the mail library nor a mail server reads anything else in it: brackets, comments, invisible characters. */
function isPlainAddress(email: string): boolean {
  if (!/^[^\s@<>"(),:;\\[\]\p{Cc}\p{Cf}]+@[^\s@<>"(),:;\\[\]\p{Cc}\p{Cf}]+$/u.test(email)) return false;
  const host = emailKey(email.slice(email.indexOf('@') + 1));
  const canonical = domainToASCII(host);
  return (
    canonical !== '' && !host.endsWith('.') && (host === canonical || host === domainToUnicode(canonical))
  );
}
