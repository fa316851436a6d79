/** Authentication: which account a secret key belongs to. */
import { createHash } from 'node:crypto';
import { StripeError } from './stripe-error.ts';

export type Account = { id: string; livemode: boolean };

/**
 * The account of a secret key. Each key is an account of its own. Its id is a hash, so that no key is stored
 * or shown.
 */
export function accountOf(secret_key: string): Account {
  const hash = createHash('sha256').update(secret_key).digest('hex');
  return { id: `acct_${hash.slice(0, 24)}`, livemode: !/^[sr]k_test_/.test(secret_key) };
}

/** Whether the text has the form of a secret key: `sk_…`, or a restricted key `rk_…`. */
export function isSecretKey(text: string): boolean {
  return /^[sr]k_[\w-]+$/.test(text);
}

/**
 * Returns the account of `Authorization: Bearer sk_…`, or of Basic with the key as the user name.
 *
 * @throws StripeError 401 if there is no key, or if it is not a secret key
 */
export function authenticate(authorization: string | undefined): Account {
  const secret_key = keyFrom(authorization ?? '');
  if (secret_key === '') {
    throw unauthorized(
      'You did not provide an API key. Send it as a bearer token in the Authorization header.',
    );
  }
  if (!isSecretKey(secret_key)) {
    throw unauthorized(`Invalid API Key provided: ${secret_key.slice(0, 3)}***`);
  }
  return accountOf(secret_key);
}

function keyFrom(authorization: string): string {
  const [scheme = '', value = ''] = authorization.trim().split(/\s+/, 2);
  if (/^bearer$/i.test(scheme)) return value;
  if (!/^basic$/i.test(scheme)) return '';
  const [user = ''] = Buffer.from(value, 'base64').toString('utf8').split(':', 1);
  return user;
}

function unauthorized(message: string): StripeError {
  return new StripeError(401, { type: 'invalid_request_error', message });
}
