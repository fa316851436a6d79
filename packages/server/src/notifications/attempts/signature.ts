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
