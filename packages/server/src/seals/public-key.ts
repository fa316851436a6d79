import type { Queryable } from '../base/pg/index.ts';
import type { SecretBox } from '../base/secret-box.ts';
import { pemOf, signingKey, spkiOf } from './keys.ts';
import { selectSealKeys } from './seal.sql.ts';

/**
 * The public key for outsiders, in PEM: that of the ring's current key, or the one stored last if the secret is unknown
 * here. Keys before it are vouched for in the export itself.
 *
 * @returns null if nothing was ever sealed and the secret is unknown
 */
export async function publicKeyPem(
  db: Queryable,
  box: Pick<SecretBox, 'key_id' | 'derive'> | null,
): Promise<string | null> {
  const own = box === null ? null : signingKey(box, box.key_id);
  if (own !== null) return pemOf(spkiOf(own));
  const last = (await selectSealKeys(db)).at(-1);
  return last === undefined ? null : pemOf(last.public_key);
}
