/**
 * The public keys of a client that proves itself by signed assertions (`private_key_jwt`). Invariant: nothing private is
 * stored, and each key fits one of the accepted algorithms.
 */
import { createPublicKey } from 'node:crypto';
import { invalid } from '../../base/errors.ts';

/** The accepted algorithms. None is symmetric. */
export const assertionAlgorithms = ['ES256', 'PS256', 'RS256', 'EdDSA', 'Ed25519'] as const;

/** A public key as a JSON Web Key, with the members that count. */
export type PublicKey = Readonly<Record<string, string>>;

export interface KeySet {
  keys: PublicKey[];
}

const field = 'jwks';
const refuse = (problem: string): never => {
  throw invalid(field, problem);
};

/** Checks the keys that someone registers. Throws `invalid_request` with `field`. */
export function checkKeySet({ keys }: { keys: readonly Readonly<Record<string, unknown>>[] }): KeySet {
  const checked = keys.map(checkKey);
  const ids = checked.flatMap(({ kid }) => (kid === undefined ? [] : [kid]));
  if (new Set(ids).size < ids.length) refuse('Two keys have the same kid.');
  if (ids.length < checked.length && checked.length > 1) refuse('Each of several keys needs a kid.');
  return { keys: checked };
}

/** The members of each kind of key, and the algorithms that it fits. */
const kinds: ReadonlyMap<string, { members: readonly string[]; algorithms: readonly string[] }> = new Map([
  ['EC P-256', { members: ['crv', 'x', 'y'], algorithms: ['ES256'] }],
  ['OKP Ed25519', { members: ['crv', 'x'], algorithms: ['EdDSA', 'Ed25519'] }],
  ['RSA', { members: ['n', 'e'], algorithms: ['PS256', 'RS256'] }],
]);

function checkKey(key: Readonly<Record<string, unknown>>): PublicKey {
  if (['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'].some((member) => key[member] !== undefined)) {
    refuse('A key is private. Register public keys only, and replace this one: it has left its place.');
  }
  const { kty, crv, kid, alg, use } = key;
  const kind = kinds.get([kty, crv].filter((part) => typeof part === 'string').join(' '));
  if (typeof kty !== 'string' || kind === undefined) {
    return refuse('Each key must be an EC key on P-256, an OKP key on Ed25519, or an RSA key.');
  }
  if (kid !== undefined && !(typeof kid === 'string' && /^[\x21-\x7e]{1,200}$/.test(kid))) {
    refuse('A kid has 1 to 200 visible ASCII characters.');
  }
  if (alg !== undefined && !(typeof alg === 'string' && kind.algorithms.includes(alg))) {
    refuse(`The alg of a key must be one of ${kind.algorithms.join(', ')}.`);
  }
  if (use !== undefined && use !== 'sig') refuse('The use of a key must be sig.');
  const checked: Record<string, string> = { kty };
  for (const member of [...kind.members, 'kid', 'alg', 'use']) {
    if (typeof key[member] === 'string') checked[member] = key[member];
  }
  checkMaterial(checked, kind.members);
  return checked;
}

const smallestRsa_bits = 2_048;
const largestRsa_bits = 8_192;

/** Whether the members form a key that can be used. */
function checkMaterial(key: Record<string, string>, members: readonly string[]): void {
  const material = members.filter((member) => member !== 'crv').map((member) => key[member] ?? '');
  if (material.some((text) => !/^[\w-]{1,1400}$/.test(text))) refuse('The members of a key are base64url.');
  let bits: number | undefined;
  try {
    bits = createPublicKey({ key, format: 'jwk' }).asymmetricKeyDetails?.modulusLength;
  } catch {
    refuse('A key cannot be read.');
  }
  if (key.kty === 'RSA' && (bits === undefined || bits < smallestRsa_bits || bits > largestRsa_bits)) {
    refuse(`An RSA key has ${smallestRsa_bits} to ${largestRsa_bits} bits.`);
  }
}
