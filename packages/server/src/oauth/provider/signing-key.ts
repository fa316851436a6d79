/** The key that signs ID tokens. It is derived from the secret key, so nothing is stored. */
import { createECDH, createHash } from 'node:crypto';
import type { JWK } from 'oidc-provider';
import type { SecretBox } from '../../base/secret-box.ts';

/** The order of the curve P-256: a private key is a number from 1 to order - 1. */
const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** The private key, for `oidc-provider`. */
export function signingKey(box: SecretBox): JWK {
  const seed = BigInt(`0x${box.derive('oauth-signing', box.key_id).toString('hex')}`);
  const d = ((seed % (order - 1n)) + 1n).toString(16).padStart(64, '0');
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(d, 'hex');
  const point = ecdh.getPublicKey();
  const x = point.subarray(1, 33).toString('base64url');
  const y = point.subarray(33).toString('base64url');
  return { ...withKeyId({ kty: 'EC', crv: 'P-256', x, y }), d: Buffer.from(d, 'hex').toString('base64url') };
}

/** The public part of the key: the document at `jwks_uri`. */
export function publicKeys(box: SecretBox): { keys: Record<string, unknown>[] } {
  const { d: _d, ...key } = signingKey(box);
  return { keys: [key] };
}

/** Adds the key id: the thumbprint of RFC 7638. */
function withKeyId({ kty, crv, x, y }: { kty: 'EC'; crv: string; x: string; y: string }) {
  // RFC 7638 requires the members in alphabetical order.
  const kid = createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url');
  return { kty, crv, x, y, kid, alg: 'ES256', use: 'sig' };
}
