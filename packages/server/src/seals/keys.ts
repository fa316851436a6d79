/** The keys of seals: Ed25519 pairs that derive from PAYDESK_SECRET_KEY, and the trust in keys of the past. */
import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import type { SecretBox } from '../base/secret-box.ts';

const purpose = 'seal-signing';
/** The beginning of a PKCS #8 Ed25519 key; the 32 bytes of the seed follow (RFC 8410). */
const pkcs8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The signing key that derives from the secret key with this id, or null if the ring does not have it. */
export function signingKey(box: Pick<SecretBox, 'derive'>, key_id: string): KeyObject | null {
  try {
    const seed = box.derive(purpose, key_id);
    return createPrivateKey({ key: Buffer.concat([pkcs8, seed]), format: 'der', type: 'pkcs8' });
  } catch {
    return null;
  }
}

/** The public half of a private key, in DER. */
export const spkiOf = (key: KeyObject): Buffer => derOf(createPublicKey(key));

const derOf = (key: KeyObject): Buffer => key.export({ type: 'spki', format: 'der' });

/** A stored public key. */
export interface SealKey {
  key_id: string;
  /** SPKI in DER. */
  public_key: Buffer;
  /** The key that vouches for it: its successor. */
  endorsed_by: string | null;
  endorsement: Buffer | null;
}

const endorsedText = ({ key_id, public_key }: Pick<SealKey, 'key_id' | 'public_key'>): Buffer =>
  Buffer.from(`paydesk-seal-key/1\n${key_id}\n${public_key.toString('base64')}`, 'utf8');

/** The signature by which a key vouches for the public key before it. */
export const endorse = (older: Pick<SealKey, 'key_id' | 'public_key'>, by: KeyObject): Buffer =>
  sign(null, endorsedText(older), by);

/** Finds a public key by its id; null if it is not known or not trusted. */
export type TrustedKeys = (key_id: string) => KeyObject | null;

const publicKeyOf = (der: Buffer): KeyObject | null => {
  try {
    return createPublicKey({ key: der, format: 'der', type: 'spki' });
  } catch {
    return null;
  }
};

/**
 * The keys that can be trusted: those that `isRoot` accepts, and those that a trusted key vouches for, over any number of
 * successors.
 *
 * @param isRoot whether a stored key is trusted by itself: it derives from the ring, or the verifier was given it
 */
function trustKeys(stored: readonly SealKey[], isRoot: (key: SealKey) => boolean): TrustedKeys {
  const trusted = new Map<string, KeyObject>();
  const add = (key: SealKey): boolean => {
    const found = publicKeyOf(key.public_key);
    if (found === null) return false;
    trusted.set(key.key_id, found);
    return true;
  };
  for (const key of stored) if (isRoot(key)) add(key);
  const isVouchedFor = (key: SealKey): boolean => {
    const by = trusted.get(key.endorsed_by ?? '');
    return (
      by !== undefined && key.endorsement !== null && verify(null, endorsedText(key), by, key.endorsement)
    );
  };
  let rest = stored.filter(({ key_id }) => !trusted.has(key_id));
  for (let found = true; found;) {
    const added = rest.filter((key) => isVouchedFor(key) && add(key));
    rest = rest.filter((key) => !added.includes(key));
    found = added.length > 0;
  }
  return (key_id) => trusted.get(key_id) ?? null;
}

/**
 * Trust by the service's own secret: what derives from the ring counts, whatever is stored. Without a secret every stored
 * key is a root: then only a sink outside shows that an attacker has sealed everything again with another key.
 */
export function trustRing(box: Pick<SecretBox, 'derive'> | null, stored: readonly SealKey[]): TrustedKeys {
  if (box === null) return trustKeys(stored, () => true);
  const own = new Map(
    stored.flatMap(({ key_id }) => {
      const key = signingKey(box, key_id);
      return key === null ? [] : [[key_id, spkiOf(key)] as const];
    }),
  );
  return trustKeys(
    stored.map((key) => ({ ...key, public_key: own.get(key.key_id) ?? key.public_key })),
    ({ key_id }) => own.has(key_id),
  );
}

const keysIn = (pem: string): Buffer[] =>
  (pem.match(/-----BEGIN PUBLIC KEY-----[^-]+-----END PUBLIC KEY-----/g) ?? []).map((block) =>
    derOf(createPublicKey(block)),
  );

/** Whether a text has public keys in PEM, and each of them can be read (D-1416). */
export function hasPublicKeys(pem: string): boolean {
  try {
    return keysIn(pem).length > 0;
  } catch {
    return false;
  }
}

/** Trust by the public keys of a PEM file, which may hold several. */
export function trustPem(pem: string, stored: readonly SealKey[]): TrustedKeys {
  const roots = keysIn(pem);
  return trustKeys(stored, ({ public_key }) => roots.some((root) => root.equals(public_key)));
}

export const pemOf = (public_key: Buffer): string =>
  createPublicKey({ key: public_key, format: 'der', type: 'spki' })
    .export({ type: 'spki', format: 'pem' })
    .toString();

/** A key as a line outside the database. */
export const keyJson = ({ key_id, public_key, endorsed_by, endorsement }: SealKey) => ({
  key_id,
  public_key: public_key.toString('base64'),
  endorsed_by,
  endorsement: endorsement?.toString('base64') ?? null,
});

/** Reads what `keyJson` wrote. */
export function readKey(json: Readonly<Record<string, unknown>>): SealKey {
  const { key_id, public_key, endorsed_by, endorsement } = json;
  const bytes = (value: unknown): Buffer => Buffer.from(typeof value === 'string' ? value : '', 'base64');
  return {
    key_id: String(key_id),
    public_key: bytes(public_key),
    endorsed_by: typeof endorsed_by === 'string' ? endorsed_by : null,
    endorsement: endorsement === null ? null : bytes(endorsement),
  };
}
