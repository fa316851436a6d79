/** Keeps the sums of accounts that have no stored balance, and lists the accounts of a book with them. */
import { AppError } from '../../base/errors.ts';
import { type Database, sql, sqlState, type Tx } from '../../base/pg/index.ts';
import {
  type AccountMark,
  type AccountRow,
  addToAccountSums,
  deleteAccountSums,
  hasForeignTransfers,
  lockAccountSumsMark,
  selectAccounts,
  selectAccountSumsMark,
  updateAccountSumsMark,
} from './account-sums.sql.ts';
import { selectSnapshot, type Since, type Snapshot, readOneSnapshot } from '../verification/index.ts';

/**
 * Adds the new transfers to the kept sums. Several workers may call it at once. Only where no sums are kept, or where the
 * new transfers are too many for the usual time, it opens a connection that has no limit of time (D-590).
 *
 * Invariant: the sums are those of the transfers that the mark's snapshot showed, so a reader adds exactly what the
 * snapshot did not show (D-430). Servers of a distributed database count transactions each by itself: there no sums are
 * kept. They are not kept either where a dump of a server that counted further was restored (D-572).
 */
export async function keepAccountSums(db: Database): Promise<void> {
  const { snapshot } = await selectAccountSumsMark(db);
  const add = (unlimited: boolean): Promise<void> =>
    db
      .transaction((tx) => addNew(tx, unlimited), { unlimited })
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

async function addNew(tx: Tx, unlimited: boolean): Promise<void> {
  if (tx.isDistributed === true) return;
  // The server ends a statement that takes too long (D-698). If only we stopped to wait, it would go on and keep the lock.
  await readOneSnapshot(tx, 'read write', unlimited ? 'none' : 'as usual');
  const now = await selectSnapshot(tx);
  const mark = await lockAccountSumsMark(tx);
  if (await hasForeignTransfers(tx)) {
    if (mark.snapshot !== null) await updateAccountSumsMark(tx, { snapshot: null, counted_by: null });
    return;
  }
  const since = sinceOf(mark, now);
  if (since === null) await deleteAccountSums(tx);
  const moved = await addToAccountSums(tx, since);
  // Without new transfers the mark stays, and nothing is written.
  if (moved > 0 || since === null) {
    await updateAccountSumsMark(tx, { snapshot: now.snapshot, counted_by: now.cluster });
  }
}

/** The snapshot of kept sums; null if there are none, or a server counted it whose transactions are not ours. */
function sinceOf(
  { snapshot, counted_by }: { snapshot: string | null; counted_by: string | null },
  { cluster, ahead }: Snapshot,
): Since | null {
  if (snapshot === null || counted_by !== cluster) return null;
  return BigInt(snapshot.split(':')[1] ?? 0) <= ahead ? { snapshot } : null;
}

/** Rebuilds all kept sums (D-663). */
export async function rebuildAccountSums(db: Database): Promise<void> {
  await updateAccountSumsMark(db, { snapshot: null, counted_by: null });
  await keepAccountSums(db);
}

/**
 * The accounts of a book with their balances, by name: a page that starts after an account. All values are of one
 * instant.
 */
export function readAccounts(
  db: Database,
  book: string,
  behind: AccountMark,
  limit: number,
): Promise<AccountRow[]> {
  return db.transaction(async (tx) => {
    await tx.query(sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY`);
    const since = sinceOf(await selectAccountSumsMark(tx), await selectSnapshot(tx));
    return selectAccounts(tx, book, since, behind, limit);
  });
}
