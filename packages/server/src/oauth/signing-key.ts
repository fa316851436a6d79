import { createECDH } from 'node:crypto';
import type { JWK } from 'oidc-provider';
import type { SecretBox } from '../base/secret-box.ts';

/** The number of points of the curve P-256: private keys are the whole numbers from 1 to one less. */
const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** The key that signs what the authorization server issues as JWT, made from the secret key: nothing to store. */
export function signingKey(box: SecretBox): JWK {
  const seed = BigInt(`0x${box.derive('oauth-signing', box.key_id).toString('hex')}`);
  const d = ((seed % (order - 1n)) + 1n).toString(16).padStart(64, '0');
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(d, 'hex');
  const point = ecdh.getPublicKey();
  return {
    kty: 'EC',
    crv: 'P-256',
    alg: 'ES256',
    use: 'sig',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
    d: Buffer.from(d, 'hex').toString('base64url'),
  };
}
