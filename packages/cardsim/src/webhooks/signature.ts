import { createHmac } from 'node:crypto';

/**
 * The value of the `Stripe-Signature` header for a body.
 *
 * @param at_seconds the time of the signature in Unix seconds; receivers reject old signatures
 */
export function signatureHeader(body: string, secret: string, at_seconds: number): string {
  const v1 = createHmac('sha256', secret).update(`${at_seconds}.${body}`).digest('hex');
  return `t=${at_seconds},v1=${v1}`;
}
