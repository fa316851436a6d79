/** Compares the heads outside the database with the seals in it. */
import type { Database } from '../base/pg/index.ts';
import { platformBook } from '../base/ids.ts';
import type { SecretBox } from '../base/secret-box.ts';
import { bookOf, type Finding } from '../ledger/verification/index.ts';
import { type TrustedKeys, trustRing } from './keys.ts';
import { isSignedBy, parseSeal, sealHash, type SignedSeal } from './seal.ts';
import { selectSealHashes, selectSealKeys, selectSent } from './seal.sql.ts';
import type { SealSink } from './seal-sink.ts';

const pageSize = 500;

/** What a sink has cannot be read. Another error of a check, such as one of the database, is not the sink's (D-1117). */
export class UnreadableError extends Error {}

/** The lines of a sink. Throws UnreadableError if they cannot be read. */
export async function* linesIn(sink: SealSink): AsyncGenerator<string> {
  try {
    yield* sink.read();
  } catch (error) {
    throw new UnreadableError((error as Error).message, { cause: error });
  }
}

/**
 * Reads the sink from its beginning. Every head in it must be a seal of the platform's chain as it stands in the database;
 * otherwise facts were cut off together with their seals, or sealed again. The heads must also be complete: the sink has
 * every seal that was sent.
 */
export async function checkSink(
  db: Database,
  { sink, box }: { sink: SealSink | null; box: Pick<SecretBox, 'derive'> | null },
): Promise<Finding[]> {
  if (sink === null) return [];
  const sent = await selectSent(db, sink.name);
  const keys = trustRing(box, await selectSealKeys(db));
  const found: Finding[] = [];
  let last = 0n;
  let page: SignedSeal[] = [];
  const comparePage = async (): Promise<void> => {
    found.push(...(await compareWithDatabase(db, page, keys)));
    page = [];
  };
  try {
    for await (const line of linesIn(sink)) {
      const seal = parseLine(line);
      // Half a line of a process that died says nothing: if it is not repeated, the next head shows a gap.
      if (seal === null) continue;
      if (last === 0n && sink.rotates === true) last = seal.seal_no - 1n;
      if (seal.seal_no > last + 1n) found.push(gapFinding(last + 1n, seal.seal_no - 1n));
      if (seal.seal_no > last) last = seal.seal_no;
      page.push(seal);
      if (page.length >= pageSize) await comparePage();
    }
    await comparePage();
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    return [...found, unreadable(error.message)];
  }
  if (last === 0n && sink.rotates === true) return found;
  return last < sent ? [...found, gapFinding(last + 1n, sent)] : found;
}

function parseLine(line: string): SignedSeal | null {
  try {
    const seal = parseSeal((JSON.parse(line) as { seal?: unknown }).seal);
    return seal?.merchant_id === platformBook ? seal : null;
  } catch {
    return null;
  }
}

async function compareWithDatabase(
  db: Database,
  heads: readonly SignedSeal[],
  keys: TrustedKeys,
): Promise<Finding[]> {
  if (heads.length === 0) return [];
  const numbers = heads.map(({ seal_no }) => seal_no);
  const stored = await selectSealHashes(db, platformBook, numbers);
  return heads.flatMap((head) => {
    const hash = stored.get(head.seal_no);
    if (hash === head.hash && sealHash(head) === head.hash) return [];
    const key = keys(head.key_id);
    const isOurs = key !== null && sealHash(head) === head.hash && isSignedBy(head, key);
    const words = !isOurs
      ? 'the sink has a head that no trusted key has signed'
      : hash === undefined
        ? `the sink has the head of ${name(head)}, made at ${timeOf(head)}, and the database does not: facts were cut off together with their seals`
        : `the sink has another head of ${name(head)}, made at ${timeOf(head)}: the facts were sealed again since`;
    const kind = !isOurs ? 'seal_sink_forged' : hash === undefined ? 'seal_lost' : 'seal_replaced';
    return [{ kind, book: bookOf(platformBook), subject: name(head), words }];
  });
}

const name = ({ seal_no }: SignedSeal): string => `seal ${seal_no.toString()}`;
const timeOf = ({ sealed_at }: SignedSeal): string => new Date(Number(sealed_at / 1_000n)).toISOString();

const gapFinding = (from: bigint, to: bigint): Finding => ({
  kind: 'seal_sink_incomplete',
  book: bookOf(platformBook),
  subject: `seal ${from.toString()}`,
  words: `the sink lacks the heads of the seals ${from.toString()} to ${to.toString()}, which were sent to it`,
});

/** The finding that a sink cannot be read. */
export const unreadable = (why: string): Finding => ({
  kind: 'seal_sink_unreadable',
  book: bookOf(platformBook),
  subject: 'sink',
  words: `the sink of the seals cannot be read: ${why}`,
});
