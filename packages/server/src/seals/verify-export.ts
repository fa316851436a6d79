/** Verifies an export of the books with public keys only. Needs neither database nor secret. */
import type { KeyObject } from 'node:crypto';
import { platformBook } from '../base/ids.ts';
import { minutes } from '../base/time/clock.ts';
import { readKey, type SealKey, trustPem } from './keys.ts';
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
  /** Rows that are in files of the archive instead. */
  archived: number;
}

/** Knows which lines of seals are in verified files of the archive: the books are whole together with them (D-476). */
export interface LeftLines {
  has(seal: SignedSeal, line_no: number): boolean;
}

/** The seal whose rows are being read, and the entries that no row has matched yet. */
interface OpenSeal {
  seal: SignedSeal;
  /** Hashes by kind and key. */
  missing: Map<string, string>;
  /** Which of them are in files of the archive. */
  archived: Set<string>;
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
 * @param report called with the description of each fault
 * @param heads hashes of seals of the platform that are known from elsewhere, by number
 * @param archived the lines of seals whose rows are in verified files of the archive
 */
export async function verifyExport(
  lines: AsyncIterable<string>,
  pem: string,
  report: (words: string) => void,
  heads: ReadonlyMap<bigint, string> = new Map(),
  archived: LeftLines = { has: () => false },
): Promise<ExportCounts> {
  const verifier = new Verifier(pem, report, heads, archived);
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

/**
 * Takes the lines of an export in their order. A row belongs to the last seal of its chain before it; when the next seal
 * of that chain begins, each row that the last one covers must have been there.
 */
class Verifier {
  readonly #pem: string;
  readonly #report: (words: string) => void;
  /** The heads that no seal has matched yet. */
  readonly #unseen: Map<bigint, string>;
  readonly #counts: ExportCounts = { seals: 0, facts: 0, unsealed: 0, archived: 0 };
  readonly #archived: LeftLines;
  readonly #stored: SealKey[] = [];
  /** The last seal of each chain. */
  readonly #chains = new Map<string, SignedSeal>();
  #keys: ((key_id: string) => KeyObject | null) | null = null;
  #platform: OpenSeal | null = null;
  #merchant: OpenSeal | null = null;
  /** When the books were exported; null without the first line. */
  #exported_at: number | null = null;
  #isComplete = false;

  constructor(
    pem: string,
    report: (words: string) => void,
    heads: ReadonlyMap<bigint, string>,
    archived: LeftLines,
  ) {
    this.#archived = archived;
    this.#pem = pem;
    this.#report = report;
    this.#unseen = new Map(heads);
  }

  take(line: Line, number: number): void {
    if ('seal' in line) this.#takeSeal(line, number);
    else if (isObject(line.fact)) this.#takeFact(line.fact, number);
    else if (isObject(line.key)) this.#stored.push(readKey(line.key));
    else if (line.export === format) this.#exported_at = Date.parse(String(line.exported_at)) || 0;
    else if (line.end === format) this.#isComplete = true;
    else this.#report(`line ${number} is not a line of an export`);
  }

  end(): ExportCounts {
    this.#close(this.#merchant);
    this.#close(this.#platform);
    if (this.#exported_at === null) this.#report('the export has no beginning: lines are missing');
    if (!this.#isComplete) this.#report('the export has no end: lines are missing');
    for (const seal_no of this.#unseen.keys()) {
      this.#report(
        `seal ${seal_no.toString()} of the platform is among the heads and is missing: the end was cut off`,
      );
    }
    return this.#counts;
  }

  #takeSeal(line: Line, number: number): void {
    const seal = parseSeal(line.seal);
    if (seal === null || typeof line.entries !== 'string') {
      this.#report(`line ${number} is not a seal`);
      return;
    }
    this.#counts.seals++;
    this.#keys ??= trustPem(this.#pem, this.#stored);
    const entries = parseEntries(line.entries);
    const last = this.#chains.get(seal.merchant_id) ?? null;
    const faults = sealFaults(seal, last, this.#keys(seal.key_id));
    if (sha256Hex(line.entries) !== seal.entries_hash || entries.length !== seal.entry_count) {
      faults.push('its list of rows was changed');
    }
    // Such a row would be compared with an older seal (D-1354).
    if (this.#counts.unsealed > 0) faults.push('it stands below a row without a seal');
    for (const fault of faults) this.#report(`${sealName(seal)} does not hold: ${fault}`);
    this.#chains.set(seal.merchant_id, seal);
    const left = entries.filter((_, i) => this.#archived.has(seal, i + 1));
    this.#open({
      seal,
      missing: new Map(entries.map(({ kind, key, hash }) => [`${kind} ${key}`, hash])),
      archived: new Set(left.map(({ kind, key }) => `${kind} ${key}`)),
    });
  }

  /** Begins the rows of a seal, and ends the rows of the seals before it. */
  #open(open: OpenSeal): void {
    const { seal } = open;
    this.#close(this.#merchant);
    this.#merchant = null;
    if (seal.merchant_id !== platformBook) {
      this.#match(this.#platform, entryOfSeal(seal));
      this.#merchant = open;
      return;
    }
    this.#close(this.#platform);
    this.#platform = open;
    const known = this.#unseen.get(seal.seal_no);
    if (known !== undefined && known !== seal.hash) {
      this.#report(`${sealName(seal)} is not the one that the heads name`);
    }
    this.#unseen.delete(seal.seal_no);
  }

  /** Reports the rows of a seal that are missing. */
  #close(open: OpenSeal | null): void {
    if (open === null) return;
    for (const subject of open.missing.keys()) {
      if (open.archived.has(subject)) this.#counts.archived++;
      else this.#report(`${subject} is covered by ${sealName(open.seal)} and is missing`);
    }
  }

  /** Removes a row from the list of the seal that covers it. */
  #match(open: OpenSeal | null, { kind, key, hash }: { kind: string; key: string; hash: string }): void {
    const subject = `${kind} ${key}`;
    const sealed = open?.missing.get(subject);
    if (open === null || sealed === undefined) {
      this.#report(`${subject} is not covered by the seal that it stands under: it was added`);
    } else {
      open.missing.delete(subject);
      if (sealed !== hash)
        this.#report(`${subject} is not what ${sealName(open.seal)} covers: it was changed`);
    }
  }

  /** When the books were new. The first line says when they were exported, but only a seal is signed (D-1322). */
  #newest(): number {
    const sealed_at = Number(this.#platform?.seal.sealed_at ?? 0n) / 1_000;
    return Math.max(this.#exported_at ?? 0, sealed_at);
  }

  #takeFact({ chain, seal_no, kind, row }: Line, number: number): void {
    const known = factKinds.find(({ name }) => name === kind);
    if (known === undefined || !isRow(row)) {
      this.#report(`line ${number} is not a row of a known kind`);
      return;
    }
    // The key is read from the row itself: what the line says beside it is not signed.
    const key = JSON.stringify(known.key.map(([column]) => row[column] ?? null));
    if (seal_no === null) {
      this.#counts.unsealed++;
      const at = known.at === null ? Infinity : (Number(row[known.at]) || 0) / 1_000;
      if (at < this.#newest() - unsealedFor_ms) {
        this.#report(`${known.name} ${key} is older than two minutes and has no seal`);
      }
      return;
    }
    this.#counts.facts++;
    const hash = sha256Base64(canonicalRow(row));
    this.#match(chain === platformBook ? this.#platform : this.#merchant, { kind: known.name, key, hash });
  }
}

const format = 'paydesk-books/1';

const isObject = (value: unknown): value is Line =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isRow = (value: unknown): value is Record<string, string | null> =>
  isObject(value) && Object.values(value).every((member) => member === null || typeof member === 'string');

/** The heads in the lines of a sink: the hash of each seal of the platform, by number. */
export async function readHeads(lines: AsyncIterable<string>): Promise<Map<bigint, string>> {
  const heads = new Map<bigint, string>();
  for await (const line of lines) {
    const seal = parseSeal(parseLine(line)?.seal);
    if (seal?.merchant_id === platformBook) heads.set(seal.seal_no, seal.hash);
  }
  return heads;
}
