/** Transfers and entries, the two values that the books consist of, and the changes of balance that they cause. */
import { InvariantError } from '../../base/errors.ts';
import type { Account } from './accounts.ts';
import type { Posting } from './postings.ts';

/** One amount of one currency, in its smallest unit, that moves from the debited to the credited account. */
export interface Transfer {
  readonly debit: Account;
  readonly credit: Account;
  readonly amount: bigint;
}

/** One posting: transfers that are written together, and only once. */
export interface Entry {
  /** The book of the entry: a merchant's, or the platform's own. */
  readonly merchant_id: string;
  /** The order number, withdrawal id or reference (`topup:…`) of the entry. */
  readonly subject: string;
  readonly posting: Posting;
  /** Distinguishes postings of the same kind on the same subject; empty by default. */
  readonly case_key?: string;
  readonly test_mode?: boolean;
  readonly transfers: readonly Transfer[];
}

/**
 * A transfer between two accounts of one currency. The books consist of such transfers only, so every entry balances
 * by construction.
 *
 * @throws InvariantError if the currencies differ or the amount is negative
 */
export function transfer(debit: Account, credit: Account, amount: bigint): Transfer {
  if (debit.currency !== credit.currency) {
    throw new InvariantError(`a transfer has one currency, not ${debit.currency} and ${credit.currency}`);
  }
  if (amount < 0n) throw new InvariantError('a transfer is never negative');
  return { debit, credit, amount };
}

/** The change of each guarded account's stored balance, in the order in which balances are locked; without zeros. */
export function balanceChanges(transfers: readonly Transfer[]): { account: Account; change: bigint }[] {
  const changes = new Map<string, { account: Account; change: bigint }>();
  const move = (account: Account, change: bigint): void => {
    if (account.guarded === null) return;
    const known = changes.get(account.name);
    changes.set(account.name, { account, change: (known?.change ?? 0n) + change });
  };
  for (const { debit, credit, amount } of transfers) {
    move(debit, growsOnDebit(debit) ? amount : -amount);
    move(credit, growsOnDebit(credit) ? -amount : amount);
  }
  // All transactions lock balances in the order of the names, so that no two of them wait for each other.
  return [...changes.values()]
    .filter(({ change }) => change !== 0n)
    .sort((a, b) => (a.account.name < b.account.name ? -1 : 1));
}

function growsOnDebit(account: Account): boolean {
  return account.guarded?.of === 'merchant' && account.guarded.grows === 'debit';
}
