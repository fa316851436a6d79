import type { Write } from '../../base/pg/index.ts';
import { AppError } from '../../base/errors.ts';
import type { Guard } from './accounts.ts';
import { balanceChanges, type Entry } from './entry.ts';
import {
  growBalance,
  growWallet,
  insertTransfers,
  insertWalletLine,
  shrinkBalance,
  shrinkWallet,
} from './ledger.sql.ts';

/** The writes of an entry, apart by whose they are: a merchant's book and people's wallets lie in different shards. */
export interface EntryWrites {
  book: Write[];
  wallets: Write[];
}

/**
 * Everything that posting an entry writes: its transfers, and the balances of the guarded accounts in the order in
 * which they are locked. Run each list with `tx.write` in one transaction. Amounts of zero move nothing and leave
 * no trace; what an account does not cover fails with `insufficient_balance`, or with `amount_exceeds_debt` where
 * more would be repaid than is owed.
 */
export function post(entry: Entry, at: Date): EntryWrites {
  const transfers = entry.transfers.filter(({ amount }) => amount > 0n);
  const writes: EntryWrites = { book: [], wallets: [] };
  if (transfers.length === 0) return writes;
  writes.book.push(insertTransfers(entry, transfers, at));
  for (const { account, change } of balanceChanges(transfers)) {
    const { guarded, currency } = account;
    if (guarded?.of === 'merchant') {
      const statement =
        change > 0n
          ? growBalance(entry.merchant_id, guarded, currency, change)
          : shrinkBalance(entry.merchant_id, guarded, -change);
      writes.book.push({ statement, rows: 1, otherwise: () => uncovered(guarded) });
    } else if (guarded?.of === 'user') {
      const { user_id } = guarded;
      const statement = change > 0n ? growWallet(user_id, change) : shrinkWallet(user_id, -change);
      writes.wallets.push({ statement, rows: 1, otherwise: () => uncovered(guarded) });
      writes.wallets.push(insertWalletLine(user_id, entry, change, at));
    }
  }
  return writes;
}

function uncovered(guarded: Guard): AppError {
  if (guarded.of === 'merchant' && guarded.grows === 'debit') return new AppError('amount_exceeds_debt');
  return guarded.of === 'merchant' && guarded.account === 'm:guarantee'
    ? new AppError('insufficient_balance', { description: 'The guarantee is too low.' })
    : new AppError('insufficient_balance');
}
