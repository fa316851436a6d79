/** Identifiers: ULIDs, UUIDs and random secrets, and the public number of a merchant. All are texts. */
import { randomBytes, randomUUID } from 'node:crypto';
import { decodeTime, encodeTime, monotonicFactory } from 'ulid';

/** The source of identifiers and random secrets. Tests may pass a seeded one. */
export interface IdSource {
  /**
   * A ULID for the given instant, unique in the service: the number of orders, payment events and
   * notifications. ULIDs of one process sort in the order of their creation (D-054, D-156), also where the clock is set back
   * by up to a minute. If it is set back by more, they follow it, because the books compare them with times (D-962).
   */
  ulid(at: Date): string;
  uuid(): string;
  /** `bytes` random bytes as base64url, for secrets and tokens. */
  secret(bytes: number): string;
}

/** How far the time in a ULID may be ahead, so that ULIDs still sort after the clock was set back. */
const mostBehind_ms = 60_000;

export function systemIds(): IdSource {
  const randomByte = byteSource();
  const begin = (): ReturnType<typeof monotonicFactory> => monotonicFactory(() => randomByte() / 256);
  let next = begin();
  let latest_ms = 0;
  return {
    ulid(at) {
      const at_ms = at.getTime();
      const isFarBack = at_ms < latest_ms - mostBehind_ms;
      if (isFarBack) next = begin();
      latest_ms = isFarBack ? at_ms : Math.max(latest_ms, at_ms);
      return next(at_ms);
    },
    uuid: () => randomUUID(),
    secret: (bytes) => randomBytes(bytes).toString('base64url'),
  };
}

/** Gives random bytes one by one. It asks the system for many at once, because an id takes sixteen. */
function byteSource(): () => number {
  let pool = Buffer.alloc(0);
  let used = 0;
  return () => {
    if (used === pool.length) {
      pool = randomBytes(1_024);
      used = 0;
    }
    return pool.readUInt8(used++);
  };
}

/** A bound for searches: sorts before all UUIDs. */
export const lowestUuid = '00000000-0000-0000-0000-000000000000';

/** A bound for searches: sorts after all ULIDs of earlier milliseconds and before all others. */
export const ulidBefore = (at: Date): string => encodeTime(Math.max(0, at.getTime()), 10);

/** The instant for which a ULID was made; null if the text is not a ULID. */
export const timeOfUlid = (text: string): Date | null =>
  /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(text) ? new Date(decodeTime(text)) : null;

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The 128 bits of a UUID as 26 characters of Crockford's base 32. */
export function uuidToBase32(uuid: string): string {
  let bits = BigInt(`0x${uuid.replaceAll('-', '')}`);
  let text = '';
  for (let i = 0; i < 26; i++) {
    text = alphabet.charAt(Number(bits & 31n)) + text;
    bits >>= 5n;
  }
  return text;
}

/** The UUID that 26 characters of base 32 encode, or null if the text is not valid. */
export function base32ToUuid(text: string): string | null {
  if (!/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(text)) return null;
  let bits = 0n;
  for (const char of text) bits = (bits << 5n) | BigInt(alphabet.indexOf(char));
  const hex = bits.toString(16).padStart(32, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** The public number of a merchant: its UUID in base 32. One can be computed from the other without a look-up. */
export const merchantNo = (merchant_id: string): string => `mr_${uuidToBase32(merchant_id)}`;

/** The merchant id that a public number encodes, or null if the text is not a merchant's number. */
export function merchantIdOf(merchant_no: string): string | null {
  return merchant_no.startsWith('mr_') ? base32ToUuid(merchant_no.slice(3)) : null;
}

/** The id of the book for entries without a merchant: top-ups of buyers, provider payouts. */
export const platformBook = '00000000-0000-0000-0000-000000000000';
