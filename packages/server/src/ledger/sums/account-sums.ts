/** The accounts of a book, and all sums that a worker keeps of the books. */
import type { Database } from '../../base/pg/index.ts';
import { type AccountMark, type AccountRow, accountSums, selectAccounts } from './account-sums.sql.ts';
import { keepSums, readSums, rebuildSums } from './kept-sums.ts';
import { owedSums } from './owed.sql.ts';

/** Adds the new transfers to the sums of accounts. Several workers may call it at once. */
export const keepAccountSums = (db: Database): Promise<void> => keepSums(db, accountSums);

/** The same for the sums of what is owed. */
export const keepOwedSums = (db: Database): Promise<void> => keepSums(db, owedSums);

/** Rebuilds these sums (D-663). */
export async function rebuildAccountSums(db: Database): Promise<void> {
  await rebuildSums(db, accountSums);
  await rebuildSums(db, owedSums);
}

/**
 * The accounts of a book with their balances, by name: a page that starts after an account. All values are of one
 * instant: the stored balances, and the kept sums with the transfers that their snapshot did not show (D-430).
 */
export function readAccounts(
  db: Database,
  book: string,
  behind: AccountMark,
  limit: number,
): Promise<AccountRow[]> {
  return readSums(db, accountSums, (tx, since) => selectAccounts(tx, book, since, behind, limit));
}
