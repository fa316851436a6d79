import { InvariantError } from '../../base/errors.ts';
import type { Account } from './accounts.ts';
import type { Posting } from './postings.ts';

/** One amount of one currency that moves from the debited to the credited account. */
export interface Transfer {
  readonly debit: Account;
  readonly credit: Account;
  readonly amount: bigint;
}

/** One posting: transfers that happen together, once. */
export interface Entry {
  /** The book it stands in: a merchant's, or the platform's own. */
  readonly merchant_id: string;
  /** What it is about: an order number, `topup:…`, a withdrawal. */
  readonly subject: string;
  readonly posting: Posting;
  /** Tells several postings of one kind on one subject apart. */
  readonly case_key?: string;
  readonly test_mode?: boolean;
  readonly transfers: readonly Transfer[];
}

/**
 * A transfer between two accounts of one currency. Nothing else can be written to the books, so an entry balances
 * by construction.
 */
export function transfer(debit: Account, credit: Account, amount: bigint): Transfer {
  if (debit.currency !== credit.currency) {
    throw new InvariantError(`a transfer has one currency, not ${debit.currency} and ${credit.currency}`);
  }
  if (amount < 0n) throw new InvariantError('a transfer is never negative');
  return { debit, credit, amount };
}

/** How far an entry moves the stored balance of each guarded account, in the order in which they are locked. */
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
  // Everyone locks in the order of the names, so that no two transactions wait for each other.
  return [...changes.values()]
    .filter(({ change }) => change !== 0n)
    .sort((a, b) => (a.account.name < b.account.name ? -1 : 1));
}

function growsOnDebit(account: Account): boolean {
  return account.guarded?.of === 'merchant' && account.guarded.grows === 'debit';
}
