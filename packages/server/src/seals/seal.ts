/**
 * The format of seals, as docs/seals.md describes it: canonical rows, entries, hashes and signatures. Pure, without a
 * database, because outsiders verify exports with it.
 */
import { createHash, type KeyObject, sign, verify } from 'node:crypto';
import { sealKind } from './kinds.sql.ts';

/** One sealed row in the list of a seal. */
export interface SealEntry {
  kind: string;
  /** The row's key inside its chain: a JSON array of texts, without spaces. */
  key: string;
  /** SHA-256 of the canonical row, in base64. */
  hash: string;
}

/** What the hash of a seal covers. */
export interface SealHead {
  /** The chain: a merchant's id, or the id of the platform's book. */
  merchant_id: string;
  /** Counts from 1 without gaps. */
  seal_no: bigint;
  /** In microseconds since 1970, UTC. */
  sealed_at: bigint;
  key_id: string;
  /** The hash of the seal before it, in hex; 64 zeros in the first one. */
  previous: string;
  entry_count: number;
  /** SHA-256 of the entries' text, in hex. */
  entries_hash: string;
}

export interface SignedSeal extends SealHead {
  /** In hex. */
  hash: string;
  /** Ed25519, in hex. */
  signature: string;
}

/** What the first seal of a chain has instead of the hash before it. */
export const noSeal = '0'.repeat(64);

export const sha256Hex = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');
export const sha256Base64 = (text: string): string =>
  createHash('sha256').update(text, 'utf8').digest('base64');

/** A canonical row: a JSON object of texts, its members sorted by name, without spaces. */
export function canonicalRow(row: Readonly<Record<string, string | null>>): string {
  const names = Object.keys(row).sort();
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, row[name] ?? null])));
}

/** The entry by which the platform's chain covers a seal of a merchant. */
export const entryOfSeal = ({ merchant_id, seal_no, hash, signature }: SignedSeal): SealEntry => ({
  kind: sealKind,
  key: JSON.stringify([merchant_id, seal_no.toString()]),
  hash: sha256Base64(`${hash} ${signature}`),
});

export const entriesText = (entries: readonly SealEntry[]): string =>
  entries.map(({ hash, kind, key }) => `${hash} ${kind} ${key}`).join('\n');

/** Reads what `entriesText` wrote. A line of another form gets an empty kind, so that it matches no row. */
export function parseEntries(text: string): SealEntry[] {
  return text.split('\n').map((line) => {
    const [, hash = '', kind = '', key = line] = /^(\S+) (\S+) (.*)$/s.exec(line) ?? [];
    return { hash, kind, key };
  });
}

/** The text whose SHA-256 is the hash of the seal. It is also what is signed. */
const headText = (head: SealHead): string =>
  [
    'paydesk-seal/1',
    head.merchant_id,
    head.seal_no.toString(),
    head.sealed_at.toString(),
    head.key_id,
    head.previous,
    String(head.entry_count),
    head.entries_hash,
  ].join('\n');

export const sealHash = (head: SealHead): string => sha256Hex(headText(head));

export function signSeal(head: SealHead, key: KeyObject): SignedSeal {
  const signature = sign(null, Buffer.from(headText(head), 'utf8'), key).toString('hex');
  return { ...head, hash: sealHash(head), signature };
}

/** Whether the signature is the key's, over what the seal says now. */
export const isSignedBy = (seal: SignedSeal, key: KeyObject): boolean =>
  verify(null, Buffer.from(headText(seal), 'utf8'), key, Buffer.from(seal.signature, 'hex'));

/**
 * What is wrong with a seal in its place of the chain; empty if nothing is.
 *
 * @param before the seal before it, or null for the first one
 * @param key the public key that it names, or null if that is not known or not trusted
 */
export function sealFaults(
  seal: SignedSeal,
  before: Pick<SignedSeal, 'seal_no' | 'hash'> | null,
  key: KeyObject | null,
): string[] {
  const faults: string[] = [];
  const expected = (before?.seal_no ?? 0n) + 1n;
  if (seal.seal_no !== expected) {
    const to = seal.seal_no - 1n;
    faults.push(
      seal.seal_no > expected
        ? `seal ${expected === to ? to.toString() : `${expected.toString()} to ${to.toString()}`} is missing before it`
        : 'its number was used before',
    );
  } else if (seal.previous !== (before?.hash ?? noSeal)) {
    faults.push('it does not continue the seal before it');
  }
  if (sealHash(seal) !== seal.hash) faults.push('its hash does not match what it seals');
  if (key === null) faults.push(`its key ${seal.key_id} is not trusted`);
  else if (!isSignedBy(seal, key)) faults.push('its signature is wrong');
  return faults;
}

/** A seal as a line outside the database: in the sink, in exports, in the log. */
export const sealJson = (seal: SignedSeal) => ({
  chain: seal.merchant_id,
  seal_no: seal.seal_no.toString(),
  sealed_at: seal.sealed_at.toString(),
  key_id: seal.key_id,
  previous: seal.previous,
  entry_count: seal.entry_count,
  entries_hash: seal.entries_hash,
  hash: seal.hash,
  signature: seal.signature,
});

const hex64 = /^[0-9a-f]{64}$/;
const digits = /^\d{1,19}$/;

/** Reads what `sealJson` wrote, or null if it is something else. */
export function parseSeal(json: unknown): SignedSeal | null {
  if (typeof json !== 'object' || json === null) return null;
  const { chain, seal_no, sealed_at, key_id, previous, entry_count, entries_hash, hash, signature } =
    json as Record<string, unknown>;
  const isText = (value: unknown, form: RegExp): value is string =>
    typeof value === 'string' && form.test(value);
  if (
    !isText(chain, /^[0-9a-f-]{36}$/) ||
    !isText(seal_no, digits) ||
    !isText(sealed_at, digits) ||
    !isText(key_id, /^\w{1,64}$/) ||
    !isText(previous, hex64) ||
    !isText(entries_hash, hex64) ||
    !isText(hash, hex64) ||
    !isText(signature, /^[0-9a-f]{128}$/) ||
    typeof entry_count !== 'number'
  )
    return null;
  return {
    merchant_id: chain,
    seal_no: BigInt(seal_no),
    sealed_at: BigInt(sealed_at),
    ...{ key_id, previous, entry_count, entries_hash, hash, signature },
  };
}
