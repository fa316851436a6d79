/** Runs a check of the books, looks again at what it finds, and keeps the result for the next check. */
import type { Database, Queryable, Tx } from '../base/pg/index.ts';
import type { SecretBox } from '../base/secret-box.ts';
import type { Clock } from '../base/time/clock.ts';
import {
  addFindings,
  addToCheckpoints,
  type Finding,
  insertVerification,
  lockVerificationMark,
  preferKeys,
  readOneSnapshot,
  replaceCheckpoints,
  replaceStandingFindings,
  selectSnapshot,
  selectStandingFindings,
  selectVerificationMark,
  updateVerificationMark,
  type Verification,
  type VerificationKind,
  type VerificationMark,
  verifySince,
} from '../ledger/verification/index.ts';
import { checkBooks } from '../payments/facts/index.ts';
import {
  checkSealedFacts,
  checkSink,
  type SealSink,
  type SealsBefore,
  selectSealsNow,
} from '../seals/index.ts';
import { hasForeignRows, readNewSubjects } from './new-subjects.sql.ts';
import { type Coverage, keyOf, scopeOf, standingAfter } from './standing-findings.ts';

export interface VerificationDeps {
  db: Database;
  clock: Clock;
  /** Null if the secret key is unknown here: then the stored public keys are trusted. */
  box: Pick<SecretBox, 'derive'> | null;
  /** Null if no sink of seals is configured. */
  sink: SealSink | null;
  /** Ends the check before its next statement. */
  signal?: AbortSignal;
}

export interface KeptVerification extends Verification {
  /** `full` also where an incremental check had no earlier one to begin from. */
  kind: VerificationKind;
}

/** What an incremental check begins from. */
interface Base {
  snapshot: string;
  seals: SealsBefore;
}

/**
 * Checks the books in one snapshot while the service runs, and keeps the result.
 *
 * A full check looks at everything. An incremental one looks at the rows that the snapshot of the last kept check did not
 * show, at the orders, books and wallets that these touch, and at the subjects of all findings that stand. A transaction
 * that had not ended then is new now, whatever its number.
 *
 * Invariants:
 * - A finding is reported only if a second look at its subject, in a fresh snapshot, finds it too.
 * - A finding stands until a check looks at its subject and does not find it.
 * - The mark moves together with the findings, the checkpoints and the record of the check, or not at all. If another
 *   check has ended meanwhile, findings are only added, and the mark stays.
 */
export async function verifyAndKeep(
  deps: VerificationDeps,
  asked: { kind: VerificationKind; verified_by: string },
): Promise<KeptVerification> {
  const begun_at = deps.clock.now();
  const start = performance.now();
  // The sink first: every head in it is then a seal that the snapshot must show.
  const outside = asked.kind === 'full' ? await checkSink(deps.db, deps) : [];
  let result: KeptVerification | undefined;
  const record = (of: KeptVerification) => ({
    verified_at: begun_at,
    verified_by: asked.verified_by,
    kind: of.kind,
    ok: of.ok,
    entries: of.entries,
    findings: of.findings.length,
    duration_ms: Math.round(performance.now() - start),
  });
  const check = async (tx: Tx): Promise<KeptVerification> => {
    const at = deps.clock.now();
    await readOneSnapshot(tx, 'read write');
    const mark = await selectVerificationMark(tx);
    const seen = await selectSnapshot(tx);
    const base = asked.kind === 'full' ? null : baseOf(mark, seen);
    const first = await checkOnce({ ...deps, at }, stoppable(tx, deps.signal), base);
    const findings = await lookAgain(deps, [...outside, ...first.findings], base);
    result = { ...first, findings, ok: findings.length === 0, kind: base === null ? 'full' : 'incremental' };
    // Fails if another check has ended since the snapshot.
    await lockVerificationMark(tx);
    await insertVerification(tx, record(result));
    const coverage = base === null ? 'everything' : 'subjects of findings';
    await keepFindings(tx, result.findings, coverage, begun_at);
    if (base === null) await replaceCheckpoints(tx, result.drift);
    else await addToCheckpoints(tx, base);
    await updateVerificationMark(tx, {
      ...mark,
      ...(await selectSealsNow(tx)),
      version: mark.version + 1n,
      snapshot: (await hasForeignRows(tx)) ? null : seen.snapshot,
      cluster: seen.cluster,
      checked_at: begun_at,
      full_at: base === null ? begun_at : mark.full_at,
    });
    return result;
  };
  try {
    return await deps.db.transaction(check, { unlimited: true });
  } catch (error) {
    if (result === undefined || (error as { code?: unknown }).code !== '40001') throw error;
  }
  // Another check has ended meanwhile.
  const kept = result;
  await deps.db.transaction(async (tx) => {
    await lockVerificationMark(tx);
    await insertVerification(tx, record(kept));
    await keepFindings(tx, kept.findings, 'nothing certain', begun_at);
  });
  return kept;
}

/** Where the last kept check lets this one begin; null if everything must be checked. */
function baseOf(mark: VerificationMark, seen: { cluster: string; ahead: bigint }): Base | null {
  const { snapshot, cluster, seal_no, seal_hash, sealed_below } = mark;
  // A dump that is restored into another cluster restarts the count of transactions.
  if (snapshot === null || cluster !== seen.cluster) return null;
  if (BigInt(snapshot.split(':')[1] ?? 0) > seen.ahead) return null;
  return { snapshot, seals: { seal_no, seal_hash, sealed_below } };
}

/** One look in one snapshot. */
async function checkOnce(
  deps: Pick<VerificationDeps, 'box'> & { at: Date },
  db: Queryable,
  base: Base | null,
): Promise<Verification> {
  if (base === null) {
    const books = await checkBooks(db, null);
    return addFindings(books, await checkSealedFacts(db, deps, null));
  }
  await preferKeys(db);
  const shared = await verifySince(db, base);
  let sum: Verification = { ok: true, entries: 0n, imbalances: [], drift: shared.drift, findings: [] };
  for await (const scope of readNewSubjects(db, base, scopeOf(await selectStandingFindings(db)))) {
    const page = await checkBooks(db, scope);
    sum = {
      ...sum,
      entries: sum.entries + page.entries,
      imbalances: [...sum.imbalances, ...page.imbalances],
      drift: [...sum.drift, ...page.drift],
      findings: [...sum.findings, ...page.findings],
    };
  }
  const known = new Set(sum.findings.map(keyOf));
  const more = shared.findings.filter((one) => !known.has(keyOf(one)));
  return addFindings(sum, [...more, ...(await checkSealedFacts(db, deps, base.seals))]);
}

/**
 * Looks at the subjects of findings again, in a fresh snapshot. On a database of several nodes one snapshot is not the same
 * moment everywhere. A real fault is also found at the second look.
 */
async function lookAgain(
  deps: VerificationDeps,
  found: readonly Finding[],
  base: Base | null,
): Promise<Finding[]> {
  if (found.length === 0) return [];
  const ofSeals = found.filter(isOfSeals);
  const ofBooks = found.filter((one) => !isOfSeals(one));
  const outside = ofSeals.length > 0 && base === null ? await checkSink(deps.db, deps) : [];
  const look = async (tx: Tx): Promise<Finding[]> => {
    const at = deps.clock.now();
    await readOneSnapshot(tx);
    const db = stoppable(tx, deps.signal);
    return [
      ...(ofBooks.length > 0 ? (await checkBooks(db, scopeOf(ofBooks))).findings : []),
      ...(ofSeals.length > 0 ? await checkSealedFacts(db, { ...deps, at }, base?.seals ?? null) : []),
    ];
  };
  const inside = await deps.db.transaction(look, { unlimited: true });
  const first = new Set(found.map(keyOf));
  return [...inside, ...outside].filter((one) => first.has(keyOf(one)));
}

const isOfSeals = ({ kind }: Finding): boolean => kind.startsWith('seal') || kind === 'fact_unsealed';

async function keepFindings(tx: Tx, found: readonly Finding[], coverage: Coverage, now: Date): Promise<void> {
  const before = await selectStandingFindings(tx);
  const after = standingAfter(before, found, { coverage, now });
  if (before.length + after.length > 0) await replaceStandingFindings(tx, after);
}

/** The same connection, until the signal comes. */
const stoppable = (db: Queryable, signal: AbortSignal | undefined): Queryable => ({
  query: (statement) => {
    signal?.throwIfAborted();
    return db.query(statement);
  },
});
