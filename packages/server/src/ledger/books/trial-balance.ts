/** Balances of accounts at the beginning and the end of a span of time, with the movements between. Pure. */
import { growthOf } from './account-kinds.ts';
import type { TransferSum } from './trial-balance.sql.ts';

/** An account in a span of time. Balances are positive on the side on which it grows. */
export interface AccountInSpan {
  book: string | null;
  account: string;
  currency: string;
  test_mode: boolean;
  /** The side on which it grows. */
  side: 'debit' | 'credit';
  opening: bigint;
  debits: bigint;
  credits: bigint;
  closing: bigint;
}

/** The accounts of these sums, by book and name (D-912). Opening balance and movements give the closing balance. */
export function trialBalance(sums: readonly TransferSum[]): AccountInSpan[] {
  const accounts = new Map<string, AccountInSpan>();
  for (const sum of sums) {
    for (const side of ['debit', 'credit'] as const) {
      const account = accountOf(accounts, sum, side);
      const change = side === account.side ? sum.amount : -sum.amount;
      account.closing += change;
      if (!sum.within) account.opening += change;
      else account[`${side}s`] += sum.amount;
    }
  }
  return [...accounts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, account]) => account);
}

function accountOf(
  accounts: Map<string, AccountInSpan>,
  sum: TransferSum,
  side: 'debit' | 'credit',
): AccountInSpan {
  const { book, currency, test_mode } = sum;
  const account = sum[`${side}_account`];
  const key = [book ?? '', account, currency, test_mode].join(' ');
  const known = accounts.get(key) ?? {
    ...{ book, account, currency, test_mode, side: growthOf(account) },
    ...{ opening: 0n, debits: 0n, credits: 0n, closing: 0n },
  };
  accounts.set(key, known);
  return known;
}
