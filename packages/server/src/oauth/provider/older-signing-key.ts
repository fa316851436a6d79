/** The key that signed ID tokens before keys were stored. It derived from the secret key. */
import { createECDH } from 'node:crypto';
import type { SecretBox } from '../../base/secret-box.ts';
import { type PublicJwk, withKeyId } from './new-signing-key.ts';

/** The order of the curve P-256: a private key is a number from 1 to order - 1. */
const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** The public keys of secret keys that the service had before. Tokens that they signed stay verifiable for some days. */
export const olderPublicKeys = (box: SecretBox): PublicJwk[] =>
  box.olderIds('oauth-signing').map((key_id) => publicKeyFrom(box.derive('oauth-signing', key_id)));

function publicKeyFrom(derived: Buffer): PublicJwk {
  const seed = BigInt(`0x${derived.toString('hex')}`);
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(((seed % (order - 1n)) + 1n).toString(16).padStart(64, '0'), 'hex');
  const point = ecdh.getPublicKey();
  const x = point.subarray(1, 33).toString('base64url');
  const y = point.subarray(33).toString('base64url');
  return withKeyId(x, y);
}
