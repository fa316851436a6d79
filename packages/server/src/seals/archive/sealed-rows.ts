/** Finds the seals of rows that go into the archive (D-472). */
import { platformBook } from '../../base/ids.ts';
import type { Queryable } from '../../base/pg/index.ts';
import {
  factKinds,
  parseEntries,
  selectCanonicalRows,
  selectSeal,
  selectSent,
  selectWholeSeals,
  sha256Base64,
  type SignedSeal,
} from '../index.ts';
import type { ArchivedKind, ArchivedRow } from './archive-file.ts';
import { selectSealLines } from './archived-lines.sql.ts';

const kindsThatLeave: readonly ArchivedKind[] = ['event', 'quote'];

/**
 * Until when seals count as settled: a check of the books has verified them, and the sink, if there is one, has them.
 * Null if none does yet.
 *
 * @param verified the last seal of the platform that a check has verified
 */
export async function settledUntil(
  db: Queryable,
  verified: bigint,
  sink: string | null,
): Promise<Date | null> {
  const sent = sink === null ? verified : await selectSent(db, sink);
  const last = await selectSeal(db, platformBook, sent < verified ? sent : verified);
  return last === null ? null : new Date(Number(last.sealed_at / 1_000n));
}

/** The canonical rows of these subjects as they stand now, by kind and key. */
async function readRows(
  db: Queryable,
  merchant_id: string,
  subjects: readonly string[],
): Promise<Map<string, string>> {
  const rows = new Map<string, string>();
  for (const name of kindsThatLeave) {
    const kind = factKinds.find((one) => one.name === name);
    const keys = subjects.flatMap((subject) =>
      subject.startsWith(`${name} `) ? [subject.slice(name.length + 1)] : [],
    );
    if (kind === undefined || keys.length === 0) continue;
    for (const { key, row } of await selectCanonicalRows(db, kind, merchant_id, keys))
      rows.set(`${name} ${key}`, row);
  }
  return rows;
}

/** The hashes of these rows as they stand now, by kind and key; rows that are gone are missing. */
export async function readRowHashes(
  db: Queryable,
  merchant_id: string,
  subjects: readonly string[],
): Promise<Map<string, string>> {
  const rows = await readRows(db, merchant_id, subjects);
  return new Map([...rows].map(([subject, row]) => [subject, sha256Base64(row)]));
}

/**
 * The rows of a merchant that are exactly what a settled seal covers, by kind and key, and these seals. Rows are mostly
 * sealed soon after they were made; the whole chain is read only for those that were not.
 *
 * @param times when the rows were made
 */
export async function findSealedRows(
  db: Queryable,
  merchant_id: string,
  subjects: readonly string[],
  { times, settled_at }: { times: readonly Date[]; settled_at: Date },
): Promise<{ rows: Map<string, ArchivedRow>; seals: (SignedSeal & { entries: string })[] }> {
  const lines = await selectSealLines(db, merchant_id, subjects, { times, until: settled_at });
  const known = new Set(lines.map(({ subject }) => subject));
  const rest = subjects.filter((subject) => !known.has(subject));
  if (rest.length > 0) {
    lines.push(...(await selectSealLines(db, merchant_id, rest, { times: null, until: settled_at })));
  }
  const seals = await selectWholeSeals(db, merchant_id, [...new Set(lines.map(({ seal_no }) => seal_no))]);
  const entries = new Map(seals.map((seal) => [seal.seal_no, parseEntries(seal.entries)]));
  const texts = await readRows(db, merchant_id, subjects);
  const rows = new Map<string, ArchivedRow>();
  for (const { seal_no, line_no, subject } of lines) {
    const row = texts.get(subject);
    const entry = entries.get(seal_no)?.[line_no - 1];
    if (row === undefined || entry === undefined || entry.hash !== sha256Base64(row)) continue;
    const { key, hash } = entry;
    rows.set(subject, { kind: entry.kind as ArchivedKind, key, seal_no, line_no, hash, row });
  }
  const used = new Set([...rows.values()].map(({ seal_no }) => seal_no));
  return { rows, seals: seals.filter(({ seal_no }) => used.has(seal_no)) };
}
