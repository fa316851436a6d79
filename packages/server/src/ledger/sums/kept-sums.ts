/** Keeps sums of transfers for the administration, and reads them together with the transfers that came later. */
import { AppError } from '../../base/errors.ts';
import { type Database, type Queryable, sql, sqlState, type Tx } from '../../base/pg/index.ts';
import {
  addToSums,
  deleteSums,
  hasForeignTransfers,
  type KeptSums,
  lockMark,
  selectMark,
  type SumsMark,
  updateMark,
} from './kept-sums.sql.ts';
import { selectSnapshot, type Since, type Snapshot, readOneSnapshot } from '../verification/index.ts';

/**
 * Adds the new transfers to the kept sums. Several workers may call it at once. Only where no sums are kept, or where the
 * new transfers are too many for the usual time, it opens a connection that has no limit of time (D-590).
 *
 * Invariant: the sums are those of the transfers that the mark's snapshot showed, so a reader adds exactly what the
 * snapshot did not show (D-430). Servers of a distributed database count transactions each by itself: there no sums are
 * kept. They are not kept either where a dump of a server that counted further was restored (D-572).
 */
export async function keepSums(db: Database, sums: KeptSums): Promise<void> {
  const { snapshot } = await selectMark(db, sums);
  const add = (unlimited: boolean): Promise<void> =>
    db
      .transaction((tx) => addNew(tx, sums, unlimited), { unlimited })
      .catch((error: unknown) => {
        // Another worker has added them meanwhile.
        if (sqlState(error) !== '40001') throw error;
      });
  if (snapshot === null) return add(true);
  return add(false).catch((error: unknown) => {
    if (!tookTooLong(error)) throw error;
    return add(true);
  });
}

const tookTooLong = (error: unknown): boolean =>
  error instanceof AppError && sqlState(error.cause) === '57014';

async function addNew(tx: Tx, sums: KeptSums, unlimited: boolean): Promise<void> {
  if (tx.isDistributed === true) return;
  // The server ends a statement that takes too long (D-698). If only we stopped to wait, it would go on and keep the lock.
  await readOneSnapshot(tx, 'read write', unlimited ? 'none' : 'as usual');
  const now = await selectSnapshot(tx);
  const mark = await lockMark(tx, sums);
  if (await hasForeignTransfers(tx)) {
    if (mark.snapshot !== null) await updateMark(tx, sums);
    return;
  }
  const since = sinceOf(mark, now);
  if (since === null) await deleteSums(tx, sums);
  const moved = await addToSums(tx, sums, since);
  // Without new transfers the mark stays, and nothing is written.
  if (moved > 0 || since === null) {
    await updateMark(tx, sums, { snapshot: now.snapshot, counted_by: now.cluster });
  }
}

/** The snapshot of kept sums; null if there are none, or a server counted it whose transactions are not ours. */
function sinceOf({ snapshot, counted_by }: SumsMark, { cluster, ahead }: Snapshot): Since | null {
  if (snapshot === null || counted_by !== cluster) return null;
  return BigInt(snapshot.split(':')[1] ?? 0) <= ahead ? { snapshot } : null;
}

/** Rebuilds the kept sums (D-663). */
export async function rebuildSums(db: Database, sums: KeptSums): Promise<void> {
  await updateMark(db, sums);
  await keepSums(db, sums);
}

/**
 * Since when a reader adds new transfers to the kept sums; null if none are kept, then it reads everything. Sums from before
 * a database was distributed do not count.
 */
export async function selectSince(db: Queryable, sums: KeptSums): Promise<Since | null> {
  if (db.isDistributed === true) return null;
  return sinceOf(await selectMark(db, sums), await selectSnapshot(db));
}

/** Reads kept sums together with the transfers that came later, in one snapshot. */
export function readSums<T>(
  db: Database,
  sums: KeptSums,
  read: (tx: Tx, since: Since | null) => Promise<T>,
): Promise<T> {
  return db.transaction(async (tx) => {
    await tx.query(sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY`);
    return read(tx, await selectSince(tx, sums));
  });
}
