/** Verifies an export of the books with nothing but public keys. Needs neither database nor secret. */
import type { KeyObject } from 'node:crypto';
import { platformBook } from '../base/ids.ts';
import { minutes } from '../base/time/clock.ts';
import { type SealKey, trustPem } from './keys.ts';
import { factKinds } from './kinds.sql.ts';
import {
  canonicalRow,
  entryOfSeal,
  parseEntries,
  parseSeal,
  sealFaults,
  type SignedSeal,
  sha256Base64,
  sha256Hex,
} from './seal.ts';

/** The result so far. */
export interface ExportCounts {
  seals: number;
  facts: number;
  /** Rows that were too new to have a seal when the books were exported. */
  unsealed: number;
}

/** The seal whose rows are being read, and the entries that no row has matched yet. */
interface OpenSeal {
  seal: SignedSeal;
  /** Hashes by kind and key. */
  missing: Map<string, string>;
}

const nameOf = (chain: string): string => (chain === platformBook ? 'the platform' : `merchant ${chain}`);
const sealName = ({ merchant_id, seal_no }: SignedSeal): string =>
  `seal ${seal_no.toString()} of ${nameOf(merchant_id)}`;

const unsealedFor_ms = minutes(2);

/**
 * Verifies an export line by line. Memory holds the seal of the platform that is being read, one seal of a merchant, and
 * one head for each chain.
 *
 * @param pem trusted public keys
 * @param report is told every fault, in words
 * @param heads hashes of seals of the platform that are known from elsewhere, by number
 */
export async function verifyExport(
  lines: AsyncIterable<string>,
  pem: string,
  report: (words: string) => void,
  heads: ReadonlyMap<bigint, string> = new Map(),
): Promise<ExportCounts> {
  const verifier = createVerifier(pem, report, heads);
  let number = 0;
  for await (const line of lines) {
    number++;
    const parsed = parseLine(line);
    if (parsed === null) report(`line ${number} is not a line of an export`);
    else verifier.take(parsed, number);
  }
  return verifier.end();
}

type Line = Record<string, unknown>;

function parseLine(line: string): Line | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Line) : null;
  } catch {
    return null;
  }
}

function createVerifier(pem: string, report: (words: string) => void, heads: ReadonlyMap<bigint, string>) {
  const counts: ExportCounts = { seals: 0, facts: 0, unsealed: 0 };
  const stored: SealKey[] = [];
  const chains = new Map<string, SignedSeal>();
  const unseen = new Map(heads);
  let keys: ((key_id: string) => KeyObject | null) | null = null;
  let platform: OpenSeal | null = null;
  let merchant: OpenSeal | null = null;
  let exported_at = NaN;
  let isComplete = false;

  function close(open: OpenSeal | null): null {
    if (open === null) return null;
    for (const subject of open.missing.keys())
      report(`${subject} is covered by ${sealName(open.seal)} and is missing`);
    return null;
  }

  function takeSeal(line: Line, number: number): void {
    const seal = parseSeal(line.seal);
    if (seal === null || typeof line.entries !== 'string') {
      report(`line ${number} is not a seal`);
      return;
    }
    counts.seals++;
    keys ??= trustPem(pem, stored);
    const entries = parseEntries(line.entries);
    const faults = sealFaults(seal, chains.get(seal.merchant_id) ?? null, keys(seal.key_id));
    if (sha256Hex(line.entries) !== seal.entries_hash || entries.length !== seal.entry_count) {
      faults.push('its list of rows was changed');
    }
    for (const fault of faults) report(`${sealName(seal)} does not hold: ${fault}`);
    chains.set(seal.merchant_id, seal);
    merchant = close(merchant);
    const missing = new Map(entries.map(({ kind, key, hash }) => [`${kind} ${key}`, hash]));
    if (seal.merchant_id === platformBook) {
      close(platform);
      platform = { seal, missing };
      const known = unseen.get(seal.seal_no);
      if (known !== undefined && known !== seal.hash)
        report(`${sealName(seal)} is not the one that the heads name`);
      unseen.delete(seal.seal_no);
    } else {
      match(platform, entryOfSeal(seal));
      merchant = { seal, missing };
    }
  }

  /** Strikes a row off the list of the seal that covers it. */
  function match(
    open: OpenSeal | null,
    { kind, key, hash }: { kind: string; key: string; hash: string },
  ): void {
    const subject = `${kind} ${key}`;
    const sealed = open?.missing.get(subject);
    if (open === null || sealed === undefined) {
      report(`${subject} is not covered by the seal that it stands under: it was added`);
    } else {
      open.missing.delete(subject);
      if (sealed !== hash) report(`${subject} is not what ${sealName(open.seal)} covers: it was changed`);
    }
  }

  function takeFact(fact: Line, number: number): void {
    const { chain, seal_no, kind, row } = fact;
    const known = factKinds.find(({ name }) => name === kind);
    if (known === undefined || !isRow(row)) {
      report(`line ${number} is not a row of a known kind`);
      return;
    }
    // The key is read from the row itself: what the line says beside it is not signed.
    const key = JSON.stringify(known.key.map(([column]) => row[column] ?? null));
    if (seal_no === null) {
      counts.unsealed++;
      const at = Number(row[known.at ?? ''] ?? NaN) / 1_000;
      if (at < exported_at - unsealedFor_ms)
        report(`${known.name} ${key} is older than two minutes and has no seal`);
      return;
    }
    counts.facts++;
    const hash = sha256Base64(canonicalRow(row));
    match(chain === platformBook ? platform : merchant, { kind: known.name, key, hash });
  }

  return {
    take(line: Line, number: number): void {
      if ('seal' in line) takeSeal(line, number);
      else if (isObject(line.fact)) takeFact(line.fact, number);
      else if (isObject(line.key)) stored.push(readKey(line.key));
      else if (line.export === format) exported_at = Date.parse(String(line.exported_at));
      else if (line.end === format) isComplete = true;
      else report(`line ${number} is not a line of an export`);
    },
    end(): ExportCounts {
      close(merchant);
      close(platform);
      if (!isComplete) report('the export has no end: lines are missing');
      for (const seal_no of unseen.keys()) {
        report(
          `seal ${seal_no.toString()} of the platform is among the heads and is missing: the end was cut off`,
        );
      }
      return counts;
    },
  };
}

const format = 'paydesk-books/1';

const isObject = (value: unknown): value is Line =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isRow = (value: unknown): value is Record<string, string | null> =>
  isObject(value) && Object.values(value).every((member) => member === null || typeof member === 'string');

function readKey({ key_id, public_key, endorsed_by, endorsement }: Line): SealKey {
  const bytes = (value: unknown): Buffer => Buffer.from(typeof value === 'string' ? value : '', 'base64');
  return {
    key_id: String(key_id),
    public_key: bytes(public_key),
    endorsed_by: typeof endorsed_by === 'string' ? endorsed_by : null,
    endorsement: endorsement === null ? null : bytes(endorsement),
  };
}

/** The heads in the lines of a sink: the hash of each seal of the platform, by number. */
export async function readHeads(lines: AsyncIterable<string>): Promise<Map<bigint, string>> {
  const heads = new Map<bigint, string>();
  for await (const line of lines) {
    const seal = parseSeal(parseLine(line)?.seal);
    if (seal?.merchant_id === platformBook) heads.set(seal.seal_no, seal.hash);
  }
  return heads;
}
