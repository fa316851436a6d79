/**
 * The format of an archive's file (docs/operating/archive.md): sealed rows that have left the database, with the seals that
 * cover them. Written and read here, without a database, because outsiders verify it.
 */
import {
  canonicalRow,
  factKinds,
  keyJson,
  parseEntries,
  parseSeal,
  readKey,
  sealFaults,
  sealJson,
  type SealKey,
  sha256Base64,
  sha256Hex,
  type SignedSeal,
  trustPem,
} from '../index.ts';

export const archiveFormat = 'paydesk-archive/1';

/** The kinds of rows that can leave. */
export type ArchivedKind = 'event' | 'quote';

/** A row that has left, and where the seals have it. */
export interface ArchivedRow {
  kind: ArchivedKind;
  key: string;
  seal_no: bigint;
  /** Counts from 1. */
  line_no: number;
  /** SHA-256 of the canonical row, in base64. */
  hash: string;
  /** The canonical row. */
  row: string;
}

/** One order in a file. Its events are `ArchivedEvent`s of the notifications' records. */
export interface FiledOrder {
  order_no: string;
  events: readonly (readonly [event_id: string, ...unknown[]])[];
  confirmed: boolean;
  order_digest: string;
  method_ids: readonly string[];
}

/** What a file is about. */
export interface ArchiveHeader {
  merchant_id: string;
  merchant_no: string;
  before: string;
  written_at: string;
}

export interface ArchiveFile extends ArchiveHeader {
  orders: FiledOrder[];
  rows: ArchivedRow[];
  seals: (SignedSeal & { entries: string })[];
}

/** The rows of an order by kind and key. */
export const subjectsOf = ({
  order_no,
  events,
  method_ids,
}: Pick<FiledOrder, 'order_no' | 'events' | 'method_ids'>): string[] => [
  ...events.map(([event_id]) => `event ${JSON.stringify([event_id])}`),
  ...method_ids.map((method_id) => `quote ${JSON.stringify([order_no, method_id])}`),
];

/** The lines of a file: what it is, public keys, each seal with the rows that it covers, and the orders. */
export function* archiveLines(file: ArchiveFile, keys: readonly SealKey[]): Generator<string> {
  const { merchant_id, merchant_no, before, written_at, orders, rows, seals } = file;
  yield JSON.stringify({ archive: archiveFormat, merchant_id, merchant_no, before, written_at });
  for (const key of keys) yield JSON.stringify({ key: keyJson(key) });
  for (const seal of seals) {
    yield JSON.stringify({ seal: sealJson(seal), entries: seal.entries });
    for (const { kind, key, seal_no, row } of rows) {
      if (seal_no !== seal.seal_no) continue;
      yield `{"fact":{"chain":"${merchant_id}","seal_no":"${seal_no.toString()}","kind":"${kind}","key":${JSON.stringify(key)},"row":${row}}}`;
    }
  }
  for (const order of orders) yield JSON.stringify({ order });
  yield JSON.stringify({ end: archiveFormat, orders: orders.length, rows: rows.length });
}

type Line = Record<string, unknown>;

const isObject = (value: unknown): value is Line =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isText = (value: unknown): value is string => typeof value === 'string';

const isOrder = (value: unknown): value is FiledOrder =>
  isObject(value) &&
  [value.order_no, value.order_digest].every(isText) &&
  typeof value.confirmed === 'boolean' &&
  Array.isArray(value.events) &&
  value.events.every((event) => Array.isArray(event) && isText(event[0])) &&
  Array.isArray(value.method_ids) &&
  value.method_ids.every(isText);

function parseLine(line: string): Line | null {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/**
 * Reads a file and verifies it: each seal with its signature and its list, each row with its seal, and that every order has
 * its rows (D-476).
 *
 * @param pem trusted public keys
 * @param report called with the description of each fault
 */
export function readArchive(
  lines: Iterable<string>,
  pem: string,
  report: (words: string) => void,
): ArchiveFile {
  const reader = new Reader(pem, report);
  let number = 0;
  for (const line of lines) reader.take(parseLine(line) ?? {}, ++number);
  return reader.end();
}

class Reader {
  readonly #pem: string;
  readonly #report: (words: string) => void;
  readonly #keys: SealKey[] = [];
  readonly #file: ArchiveFile = {
    ...{ merchant_id: '', merchant_no: '', before: '', written_at: '' },
    ...{ orders: [], rows: [], seals: [] },
  };
  /** The lines of the last seal by kind and key: number and hash. */
  #open = new Map<string, { line_no: number; hash: string }>();
  #ends = false;

  constructor(pem: string, report: (words: string) => void) {
    this.#pem = pem;
    this.#report = report;
  }

  take(line: Line, number: number): void {
    if (line.archive === archiveFormat) {
      const text = (name: string): string => (isText(line[name]) ? line[name] : '');
      this.#file.merchant_id = text('merchant_id');
      this.#file.merchant_no = text('merchant_no');
      this.#file.before = text('before');
      this.#file.written_at = text('written_at');
    } else if (isObject(line.key)) this.#keys.push(readKey(line.key));
    else if ('seal' in line) this.#takeSeal(line, number);
    else if (isObject(line.fact)) this.#takeRow(line.fact, number);
    else if (isOrder(line.order)) this.#file.orders.push(line.order);
    else if (line.end === archiveFormat) this.#takeEnd(line);
    else this.#report(`line ${number} is not a line of an archive`);
  }

  end(): ArchiveFile {
    const { orders, rows } = this.#file;
    if (!this.#ends) this.#report('the file has no end: lines are missing');
    const there = new Set(rows.map(({ kind, key }) => `${kind} ${key}`));
    for (const order of orders) {
      for (const subject of subjectsOf(order)) {
        if (!there.delete(subject)) this.#report(`${subject} of order ${order.order_no} is missing`);
      }
    }
    for (const subject of there) this.#report(`${subject} belongs to no order of the file`);
    return this.#file;
  }

  #takeSeal(line: Line, number: number): void {
    const seal = parseSeal(line.seal);
    if (seal === null || typeof line.entries !== 'string') {
      this.#report(`line ${number} is not a seal`);
      return;
    }
    const { merchant_id, seal_no, previous } = seal;
    // A file has some seals of the chain only, so each is taken as the next one: the export of the books has the whole chain.
    const before = { seal_no: seal_no - 1n, hash: previous };
    const faults = sealFaults(seal, before, trustPem(this.#pem, this.#keys)(seal.key_id));
    if (merchant_id !== this.#file.merchant_id) faults.push('it is of another merchant');
    const entries = parseEntries(line.entries);
    if (sha256Hex(line.entries) !== seal.entries_hash || entries.length !== seal.entry_count) {
      faults.push('its list of rows was changed');
    }
    for (const fault of faults) this.#report(`seal ${seal_no.toString()} does not hold: ${fault}`);
    this.#open = new Map(
      entries.map(({ kind, key, hash }, i) => [`${kind} ${key}`, { line_no: i + 1, hash }]),
    );
    this.#file.seals.push({ ...seal, entries: line.entries });
  }

  #takeRow({ kind, row }: Line, number: number): void {
    const known = factKinds.find(({ name }) => name === kind);
    const seal_no = this.#file.seals.at(-1)?.seal_no;
    if (
      (kind !== 'event' && kind !== 'quote') ||
      known === undefined ||
      !isObject(row) ||
      seal_no === undefined
    ) {
      this.#report(`line ${number} is not a row that can be in an archive`);
      return;
    }
    const key = JSON.stringify(known.key.map(([column]) => row[column] ?? null));
    const text = canonicalRow(row as Record<string, string | null>);
    const hash = sha256Base64(text);
    const sealed = this.#open.get(`${kind} ${key}`);
    if (sealed === undefined) {
      this.#report(`${kind} ${key} is not covered by the seal that it stands under: it was added`);
      return;
    }
    if (sealed.hash !== hash)
      this.#report(`${kind} ${key} is not what seal ${seal_no.toString()} covers: it was changed`);
    this.#file.rows.push({ kind, key, seal_no, line_no: sealed.line_no, hash, row: text });
  }

  #takeEnd({ orders, rows }: Line): void {
    this.#ends = true;
    const has = [this.#file.orders.length, this.#file.rows.length];
    if (orders !== has[0] || rows !== has[1]) {
      this.#report(
        `the file says that it has ${String(orders)} orders and ${String(rows)} rows, and has ${has.join(' and ')}`,
      );
    }
  }
}

/** Records which lines of each seal are in verified files: a bit for each line. */
export class ArchivedLines {
  readonly #bits = new Map<string, Uint8Array>();

  add({ merchant_id, rows, seals }: ArchiveFile): void {
    const known = new Map(seals.map((seal) => [seal.seal_no, seal]));
    for (const { seal_no, line_no } of rows) {
      const seal = known.get(seal_no);
      if (seal === undefined) continue;
      const name = `${merchant_id} ${seal.hash}`;
      const bits = this.#bits.get(name) ?? new Uint8Array(Math.ceil(seal.entry_count / 8));
      this.#bits.set(name, bits);
      bits[(line_no - 1) >> 3] = (bits[(line_no - 1) >> 3] ?? 0) | (1 << ((line_no - 1) & 7));
    }
  }

  has({ merchant_id, hash }: Pick<SignedSeal, 'merchant_id' | 'hash'>, line_no: number): boolean {
    const bits = this.#bits.get(`${merchant_id} ${hash}`);
    return bits !== undefined && ((bits[(line_no - 1) >> 3] ?? 0) & (1 << ((line_no - 1) & 7))) !== 0;
  }
}
