/** Bounds what an authorization request may contain, because it is stored and sent around with the browser. */
import { AppError } from '../../base/errors.ts';

/** Maximum size of a parameter, in bytes. A redirect URI may have 2,048, as at its client. */
const longestParameter = 1_024;
const longestRedirectUri = 2_048;
/** Maximum size of the encoded query. It passes through the sign-in page, encoded a second time. */
const longestQuery = 6_144;

/** Throws `invalid_authorization_request` where a parameter, such as `state`, or the query is too long. */
export function refuseLongRequest(url: string): void {
  const query = url.slice(url.indexOf('?') + 1);
  const isLong =
    query.length > longestQuery ||
    [...new URLSearchParams(query)].some(
      ([name, value]) =>
        Buffer.byteLength(value) > (name === 'redirect_uri' ? longestRedirectUri : longestParameter),
    );
  if (isLong) throw new AppError('invalid_authorization_request');
}
