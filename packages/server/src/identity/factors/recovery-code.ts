/** What a recovery code is: its letters, its spellings and its digest. */
import type { IdSource } from '../../base/ids.ts';
import type { SecretBox } from '../../base/secret-box.ts';

/** Letters and digits that are hard to confuse. */
const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789';
const codeCount = 10;
const length = 12;

/** New codes of 60 bits each, as they are shown: `abcd-efgh-jkmn`. */
export function newRecoveryCodes(ids: Pick<IdSource, 'secret'>): string[] {
  return Array.from({ length: codeCount }, () => {
    const letters = [...Buffer.from(ids.secret(length), 'base64url')].map((byte) =>
      alphabet.charAt(byte & 31),
    );
    return (letters.join('').match(/.{4}/g) ?? []).join('-');
  });
}

/** The letters of a typed code, without spaces and hyphens; null where the text cannot be a code. */
export function readRecoveryCode(text: string): string | null {
  const code = text.toLowerCase().replace(/[\s-]/g, '');
  return code.length === length && /^[a-z2-9]+$/.test(code) ? code : null;
}

const purpose = 'recovery-code';
const digestInput = (user_id: string, code: string): string => `${user_id}/${code}`;

/** What is stored of a code. Codes are random, so a keyed digest is enough. */
export const recoveryDigest = (box: SecretBox, user_id: string, code: string): Buffer =>
  box.digest(purpose, digestInput(user_id, code.replaceAll('-', '')));

/** The stored digest that belongs to a code, or null. */
export function matchingDigest(
  box: SecretBox,
  user_id: string,
  code: string,
  digests: readonly Buffer[],
): Buffer | null {
  return digests.find((digest) => box.matches(purpose, digestInput(user_id, code), digest)) ?? null;
}
