/** What the platform owes in PTK: to its merchants, and to people with a wallet. */
import type { Database, Queryable } from '../../base/pg/index.ts';
import { growthOf } from '../books/index.ts';
import type { Scope } from '../verification/index.ts';
import type { AccountSumsFault } from './account-sums.sql.ts';
import { readSums, selectSince } from './kept-sums.ts';
import { type OwedSum, owedSums, selectOwed, selectOwedFaults } from './owed.sql.ts';

/** Amounts in PTK at 8-decimal fixed point. */
export interface Owed {
  /** The accounts of all merchants together: money that belongs to merchants, and their debts. */
  merchants: OwedSum[];
  /** Sum of the balances that belong to merchants. */
  to_merchants: bigint;
  /** Sum of what merchants owe: drawn credit and losses. */
  by_merchants: bigint;
  to_people: bigint;
}

/**
 * The balances of all merchants and of all people, added up in one snapshot (D-504): the kept sums and the newer transfers
 * (D-1080).
 */
export async function readOwed(db: Database): Promise<Owed> {
  const sums = await readSums(db, owedSums, selectOwed);
  const merchants = sums.filter(({ account, balance }) => account !== 'user' && balance > 0n);
  const sumOf = (growth: 'credit' | 'debit'): bigint =>
    merchants
      .filter(({ account }) => growthOf(account) === growth)
      .reduce((sum, { balance }) => sum + balance, 0n);
  return {
    merchants,
    to_merchants: sumOf('credit'),
    by_merchants: sumOf('debit'),
    to_people: sums.find(({ account }) => account === 'user')?.balance ?? 0n,
  };
}

/** What findings about the kept sums of what is owed are about. */
export const owedSumsSubject = 'owed sums';

/** The kept sums that differ from the balances. */
export async function findOwedFaults(db: Queryable, scope: Scope): Promise<AccountSumsFault[]> {
  if (scope?.subjects.includes(owedSumsSubject) === false) return [];
  const since = await selectSince(db, owedSums);
  return since === null ? [] : selectOwedFaults(db, since);
}
