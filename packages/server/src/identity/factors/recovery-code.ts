import type { IdSource } from '../../base/ids.ts';
import type { SecretBox } from '../../base/secret-box.ts';

/** Letters and digits that are not mistaken for one another. */
const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789';
const howMany = 10;
const length = 12;

/** New codes of 60 bits each, as they are shown: `abcd-efgh-jkmn`. */
export function newRecoveryCodes(ids: Pick<IdSource, 'secret'>): string[] {
  return Array.from({ length: howMany }, () => {
    const letters = [...Buffer.from(ids.secret(length), 'base64url')].map((byte) =>
      alphabet.charAt(byte & 31),
    );
    return (letters.join('').match(/.{4}/g) ?? []).join('-');
  });
}

/** The code as it is compared, however it was typed; null where it cannot be one. */
export function readRecoveryCode(text: string): string | null {
  const code = text.toLowerCase().replace(/[\s-]/g, '');
  return code.length === length && /^[a-z2-9]+$/.test(code) ? code : null;
}

const purpose = 'recovery-code';
const named = (user_id: string, code: string): string => `${user_id}/${code}`;

/** What is stored of a code: codes are random, so a keyed digest suffices. */
export const recoveryDigest = (box: SecretBox, user_id: string, code: string): Buffer =>
  box.digest(purpose, named(user_id, code.replaceAll('-', '')));

/** Which of the stored digests this code made, or null. */
export function matchingDigest(
  box: SecretBox,
  user_id: string,
  code: string,
  digests: readonly Buffer[],
): Buffer | null {
  return digests.find((digest) => box.matches(purpose, named(user_id, code), digest)) ?? null;
}
