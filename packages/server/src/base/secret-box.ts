import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

/**
 * Encrypts secrets at rest (AES-256-GCM, R-383) and derives keys for other purposes. One key is current and seals.
 * Older keys only open what they sealed earlier, so keys can be rotated.
 */
export interface SecretBox {
  /** Encrypts a text under the current key. The result contains the id of the key. */
  seal(text: string): Buffer;
  /** Decrypts a result of `seal`. Throws if the key is unknown or the bytes were changed. */
  open(box: Buffer): string;
  /** A keyed digest under the current key, to compare secrets without storing them (D-027, D-139). */
  digest(purpose: string, text: string): Buffer;
  /** Whether `digest` is the digest of this text under the current key or an older one. Constant time. */
  matches(purpose: string, text: string, digest: Buffer): boolean;
  /** The id of the current key. Store it beside values that are derived from the key. */
  readonly key_id: string;
  /** Derives a key for one purpose from the key with this id. Throws if there is no key with this id. */
  derive(purpose: string, key_id: string): Buffer;
}

const version = 1;
const idBytes = 4;
const nonceBytes = 12;
const tagBytes = 16;

/** @param keys 32 bytes each; the first is current */
export function secretBox(keys: readonly [Buffer, ...Buffer[]]): SecretBox {
  const byId = new Map(keys.map((key) => [keyId(key), key]));
  const current = keys[0];
  const key_id = keyId(current);
  const derived = new Map<string, Buffer>();

  function derive(purpose: string, id: string): Buffer {
    const name = `${id}/${purpose}`;
    const known = derived.get(name);
    if (known !== undefined) return known;
    const key = byId.get(id);
    if (key === undefined) throw new Error(`no secret key with id ${id}`);
    const bytes = Buffer.from(hkdfSync('sha256', key, '', `paydesk/${purpose}`, 32));
    derived.set(name, bytes);
    return bytes;
  }

  const digestUnder = (id: string, purpose: string, text: string): Buffer =>
    createHmac('sha256', derive(purpose, id)).update(text, 'utf8').digest();

  return {
    key_id,
    derive,
    seal(text) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', derive('seal', key_id), nonce);
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      const head = Buffer.concat([Buffer.of(version), Buffer.from(key_id, 'hex')]);
      return Buffer.concat([head, nonce, cipher.getAuthTag(), sealed]);
    },
    open(box) {
      if (box[0] !== version) throw new Error('unknown secret box version');
      const id = box.subarray(1, 1 + idBytes).toString('hex');
      const nonce = box.subarray(1 + idBytes, 1 + idBytes + nonceBytes);
      const body = box.subarray(1 + idBytes + nonceBytes);
      // Without a fixed length, a shortened tag would be accepted.
      const decipher = createDecipheriv('aes-256-gcm', derive('seal', id), nonce, {
        authTagLength: tagBytes,
      });
      decipher.setAuthTag(body.subarray(0, tagBytes));
      return Buffer.concat([decipher.update(body.subarray(tagBytes)), decipher.final()]).toString('utf8');
    },
    digest: (purpose, text) => digestUnder(key_id, purpose, text),
    matches: (purpose, text, digest) =>
      [...byId.keys()].some((id) => sameBytes(digestUnder(id, purpose, text), digest)),
  };
}

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
