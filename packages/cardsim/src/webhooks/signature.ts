import { createHmac } from 'node:crypto';

/**
 * The value of `Stripe-Signature` for a body as it goes over the wire.
 *
 * @param at_seconds when it is signed, in Unix seconds: receivers refuse what is older than their tolerance
 */
export function signatureHeader(body: string, secret: string, at_seconds: number): string {
  const v1 = createHmac('sha256', secret).update(`${at_seconds}.${body}`).digest('hex');
  return `t=${at_seconds},v1=${v1}`;
}
