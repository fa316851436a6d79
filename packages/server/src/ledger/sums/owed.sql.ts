/** The SQL of what the platform owes: sums of the balances of all merchants and people (D-504), which a worker keeps (D-1080). */
import { platformBook } from '../../base/ids.ts';
import { type Queryable, type Row, type Sql, sql } from '../../base/pg/index.ts';
import { changesOf, onNormalSide, type Since } from '../verification/index.ts';
import type { AccountSumsFault } from './account-sums.sql.ts';
import { type KeptSums, transfersSince } from './kept-sums.sql.ts';

export interface OwedSum extends Row {
  /** Such as `m:held`, or `user` for the wallets of all people. */
  account: string;
  balance: bigint;
}

/** All stored balances, added up. */
const allOwed = sql`SELECT account, sum(balance) AS balance FROM ledger_balances WHERE account LIKE 'm:%' GROUP BY account
  UNION ALL SELECT 'user', coalesce(sum(available_ptk), 0) FROM user_wallets`;

/** What new transfers add to the sums. */
const newlyOwed = (since: Since): Sql => sql`
  SELECT kind AS account, ${onNormalSide(sql`kind`, sql`sum(change)`)} AS balance
  FROM (SELECT CASE WHEN account LIKE 'user:%' THEN 'user' ELSE 'm:' || split_part(account, ':', 2) END AS kind, change
    FROM ${changesOf(transfersSince(since))} c WHERE account LIKE 'm:%' OR account LIKE 'user:%') moved
  GROUP BY kind`;

export const owedSums: KeptSums = {
  table: sql`owed_sums`,
  mark: sql`owed_sum_marks`,
  key: sql`account`,
  of: (since) => (since === null ? allOwed : newlyOwed(since)),
};

const keptOwed = (since: Since): Sql => sql`
  SELECT account, sum(balance) AS balance
  FROM (SELECT account, balance FROM owed_sums UNION ALL ${newlyOwed(since)}) o GROUP BY account`;

/**
 * @param since the snapshot of the kept sums; null if none are kept, then all balances are added up
 */
export function selectOwed(db: Queryable, since: Since | null): Promise<OwedSum[]> {
  return db.query<OwedSum>(sql`${since === null ? allOwed : keptOwed(since)} ORDER BY account`);
}

/** Compares the kept sums and the new transfers with all stored balances. */
export function selectOwedFaults(db: Queryable, since: Since): Promise<AccountSumsFault[]> {
  return db.query<AccountSumsFault>(
    sql`WITH sums AS (${keptOwed(since)})
      SELECT ${platformBook}::text AS owner, count(*)::int AS accounts, min(account) AS first
      FROM sums k FULL JOIN (${allOwed}) a USING (account)
      WHERE coalesce(k.balance, 0) <> coalesce(a.balance, 0) HAVING count(*) > 0`,
  );
}
