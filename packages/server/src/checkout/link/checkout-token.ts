/**
 * The checkout token, which proves that its holder was given the link of an order (D-116, D-119). It is derived from
 * the order's merchant, number and key id each time it is needed. So it never changes, and the database
 * stores none.
 */
import { createHmac } from 'node:crypto';
import { sameBytes, type SecretBox } from '../../base/secret-box.ts';
import { unmaskToken } from './mask-token.ts';

const idBytes = 16;
const macBytes = 32;

/** The order that a token belongs to. */
export interface TokenOf {
  merchant_id: string;
  order_no: string;
  /** The key that the token derives from, as stored with the order. */
  token_key_id: string;
}

/** The token of an order: its merchant's id, and a keyed digest of merchant and number, in base64url (D-116). */
export function checkoutToken(box: SecretBox, order: TokenOf): string {
  return Buffer.concat([idOf(order.merchant_id), macOf(box, order)]).toString('base64url');
}

/** The merchant that a token claims, masked or not, which finds the order's row and proves nothing. Null if the token is malformed. */
export function claimedMerchant(text: string): string | null {
  const token = unmaskToken(text);
  if (!/^[A-Za-z0-9_-]{64}$/.test(token)) return null;
  const hex = Buffer.from(token, 'base64url').subarray(0, idBytes).toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Whether a token, masked or not, is the order's own. Compares in constant time (R-224, D-118). */
export function isTokenOf(box: SecretBox, token: string, order: TokenOf): boolean {
  const bytes = Buffer.from(unmaskToken(token), 'base64url');
  return (
    bytes.length === idBytes + macBytes &&
    sameBytes(bytes, Buffer.concat([idOf(order.merchant_id), macOf(box, order)]))
  );
}

const idOf = (merchant_id: string): Buffer => Buffer.from(merchant_id.replaceAll('-', ''), 'hex');

function macOf(box: SecretBox, { merchant_id, order_no, token_key_id }: TokenOf): Buffer {
  return createHmac('sha256', box.derive('checkout', token_key_id))
    .update('checkout')
    .update(idOf(merchant_id))
    .update(order_no, 'utf8')
    .digest();
}
