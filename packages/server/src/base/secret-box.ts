import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import type { SealedRow } from './sealed-columns.ts';

/**
 * Encrypts secrets at rest (AES-256-GCM, R-383), digests and derives keys. One secret key is the first and seals; the
 * others only open what they sealed earlier. Digests and tokens use inner keys, which are themselves sealed, so that a
 * secret key can be retired without making them again.
 */
export interface SecretBox {
  /** Encrypts a text under the first key, for one row. The result contains the id of the key. */
  seal(text: string, row: SealedRow): Buffer;
  /**
   * Decrypts a result of `seal`.
   *
   * @throws SecretError if the key is unknown, the bytes were changed, or they were sealed for another row
   */
  open(box: Buffer, row: SealedRow): string;
  /** A keyed digest, to compare secrets without storing them (D-027, D-139). */
  digest(purpose: string, text: string): Buffer;
  /** The digests of a text under every key that digests have had, the current one first. */
  digests(purpose: string, text: string): Buffer[];
  /** Whether `digest` is the digest of this text, under a current key or an older one. Constant time. */
  matches(purpose: string, text: string, digest: Buffer): boolean;
  /** The id of the first secret key. */
  readonly key_id: string;
  /** The ids of all secret keys, the first one first. */
  readonly key_ids: readonly string[];
  /** The id of the key that tokens and digests derive from now. Store it beside a derived value. */
  readonly inner_key_id: string;
  /** The ids of the secret keys from which keys of this purpose derived before there were inner keys. */
  olderIds(purpose: string): string[];
  /** The key for one purpose that derives from the key with this id. Throws SecretError if there is none. */
  derive(purpose: string, key_id: string): Buffer;
}

/** A key that is stored sealed. With a purpose it is the key of that purpose; else the keys of all derive from it. */
export interface InnerKey {
  key_id: string;
  purpose: string;
  key: Buffer;
}

/** A secret of this service cannot be opened here: the fault is ours, whatever the secret was needed for. */
export class SecretError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SecretError';
  }
}

/** Values of version 1 are not bound to a row. They still open; `paydesk reseal` replaces them. */
const unbound = 1;
const version = 2;
const idBytes = 4;
const nonceBytes = 12;
const tagBytes = 16;

/**
 * @param keys 32 bytes each; the first seals
 * @param inner the inner keys, the current one first. Without any, digests and tokens derive from the secret keys
 */
export function secretBox(keys: readonly [Buffer, ...Buffer[]], inner: readonly InnerKey[] = []): SecretBox {
  const byId = new Map(keys.map((key) => [keyId(key), key]));
  const key_id = keyId(keys[0]);
  const inner_key_id = inner.find(({ purpose }) => purpose === '')?.key_id ?? key_id;
  const derived = new Map<string, Buffer>();

  function derive(purpose: string, id: string): Buffer {
    const name = `${id}/${purpose}`;
    const known = derived.get(name) ?? deriveAnew(purpose, id);
    derived.set(name, known);
    return known;
  }
  function deriveAnew(purpose: string, id: string): Buffer {
    const stored = inner.find((one) => one.key_id === id && one.purpose === purpose);
    if (stored !== undefined) return stored.key;
    const root = inner.find((one) => one.key_id === id && one.purpose === '')?.key ?? byId.get(id);
    if (root === undefined) throw new SecretError(`no secret key with id ${id}`);
    return deriveKey(root, purpose);
  }
  const olderIds = (purpose: string): string[] =>
    inner.flatMap((one) => (one.purpose === purpose ? [one.key_id] : []));
  const digestIds = (purpose: string): string[] =>
    inner.length === 0 ? [...byId.keys()] : [inner_key_id, ...olderIds(purpose)];
  const digests = (purpose: string, text: string): Buffer[] =>
    digestIds(purpose).map((id) => createHmac('sha256', derive(purpose, id)).update(text, 'utf8').digest());

  return {
    key_id,
    key_ids: [...byId.keys()],
    inner_key_id,
    olderIds,
    derive,
    seal(text, row) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', derive('seal', key_id), nonce);
      cipher.setAAD(Buffer.from(row, 'utf8'));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([headOf(key_id), nonce, cipher.getAuthTag(), body]);
    },
    open(box, row) {
      const id = keyIdOf(box);
      if (id === null) throw new SecretError('unknown secret box version');
      const key = derive('seal', id);
      try {
        return decrypt(box, key, row);
      } catch (cause) {
        throw new SecretError(`a value sealed with key ${id} does not open in ${row}`, { cause });
      }
    },
    digest: (purpose, text) =>
      createHmac('sha256', derive(purpose, inner_key_id)).update(text, 'utf8').digest(),
    digests,
    matches: (purpose, text, digest) => digests(purpose, text).some((one) => sameBytes(one, digest)),
  };
}

function decrypt(box: Buffer, key: Buffer, row: SealedRow): string {
  const nonce = box.subarray(1 + idBytes, 1 + idBytes + nonceBytes);
  const body = box.subarray(1 + idBytes + nonceBytes);
  // Without a fixed length, a shortened tag would be accepted.
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes });
  if (box[0] !== unbound) decipher.setAAD(Buffer.from(row, 'utf8'));
  decipher.setAuthTag(body.subarray(0, tagBytes));
  return Buffer.concat([decipher.update(body.subarray(tagBytes)), decipher.final()]).toString('utf8');
}

/** The key of one purpose that derives from another key (HKDF). */
export const deriveKey = (root: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', root, '', `paydesk/${purpose}`, 32));

/** The first bytes of everything that a key seals now. */
export const headOf = (key_id: string): Buffer =>
  Buffer.concat([Buffer.of(version), Buffer.from(key_id, 'hex')]);

/** The id of the key that sealed a value; null if this is not a sealed value. */
export const keyIdOf = (box: Buffer): string | null =>
  box[0] === version || box[0] === unbound ? box.subarray(1, 1 + idBytes).toString('hex') : null;

function keyId(key: Buffer): string {
  return createHash('sha256')
    .update('paydesk/key-id')
    .update(key)
    .digest('hex')
    .slice(0, 2 * idBytes);
}

/** Compares in constant time; lengths may differ. */
export function sameBytes(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

/** The SHA-256 of a random token. Tokens are stored and looked up by this digest. */
export function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token, 'utf8').digest();
}
