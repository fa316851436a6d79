/** Checks the audit trail alone: its entries, the platform's chain of seals, and what the sinks outside have. */
import { auditJson, countAuditEntries, selectAuditEntriesById } from '../base/audit/index.ts';
import { writeJson } from '../base/input/json.ts';
import type { Database, Queryable, Tx } from '../base/pg/index.ts';
import { platformBook } from '../base/ids.ts';
import { bookOf, type Finding, readOneSnapshot } from '../ledger/verification/index.ts';
import { type CheckDeps, factFinding, limitsOf, sealFinding } from './check-seals.ts';
import { checkSink, linesIn, unreadable, UnreadableError } from './check-seal-sink.ts';
import { planForPages, selectFaultsOfKind } from './fact.sql.ts';
import { type TrustedKeys, trustRing } from './keys.ts';
import { auditKind } from './kinds.sql.ts';
import { sealFaults, type SignedSeal } from './seal.ts';
import { selectSealKeys, selectSealsAfter } from './seal.sql.ts';
import type { SealSink } from './seal-sink.ts';

const pageSize = 1_000;
/** Maximum number of findings of each sort. */
const maxFaults = 1_000;

export interface AuditCheckDeps extends Omit<CheckDeps, 'sink'> {
  /** The sink of the seals' heads, or null. */
  sealSink: SealSink | null;
  /** The sink of the audit trail, where it can be read back, or null. */
  stream: SealSink | null;
}

/**
 * Everything that is wrong with the audit trail. It reads no other facts, so it is much faster than a check of the books.
 * The sinks are read first, so that the snapshot of the database must have all that they have.
 */
export async function findAuditFaults(
  db: Database,
  { clock, box, sealSink, stream }: AuditCheckDeps,
): Promise<{ entries: bigint; findings: Finding[] }> {
  const heads = await checkSink(db, { sink: sealSink, box });
  const streamed = await checkSink(db, { sink: stream, box });
  const lines = stream === null ? [] : await checkStream(db, stream);
  const check = async (tx: Tx): Promise<{ entries: bigint; inside: Finding[] }> => {
    const at = clock.now();
    await readOneSnapshot(tx);
    await planForPages(tx);
    const chain = await checkPlatformChain(tx, trustRing(box, await selectSealKeys(tx)));
    const faults = await selectFaultsOfKind(tx, auditKind, await limitsOf(tx, at), maxFaults);
    return { entries: await countAuditEntries(tx), inside: [...chain, ...faults.map(factFinding)] };
  };
  const { entries, inside } = await db.transaction(check, { unlimited: true });
  // A fault that both the seals and the sink show is reported once.
  const named = new Set(inside.map(({ subject }) => subject));
  const keyOf = ({ kind, subject }: Finding): string => `${kind} ${subject}`;
  const known = new Set(heads.map(keyOf));
  const more = streamed.filter((one) => !known.has(keyOf(one)));
  const ofSinks = new Set([...heads, ...more].map(keyOf));
  const added = lines.filter((one) => !named.has(one.subject) && !ofSinks.has(keyOf(one)));
  return { entries, findings: [...heads, ...more, ...inside, ...added] };
}

/** Walks along the platform's chain: each seal continues the one before it and is signed by a trusted key. */
async function checkPlatformChain(db: Queryable, keys: TrustedKeys): Promise<Finding[]> {
  const found: Finding[] = [];
  for (let before: SignedSeal | null = null; ;) {
    const page: SignedSeal[] = await selectSealsAfter(db, platformBook, before?.seal_no ?? 0n, pageSize);
    for (const seal of page) {
      found.push(...sealFaults(seal, before, keys(seal.key_id)).map((words) => sealFinding(seal, words)));
      before = seal;
    }
    if (page.length < pageSize || found.length > maxFaults) return found;
  }
}

type Line = Record<string, unknown> & { audit_id: string };

const linesAtOnce = 500;

/**
 * Every entry that the sink has must be in the database, with the same members. So this also finds an entry that was cut
 * off together with its seal.
 */
async function checkStream(db: Database, sink: SealSink): Promise<Finding[]> {
  const found: Finding[] = [];
  let page: Line[] = [];
  const comparePage = async (): Promise<void> => {
    found.push(...(await comparedWithDatabase(db, page)));
    page = [];
  };
  try {
    for await (const text of linesIn(sink)) {
      const line = parseLine(text);
      if (line !== null) page.push(line);
      if (page.length >= linesAtOnce) await comparePage();
    }
    await comparePage();
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    // The check of the heads has read the same sink, and may have read all of it (D-1117).
    return [...found, unreadable(error.message)];
  }
  return found;
}

function parseLine(text: string): Line | null {
  try {
    const json = JSON.parse(text) as Record<string, unknown> | null;
    return typeof json?.audit_id === 'string' ? (json as Line) : null;
  } catch {
    return null;
  }
}

async function comparedWithDatabase(db: Database, lines: readonly Line[]): Promise<Finding[]> {
  if (lines.length === 0) return [];
  const stored = await selectAuditEntriesById(
    db,
    lines.map(({ audit_id }) => audit_id),
  );
  const byId = new Map(
    stored.map((entry) => [entry.audit_id, JSON.parse(writeJson(auditJson(entry))) as Line]),
  );
  return lines.flatMap((line) => {
    const now = byId.get(line.audit_id);
    if (now === undefined)
      return [finding(line, 'audit_entry_lost', 'is in the sink and not in the database')];
    // Only what the line has: a later release may add members.
    const isSame = Object.keys(line).every(
      (name) => JSON.stringify(line[name]) === JSON.stringify(now[name]),
    );
    return isSame ? [] : [finding(line, 'audit_entry_differs', 'is not what the sink has')];
  });
}

function finding({ audit_id }: Line, kind: string, words: string): Finding {
  const subject = `audit ["${audit_id}"]`;
  return { kind, book: bookOf(platformBook), subject, words: `${subject} ${words}` };
}
