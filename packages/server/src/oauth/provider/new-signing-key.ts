/** Makes the keys that sign ID tokens: ES256, named by their thumbprints. */
import { createHash, generateKeyPairSync } from 'node:crypto';

/** A public key as it is published at `jwks_uri`. */
export interface PublicJwk {
  kty: 'EC';
  crv: 'P-256';
  x: string;
  y: string;
  kid: string;
  alg: 'ES256';
  use: 'sig';
}

/** A private key, for `oidc-provider`. */
export interface PrivateJwk extends PublicJwk {
  d: string;
}

export function newSigningKey(): PrivateJwk {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '', d = '' } = privateKey.export({ format: 'jwk' });
  return { ...withKeyId(x, y), d };
}

export function publicPart({ d: _d, ...key }: PrivateJwk): PublicJwk {
  return key;
}

/** Adds the key id: the thumbprint of RFC 7638. */
export function withKeyId(x: string, y: string): PublicJwk {
  const point = { kty: 'EC', crv: 'P-256', x, y } as const;
  // RFC 7638 requires the members in alphabetical order.
  const members = { crv: point.crv, kty: point.kty, x, y };
  const kid = createHash('sha256').update(JSON.stringify(members)).digest('base64url');
  return { ...point, kid, alg: 'ES256', use: 'sig' };
}
