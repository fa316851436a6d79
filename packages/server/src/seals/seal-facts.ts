/** The worker's pass: seals all facts that have no seal yet. */
import { type Database, isTimedOut, type Queryable, settledCommits, type Tx } from '../base/pg/index.ts';
import { AppError, InvariantError } from '../base/errors.ts';
import { platformBook } from '../base/ids.ts';
import type { SecretBox } from '../base/secret-box.ts';
import type { Clock } from '../base/time/clock.ts';
import { type FactCursor, hasFactsFrom, planForPages, selectFactsToSeal, type Window } from './fact.sql.ts';
import { endorse, signingKey, spkiOf } from './keys.ts';
import { factKinds } from './kinds.sql.ts';
import {
  entriesText,
  entryOfSeal,
  noSeal,
  type SealEntry,
  sha256Hex,
  type SignedSeal,
  signSeal,
} from './seal.ts';
import {
  endorseSealKey,
  type Horizon,
  insertSealKey,
  insertSeals,
  lockMark,
  type SealMark,
  selectHorizon,
  selectLastSeal,
  selectSealKeys,
  updateMark,
} from './seal.sql.ts';

export interface SealDeps {
  db: Database;
  clock: Clock;
  box: Pick<SecretBox, 'key_id' | 'derive'>;
  /** Maximum number of rows in one pass. */
  batch_size?: number;
}

const usualBatchSize = 5_000;

/**
 * Seals the rows of all transactions that have ended since the last pass, at most `batch_size` of them. A pass that takes longer
 * than a statement may, as the one after a restore or `pg_upgrade`, which compares all rows with the seals, runs again without a
 * limit (D-1231).
 *
 * Invariants:
 * - One worker seals at a time: it holds the lock of the mark. So a chain has no gap and no fork.
 * - A row is sealed once: seals and mark change in one transaction.
 * - No row is left out: a window ends below the oldest transaction that still runs, and begins where the last one ended.
 *
 * @returns the number of sealed rows if more wait, else 0
 */
export async function sealFacts(deps: SealDeps): Promise<number> {
  const pass = (unlimited: boolean): Promise<number> =>
    deps.db.transaction((tx) => sealNext(tx, deps), { unlimited });
  try {
    return await pass(false);
  } catch (error) {
    if (!(error instanceof AppError) || !isTimedOut(error.cause)) throw error;
    return pass(true);
  }
}

async function sealNext(tx: Tx, deps: SealDeps): Promise<number> {
  const { batch_size = usualBatchSize } = deps;
  const mark = await lockMark(tx);
  if (mark === null) return 0;
  await planForPages(tx);
  const counted = await selectHorizon(tx);
  // What is committed below the horizon must be there to be read (D-425).
  if (!(await settledCommits(tx))) return 0;
  const open = openWindow(mark, counted);
  const { facts, rest } = await collectFacts(tx, open, windowOf(open, counted), batch_size);
  await sealChains(deps, tx, facts);
  const passed_at = deps.clock.now();
  const next =
    rest === null ? await closeWindow(tx, open, counted, passed_at) : { ...open, ...rest, passed_at };
  await updateMark(tx, next);
  return rest === null ? 0 : facts.length;
}

type OpenMark = SealMark & { window_to: bigint };

/**
 * The window to work on: the one that an earlier pass began, or the next. A dump that is restored into another cluster
 * restarts the count of transactions. Then the first window begins at zero and looks for every row that has no seal. Later
 * windows check whether a row has a seal, until the cluster has counted as far as the old one (D-580).
 */
function openWindow(mark: SealMark, { horizon, ahead, cluster }: Horizon): OpenMark {
  const isRestored = (mark.cluster !== null && mark.cluster !== cluster) || mark.sealed_below > ahead;
  if (mark.window_to !== null && !isRestored) return { ...mark, window_to: mark.window_to };
  return {
    ...mark,
    ...(isRestored ? { sealed_below: 0n, searches_all: true } : {}),
    cluster,
    window_to: horizon,
    after_kind: null,
    after_key: null,
  };
}

const windowOf = ({ sealed_below, window_to, searches_all }: OpenMark, { ahead }: Horizon): Window => ({
  from: sealed_below,
  to: window_to,
  is_restored: searches_all,
  all_from: searches_all && sealed_below === 0n ? ahead : null,
});

async function closeWindow(tx: Tx, mark: OpenMark, { ahead }: Horizon, now: Date): Promise<SealMark> {
  const { window_to } = mark;
  // The transaction that held facts back at the last pass still runs: their age goes on (D-1016).
  const isHeldBack =
    mark.sealed_below === window_to && window_to < ahead && (await hasFactsFrom(tx, window_to));
  return {
    ...mark,
    sealed_below: window_to,
    window_to: null,
    searches_all: mark.searches_all && (window_to < ahead || (await hasFactsFrom(tx, ahead))),
    after_kind: null,
    after_key: null,
    passed_at: isHeldBack ? (mark.passed_at ?? now) : now,
  };
}

interface FactEntry extends SealEntry {
  merchant_id: string;
}

/** Reads the next rows of the window, kind by kind. `rest` is where the next pass continues, or null at the end. */
async function collectFacts(
  tx: Tx,
  mark: OpenMark,
  window: Window,
  limit: number,
): Promise<{ facts: FactEntry[]; rest: Pick<SealMark, 'after_kind' | 'after_key'> | null }> {
  const facts: FactEntry[] = [];
  if (window.all_from === null && window.from >= window.to) return { facts, rest: null };
  const begun = factKinds.findIndex(({ name }) => name === mark.after_kind);
  for (const kind of factKinds.slice(Math.max(0, begun))) {
    const after = kind.name === mark.after_kind ? parseCursor(mark.after_key) : null;
    const page = await selectFactsToSeal(tx, kind, window, after, limit - facts.length);
    facts.push(...page.map(({ merchant_id, key, hash }) => ({ merchant_id, kind: kind.name, key, hash })));
    const last = page.at(-1);
    if (last !== undefined && facts.length >= limit) {
      return {
        facts,
        rest: { after_kind: kind.name, after_key: JSON.stringify([last.merchant_id, last.key]) },
      };
    }
  }
  return { facts, rest: null };
}

function parseCursor(text: string | null): FactCursor | null {
  if (text === null) return null;
  const [merchant_id, key] = JSON.parse(text) as [string, string];
  return { merchant_id, key };
}

/** Adds a seal to the chain of every merchant that has new rows, and one to the platform's chain, which covers them. */
async function sealChains(deps: SealDeps, tx: Tx, facts: readonly FactEntry[]): Promise<void> {
  if (facts.length === 0) return;
  const at = deps.clock.now();
  const key = await openSigningKey(deps, tx, at);
  const byChain = new Map<string, SealEntry[]>();
  for (const { merchant_id, ...entry } of facts) {
    const known = byChain.get(merchant_id);
    if (known === undefined) byChain.set(merchant_id, [entry]);
    else known.push(entry);
  }
  const platform = byChain.get(platformBook) ?? [];
  byChain.delete(platformBook);
  const add = async (merchant_id: string, entries: readonly SealEntry[]) => {
    const last = await selectLastSeal(tx, merchant_id);
    const text = entriesText(entries);
    const head = {
      merchant_id,
      seal_no: (last?.seal_no ?? 0n) + 1n,
      sealed_at: BigInt(at.getTime()) * 1_000n,
      key_id: deps.box.key_id,
      previous: last?.hash ?? noSeal,
      entry_count: entries.length,
      entries_hash: sha256Hex(text),
    };
    return { ...signSeal(head, key), entries: text, at };
  };
  const ofMerchants = await Promise.all(
    [...byChain].map(([merchant_id, entries]) => add(merchant_id, entries)),
  );
  const covered: SignedSeal[] = ofMerchants;
  const ofPlatform = await add(platformBook, [...platform, ...covered.map(entryOfSeal)]);
  await insertSeals(tx, [...ofMerchants, ofPlatform]);
}

/**
 * The key to sign with. Its public half is stored at its first use. It then vouches for the keys before it that the ring
 * still has, so that their seals stay verifiable when they have left the ring.
 */
async function openSigningKey({ box }: SealDeps, tx: Tx, now: Date) {
  const { key_id } = box;
  const key = signingKey(box, key_id);
  if (key === null) throw new InvariantError('the current key of the ring cannot sign');
  const stored = await selectSealKeys(tx);
  if (!stored.some((known) => known.key_id === key_id)) {
    await insertSealKey(tx, { key_id, public_key: spkiOf(key), endorsed_by: null, endorsement: null }, now);
  }
  for (const older of stored) {
    const own = older.key_id === key_id ? null : signingKey(box, older.key_id);
    if (own === null || older.endorsed_by !== null) continue;
    const public_key = spkiOf(own);
    await endorseSealKey(tx, older.key_id, key_id, endorse({ key_id: older.key_id, public_key }, key));
  }
  return key;
}

/**
 * Lets the first key vouch for the keys before it, as the next seal would. Without that, seals of an older key cannot be
 * verified when its secret key is gone.
 *
 * @returns false while a worker seals: try again
 */
export const endorseOlderKeys = (deps: SealDeps): Promise<boolean> =>
  deps.db.transaction(async (tx) => {
    if ((await lockMark(tx)) === null) return false;
    if ((await selectSealKeys(tx)).length > 0) await openSigningKey(deps, tx, deps.clock.now());
    return true;
  });

/** The ids of the secret keys whose seals no later key vouches for. */
export const readUnendorsedKeys = async (db: Queryable): Promise<string[]> =>
  (await selectSealKeys(db)).flatMap(({ key_id, endorsed_by }) => (endorsed_by === null ? [key_id] : []));
