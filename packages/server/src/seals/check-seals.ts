/** Finds sealed rows that were changed, seals that do not hold, and facts that should have a seal. */
import type { Database, Queryable, Tx } from '../base/pg/index.ts';
import { platformBook } from '../base/ids.ts';
import type { SecretBox } from '../base/secret-box.ts';
import { type Clock, later, minutes } from '../base/time/clock.ts';
import { bookOf, type Finding, readOneSnapshot } from '../ledger/verification/index.ts';
import { checkSink } from './check-seal-sink.ts';
import {
  type FactFault,
  planForPages,
  selectFaultsOfChains,
  selectNewFaults,
  type UnsealedLimits,
} from './fact.sql.ts';
import { type TrustedKeys, trustRing } from './keys.ts';
import { sealFaults, type SignedSeal } from './seal.ts';
import {
  selectAllSeals,
  selectCoveredSeals,
  selectHorizon,
  selectLastSeal,
  selectMark,
  selectSeal,
  selectSealKeys,
  selectSealsAfter,
} from './seal.sql.ts';
import type { SealSink } from './seal-sink.ts';
import { selectSuspects } from './suspect.sql.ts';

export interface CheckDeps {
  clock: Clock;
  /** Null if the secret key is unknown here: then the stored public keys are trusted. */
  box: Pick<SecretBox, 'derive'> | null;
  /** Null if no sink is configured. */
  sink: SealSink | null;
}

/** Maximum number of findings of each sort. */
const maxFaults = 1_000;
const pageSize = 1_000;
/** Number of the platform's seals that are checked together with the seals of merchants that they cover. */
const newSealsAtOnce = 20;
/** A fact that is older has a seal, unless the sealing is late. */
const sealedWithin_ms = minutes(2);

/**
 * All findings about seals. The sink is read first, so that every head in it is a seal that the snapshot of the database
 * must have.
 */
export async function findSealFaults(db: Database, deps: CheckDeps): Promise<Finding[]> {
  const outside = await checkSink(db, deps);
  const check = async (tx: Tx): Promise<Finding[]> => {
    const at = deps.clock.now();
    await readOneSnapshot(tx);
    return checkSealedFacts(tx, { ...deps, at });
  };
  const inside = await db.transaction(check, { unlimited: true });
  return [...outside, ...inside];
}

/** What an earlier check has verified: all seals up to one of the platform's, and the rows of all transactions below. */
export interface SealsBefore {
  /** Zero if there was none. */
  seal_no: bigint;
  seal_hash: string | null;
  sealed_below: bigint;
}

/**
 * What the next check can begin from. Empty while a pass has sealed a part of its transactions only: rows of the same
 * transactions then are in seals on both sides.
 */
export async function selectSealsNow(db: Queryable): Promise<SealsBefore | Record<string, never>> {
  const mark = await selectMark(db);
  if (mark === null || mark.window_to !== null) return {};
  const last = await selectLastSeal(db, platformBook);
  return { seal_no: last?.seal_no ?? 0n, seal_hash: last?.hash ?? null, sealed_below: mark.sealed_below };
}

/**
 * What the database alone shows.
 *
 * @param at the time just before the snapshot
 * @param since what an earlier check has verified; only newer seals and rows are looked at. Null for all
 */
export async function checkSealedFacts(
  db: Queryable,
  { at, box }: Pick<CheckDeps, 'box'> & { at: Date },
  since: SealsBefore | null = null,
): Promise<Finding[]> {
  await planForPages(db);
  const keys = trustRing(box, await selectSealKeys(db));
  const chains = await (since === null ? checkChains(db, keys) : checkNewSeals(db, keys, since));
  const limits = await limitsOf(db, at);
  const facts = await (since === null
    ? checkFacts(db, limits)
    : selectNewFaults(db, limits, since, maxFaults));
  return [...chains, ...facts.map(factFinding)];
}

/** Only the chains in which a row may differ are compared row by row (D-386). */
async function checkFacts(db: Queryable, limits: UnsealedLimits): Promise<FactFault[]> {
  const suspects = await selectSuspects(db, limits);
  return suspects.length === 0 ? [] : selectFaultsOfChains(db, suspects, limits, maxFaults);
}

/** What tells whether a row without a seal is at fault in a snapshot, of just after this time (D-1128). */
export async function limitsOf(db: Queryable, at: Date): Promise<UnsealedLimits> {
  const [mark, { ahead }] = [await selectMark(db), await selectHorizon(db)];
  return { sealed_below: mark?.sealed_below ?? 0n, ahead, cutoff: later(at, -sealedWithin_ms) };
}

/** Walks along all chains: each seal continues the one before it and is signed by a trusted key. */
async function checkChains(db: Queryable, keys: TrustedKeys): Promise<Finding[]> {
  const found: Finding[] = [];
  let before: SignedSeal | null = null;
  for (;;) {
    const after: { merchant_id: string; seal_no: bigint } = before ?? {
      merchant_id: platformBook,
      seal_no: 0n,
    };
    const page: SignedSeal[] = await selectAllSeals(db, after, pageSize);
    for (const seal of page) {
      const previous: SignedSeal | null = before?.merchant_id === seal.merchant_id ? before : null;
      found.push(...sealFaults(seal, previous, keys(seal.key_id)).map((words) => sealFinding(seal, words)));
      before = seal;
    }
    if (page.length < pageSize || found.length > maxFaults) return found;
  }
}

/** Walks along the platform's chain from the last verified seal, and looks at the seals of merchants that it covers. */
async function checkNewSeals(db: Queryable, keys: TrustedKeys, since: SealsBefore): Promise<Finding[]> {
  let before: SignedSeal | null = null;
  if (since.seal_no > 0n) {
    before = await selectSeal(db, platformBook, since.seal_no);
    if (before?.hash !== since.seal_hash) return [anchorFinding(since, before !== null)];
  }
  const found: Finding[] = [];
  for (let after = since.seal_no; ;) {
    const page = await selectSealsAfter(db, platformBook, after, newSealsAtOnce);
    for (const seal of page) {
      found.push(...sealFaults(seal, before, keys(seal.key_id)).map((words) => sealFinding(seal, words)));
      before = seal;
    }
    const covered = await selectCoveredSeals(
      db,
      page.map(({ seal_no }) => seal_no),
    );
    let one: SignedSeal | null = null;
    for (const { is_new, ...seal } of covered) {
      const previous = one?.merchant_id === seal.merchant_id ? one : null;
      const faults = is_new ? sealFaults(seal, previous, keys(seal.key_id)) : [];
      found.push(...faults.map((words) => sealFinding(seal, words)));
      one = seal;
    }
    if (page.length < newSealsAtOnce || found.length > maxFaults) return found;
    after = before?.seal_no ?? after;
  }
}

const anchorFinding = ({ seal_no }: SealsBefore, isThere: boolean): Finding => ({
  kind: isThere ? 'seal_replaced' : 'seal_lost',
  book: bookOf(platformBook),
  subject: `seal ${seal_no.toString()}`,
  words: isThere
    ? `seal ${seal_no.toString()} is not the one that an earlier check verified: the facts were sealed again since`
    : `an earlier check verified seal ${seal_no.toString()}, and it is gone: facts were cut off together with their seals`,
});

export const sealFinding = ({ merchant_id, seal_no }: SignedSeal, words: string): Finding => ({
  kind: 'seal_broken',
  book: bookOf(merchant_id),
  subject: `seal ${seal_no.toString()}`,
  words: `seal ${seal_no.toString()} does not hold: ${words}`,
});

const kinds = {
  changed: 'sealed_row_changed',
  missing: 'sealed_row_missing',
  added: 'sealed_row_added',
  unsealed: 'fact_unsealed',
} as const;

export function factFinding({ merchant_id, subject, seal_no, fault }: FactFault): Finding {
  const seal = `seal ${(seal_no ?? 0n).toString()}`;
  const words = {
    changed: `${subject} is not what ${seal} covers: the row was changed after it was sealed`,
    missing: `${subject} is covered by ${seal} and is gone`,
    added: `${subject} has no seal, and its transaction was sealed before or never was: the row was added past the service`,
    unsealed: `${subject} is older than two minutes and has no seal: is a worker running, or a transaction that does not end?`,
  }[fault];
  return { kind: kinds[fault], book: bookOf(merchant_id), subject, words };
}
