/** What an outsider verifies the books with: all sealed facts with their seals, and the public key (docs/seals.md). */
import { type Queryable } from '../base/pg/index.ts';
import { platformBook } from '../base/ids.ts';
import type { SecretBox } from '../base/secret-box.ts';
import { selectCanonicalRows, selectFactsToSeal, type FactCursor } from './fact.sql.ts';
import { keyJson, pemOf, signingKey, spkiOf } from './keys.ts';
import { type FactKind, factKinds, sealKind } from './kinds.sql.ts';
import { parseEntries, sealJson } from './seal.ts';
import { selectHorizon, selectSeal, selectSealKeys, selectSealsAfter } from './seal.sql.ts';

const pageSize = 100;
const factPage = 1_000;

/**
 * The lines of an export, in an order in which they can be verified one after another: keys, then each seal of the platform
 * with the rows that it covers. A seal of a merchant that it covers stands among them, followed by its own rows. Rows
 * without a seal come last.
 *
 * @param db a transaction that reads one snapshot
 */
export async function* exportLines(db: Queryable, exported_at: Date): AsyncGenerator<string> {
  yield JSON.stringify({ export: 'paydesk-books/1', exported_at: exported_at.toISOString() });
  for (const key of await selectSealKeys(db)) yield JSON.stringify({ key: keyJson(key) });
  for (let last = 0n; ;) {
    const heads = await selectSealsAfter(db, platformBook, last, pageSize);
    for (const { seal_no } of heads) yield* sealLines(db, platformBook, seal_no);
    last = heads.at(-1)?.seal_no ?? last;
    if (heads.length < pageSize) break;
  }
  yield* unsealedLines(db);
  yield JSON.stringify({ end: 'paydesk-books/1' });
}

/** A seal, its entries, and the rows that it covers. Missing rows are left out: the verifier notices that. */
async function* sealLines(db: Queryable, merchant_id: string, seal_no: bigint): AsyncGenerator<string> {
  const seal = await selectSeal(db, merchant_id, seal_no);
  if (seal === null) return;
  yield JSON.stringify({ seal: sealJson(seal), entries: seal.entries });
  const entries = parseEntries(seal.entries);
  for (const kind of factKinds) {
    const keys = entries.filter((entry) => entry.kind === kind.name).map(({ key }) => key);
    for (let i = 0; i < keys.length; i += factPage) {
      const rows = await selectCanonicalRows(db, kind, merchant_id, keys.slice(i, i + factPage));
      for (const { key, row } of rows) yield factLine(kind, merchant_id, seal_no, key, row);
    }
  }
  for (const { kind, key } of entries) {
    if (kind !== sealKind) continue;
    const [chain = '', no = '0'] = JSON.parse(key) as string[];
    yield* sealLines(db, chain, BigInt(no));
  }
}

/** The row is text of the database already: it is put into the line as it stands. */
const factLine = (
  { name }: FactKind,
  chain: string,
  seal_no: bigint | null,
  key: string,
  row: string,
): string =>
  `{"fact":{"chain":"${chain}","seal_no":${seal_no === null ? 'null' : `"${seal_no.toString()}"`},"kind":"${name}","key":${JSON.stringify(key)},"row":${row}}}`;

async function* unsealedLines(db: Queryable): AsyncGenerator<string> {
  const { ahead } = await selectHorizon(db);
  const everything = { from: 0n, to: ahead, is_restored: true, all_from: ahead };
  for (const kind of factKinds) {
    for (let after: FactCursor | null = null; ;) {
      const page = await selectFactsToSeal(db, kind, everything, after, factPage);
      for (const { merchant_id, key } of page) {
        const [found] = await selectCanonicalRows(db, kind, merchant_id, [key]);
        if (found !== undefined) yield factLine(kind, merchant_id, null, key, found.row);
      }
      after = page.at(-1) ?? null;
      if (page.length < factPage) break;
    }
  }
}

/**
 * The public key for outsiders, in PEM: the one of the ring's current key, or the one stored last if the secret is unknown
 * here. The export itself vouches for the keys before it.
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
