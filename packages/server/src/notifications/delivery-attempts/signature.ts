/** Signs notifications (R-269). */
import { createHmac } from 'node:crypto';

/** The text of `X-Service-Timestamp`: whole Unix seconds, of the moment of signing (R-271). */
export const unixSeconds = (at: Date): string => Math.floor(at.getTime() / 1_000).toString();

/**
 * The value of `X-Service-Signature`: `sha256=` and the lower-case hex HMAC-SHA256 of timestamp, full stop and body
 * bytes, keyed with the UTF-8 bytes of the secret as it was shown or sent (R-269, R-270).
 */
export function sign(timestamp: string, body: string | Buffer, secret: string): string {
  return `sha256=${createHmac('sha256', Buffer.from(secret, 'utf8')).update(`${timestamp}.`).update(body).digest('hex')}`;
}

/** A message in the terms of Standard Webhooks. */
interface StandardMessage {
  id: string;
  timestamp: string;
  body: string | Buffer;
}

/**
 * The value of `webhook-signature` (D-204; Standard Webhooks 1.0): `v1,` and the base64 HMAC-SHA256 of id, timestamp and body
 * bytes with full stops between them.
 */
export function signStandard({ id, timestamp, body }: StandardMessage, secret: string): string {
  const hmac = createHmac('sha256', standardKey(secret));
  return `v1,${hmac.update(`${id}.${timestamp}.`).update(body).digest('base64')}`;
}

/**
 * The key as the libraries of Standard Webhooks read it from a secret: the base64 text after `whsec_`. For every other
 * secret it is the UTF-8 bytes, as for the service's own signature (R-270).
 */
function standardKey(secret: string): Buffer {
  const encoded = secret.startsWith('whsec_') ? secret.slice('whsec_'.length) : '';
  const decoded = Buffer.from(encoded, 'base64');
  // A text that is not base64, so that no library decodes it as a key, is a secret like any other.
  const isEncoded = decoded.length > 0 && decoded.toString('base64') === encoded;
  return isEncoded ? decoded : Buffer.from(secret, 'utf8');
}
