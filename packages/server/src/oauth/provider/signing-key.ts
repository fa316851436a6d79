import { createECDH, createHash } from 'node:crypto';
import type { JWK } from 'oidc-provider';
import type { SecretBox } from '../../base/secret-box.ts';

/** The number of points of the curve P-256: private keys are the whole numbers from 1 to one less. */
const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** The key that signs what the authorization server issues as JWT, made from the secret key: nothing to store. */
export function signingKey(box: SecretBox): JWK {
  const seed = BigInt(`0x${box.derive('oauth-signing', box.key_id).toString('hex')}`);
  const d = ((seed % (order - 1n)) + 1n).toString(16).padStart(64, '0');
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(d, 'hex');
  const point = ecdh.getPublicKey();
  const x = point.subarray(1, 33).toString('base64url');
  const y = point.subarray(33).toString('base64url');
  return { ...named({ kty: 'EC', crv: 'P-256', x, y }), d: Buffer.from(d, 'hex').toString('base64url') };
}

/** What everybody may know of the key: the document at `jwks_uri`. */
export function publicKeys(box: SecretBox): { keys: Record<string, unknown>[] } {
  const { d: _d, ...key } = signingKey(box);
  return { keys: [key] };
}

/** A key with its thumbprint (RFC 7638) as its name. */
function named({ kty, crv, x, y }: { kty: 'EC'; crv: string; x: string; y: string }) {
  // The members of a thumbprint are in the order of their names.
  const kid = createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url');
  return { kty, crv, x, y, kid, alg: 'ES256', use: 'sig' };
}
