/** What the platform owes in PTK: to its merchants, and to people with a wallet. */
import { type Queryable, type Row, sql } from '../../base/pg/index.ts';
import { growthOf } from './account-kinds.ts';

/** Amounts in PTK at 8-decimal fixed point. */
export interface Owed {
  /** The accounts of all merchants together: money that belongs to merchants, and their debts. */
  merchants: AccountSum[];
  /** Sum of the balances that belong to merchants. */
  to_merchants: bigint;
  /** Sum of what merchants owe: drawn credit and losses. */
  by_merchants: bigint;
  to_people: bigint;
}

export interface AccountSum extends Row {
  /** Such as `m:held`. */
  account: string;
  balance: bigint;
}

/** Adds up the balances of all merchants and of all people, in one snapshot (D-504). */
export async function readOwed(db: Queryable): Promise<Owed> {
  const sums = await db.query<AccountSum>(
    sql`SELECT account, sum(balance) AS balance FROM ledger_balances WHERE account LIKE 'm:%' GROUP BY account
      UNION ALL SELECT 'user', coalesce(sum(available_ptk), 0) FROM user_wallets ORDER BY account`,
  );
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
