import type { Write } from '../../base/pg/index.ts';
import { AppError, InvariantError } from '../../base/errors.ts';
import type { Account, Guard } from './accounts.ts';
import { balanceChanges, type Entry } from './entry.ts';
import {
  growBalance,
  growWallet,
  insertTransfers,
  insertWalletLine,
  shrinkBalance,
  shrinkBalances,
  shrinkWallet,
} from './ledger.sql.ts';

/** The writes of entries, by owner: a merchant's book and people's wallets may be in different shards. */
export interface EntryWrites {
  book: Write[];
  wallets: Write[];
}

/**
 * Posts entries of one book together: returns the writes of their transfers and of the stored balances that change.
 * Run each list with `tx.write` in one transaction.
 *
 * Invariants:
 * - Transfers and stored balances change in the same transaction. An entry is posted at most once.
 * - Each balance changes once, by the sum of all entries, and must cover that sum. PostgreSQL applies
 *   only one of two changes of a row in one statement, so do not join the writes of two calls: post both entries here.
 * - Balances are locked in the order of their names, but for those of single orders, withdrawals or cases, whose locks
 *   the caller holds: what is taken from several of one kind is one write (D-667).
 * - The balance of one order, withdrawal or case is deleted with its last money (D-395).
 * - Transfers of zero are not written. An entry that has only such transfers is not written either.
 *
 * If a balance does not cover its change, the write fails with `insufficient_balance`. If a repayment exceeds the debt,
 * the write fails with `amount_exceeds_debt`.
 *
 * @throws InvariantError if the entries belong to different books
 */
export function post(entries: readonly Entry[], at: Date): EntryWrites {
  const moving = entries
    .map((entry) => ({ ...entry, transfers: entry.transfers.filter(({ amount }) => amount > 0n) }))
    .filter(({ transfers }) => transfers.length > 0);
  const merchant_id = moving[0]?.merchant_id;
  if (merchant_id === undefined) return { book: [], wallets: [] };
  if (moving.some((entry) => entry.merchant_id !== merchant_id)) {
    throw new InvariantError('entries that are posted together stand in one book');
  }
  const writes: EntryWrites = { book: [insertTransfers(moving, at)], wallets: [] };
  const changes = balanceChanges(moving.flatMap(({ transfers }) => transfers));
  const { takings, others } = takenTogether(changes);
  writes.book.push(...takings.map((some) => takeTogether(merchant_id, some)));
  for (const { account, change } of others) {
    const { guarded, currency } = account;
    if (guarded?.of === 'merchant') {
      const write =
        change > 0n
          ? { statement: growBalance(merchant_id, guarded, currency, change) }
          : shrinkBalance(merchant_id, guarded, -change);
      const row = rowOf(merchant_id, account);
      writes.book.push({ ...write, rows: 1, row, otherwise: () => notCovered(guarded) });
    } else if (guarded?.of === 'user') {
      const { user_id } = guarded;
      const statement = change > 0n ? growWallet(user_id, change) : shrinkWallet(user_id, -change);
      writes.wallets.push({ statement, rows: 1, row: account.name, otherwise: () => notCovered(guarded) });
    }
  }
  writes.wallets.push(...moving.flatMap((entry) => walletLines(entry, at)));
  return writes;
}

const rowOf = (merchant_id: string, { name }: Account): string => `${name} of ${merchant_id}`;

interface Change {
  account: Account;
  change: bigint;
}

interface Taking {
  account: Account;
  guard: Guard & { of: 'merchant' };
  amount: bigint;
}

/**
 * Finds what is taken from several orders, withdrawals or cases at once: the takings from balances of one kind become one
 * write. All other changes keep their order, which is that of the locks.
 */
function takenTogether(changes: readonly Change[]): { takings: Taking[][]; others: Change[] } {
  const kinds = new Map<string, Taking[]>();
  for (const { account, change } of changes) {
    const { guarded } = account;
    if (guarded?.of !== 'merchant' || guarded.ref === '' || change > 0n) continue;
    const kind = kinds.get(guarded.account) ?? [];
    kinds.set(guarded.account, [...kind, { account, guard: guarded, amount: -change }]);
  }
  const takings = [...kinds.values()].filter((kind) => kind.length > 1);
  const taken = new Set(takings.flat().map(({ account }) => account));
  return { takings, others: changes.filter(({ account }) => !taken.has(account)) };
}

/** One write that takes from several balances of one kind. The caller holds the locks of their orders (`shrinkBalance`). */
function takeTogether(merchant_id: string, takings: readonly Taking[]): Write {
  const [{ guard } = { guard: undefined }] = takings;
  if (guard === undefined) throw new InvariantError('nothing is taken');
  const parts = takings.map(({ guard: { ref }, amount }) => ({ ref, amount }));
  return {
    ...shrinkBalances(merchant_id, guard.account, parts),
    row: takings.map(({ account }) => rowOf(merchant_id, account)),
    otherwise: () => notCovered(guard),
  };
}

/** The lines of people's own statements: one line for each entry and wallet. */
const walletLines = (entry: Entry, at: Date): Write[] =>
  balanceChanges(entry.transfers).flatMap(({ account: { guarded }, change }) =>
    guarded?.of === 'user' ? [insertWalletLine(guarded.user_id, entry, change, at)] : [],
  );

function notCovered(guarded: Guard): AppError {
  if (guarded.of === 'merchant' && guarded.grows === 'debit') return new AppError('amount_exceeds_debt');
  return guarded.of === 'merchant' && guarded.account === 'm:guarantee'
    ? new AppError('insufficient_balance', { description: 'The guarantee is too low.' })
    : new AppError('insufficient_balance');
}
