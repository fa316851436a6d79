import { join, type Queryable, type Row, sql, type Sql, type Tx, type Write } from '../base/db.ts';
import type { Entry, Transfer } from './entry.ts';

/** Writes the transfers of an entry; the primary key lets it happen once. */
export function insertTransfers(entry: Entry, transfers: readonly Transfer[], at: Date): Write {
  const { merchant_id, subject, posting, case_key = '', test_mode = false } = entry;
  const rows = transfers.map(
    ({ debit, credit, amount }, i) =>
      sql`(${merchant_id}::uuid, ${subject}, ${posting}, ${case_key}, ${i + 1}::smallint, ${debit.name},
        ${credit.name}, ${debit.currency}, ${amount}::numeric, ${test_mode}::boolean, ${at}::timestamptz)`,
  );
  return {
    statement: sql`INSERT INTO ledger_transfers (merchant_id, subject, posting, case_key, leg, debit_account,
      credit_account, currency, amount, test_mode, at) VALUES ${join(rows)}`,
    rows: transfers.length,
  };
}

/** Adds to a merchant's balance, which comes into being with its first credit. */
export function growBalance(
  merchant_id: string,
  { account, ref }: { account: string; ref: string },
  currency: string,
  amount: bigint,
): Sql {
  return sql`INSERT INTO ledger_balances AS b (merchant_id, account, ref, currency, balance)
    VALUES (${merchant_id}, ${account}, ${ref}, ${currency}, ${amount})
    ON CONFLICT (merchant_id, account, ref) DO UPDATE SET balance = b.balance + excluded.balance`;
}

/** Takes from a merchant's balance; touches no row where it does not cover the amount. */
export function shrinkBalance(
  merchant_id: string,
  { account, ref }: { account: string; ref: string },
  amount: bigint,
): Sql {
  return sql`UPDATE ledger_balances SET balance = balance - ${amount}::numeric
    WHERE merchant_id = ${merchant_id} AND account = ${account} AND ref = ${ref} AND balance >= ${amount}::numeric`;
}

export function growWallet(user_id: string, amount: bigint): Sql {
  return sql`INSERT INTO user_wallets AS w (user_id, available_ptk) VALUES (${user_id}, ${amount})
    ON CONFLICT (user_id) DO UPDATE SET available_ptk = w.available_ptk + excluded.available_ptk`;
}

/** Takes from a person's wallet; touches no row where it does not cover the amount. */
export function shrinkWallet(user_id: string, amount: bigint): Sql {
  return sql`UPDATE user_wallets SET available_ptk = available_ptk - ${amount}::numeric
    WHERE user_id = ${user_id} AND available_ptk >= ${amount}::numeric`;
}

export function insertWalletLine(user_id: string, entry: Entry, amount: bigint, at: Date): Write {
  return {
    statement: sql`INSERT INTO user_wallet_lines (user_id, merchant_id, subject, posting, amount_ptk, at)
      VALUES (${user_id}, ${entry.merchant_id}, ${entry.subject}, ${entry.posting}, ${amount}, ${at})`,
    rows: 1,
  };
}

export async function selectWallet(db: Queryable, user_id: string): Promise<bigint> {
  const [row] = await db.query<{ available_ptk: bigint }>(
    sql`SELECT available_ptk FROM user_wallets WHERE user_id = ${user_id}`,
  );
  return row?.available_ptk ?? 0n;
}

/** The balance of one guarded account, locked; zero where it never held anything. */
export async function selectBalanceForUpdate(
  tx: Tx,
  merchant_id: string,
  { account, ref }: { account: string; ref: string },
): Promise<bigint> {
  const [row] = await tx.query<{ balance: bigint }>(
    sql`SELECT balance FROM ledger_balances
      WHERE merchant_id = ${merchant_id} AND account = ${account} AND ref = ${ref} FOR UPDATE`,
  );
  return row?.balance ?? 0n;
}

/** A merchant's balances by account, those of single orders summed. */
export async function selectBalances(db: Queryable, merchant_id: string): Promise<Map<string, bigint>> {
  const rows = await db.query<{ account: string; balance: bigint }>(
    sql`SELECT account, sum(balance) AS balance FROM ledger_balances
      WHERE merchant_id = ${merchant_id} AND balance > 0 GROUP BY account`,
  );
  return new Map(rows.map(({ account, balance }) => [account, balance]));
}

/** The balances that a merchant can spend from, by account: none where it never held anything. */
export async function selectFunds(db: Queryable, merchant_id: string): Promise<Map<string, bigint>> {
  const rows = await db.query<{ account: string; balance: bigint }>(
    sql`SELECT account, balance FROM ledger_balances
      WHERE merchant_id = ${merchant_id} AND account IN ('m:available', 'm:credit_drawn') AND ref = ''`,
  );
  return new Map(rows.map(({ account, balance }) => [account, balance]));
}

export interface TransferRow extends Row {
  subject: string;
  posting: string;
  case_key: string;
  leg: number;
  debit_account: string;
  credit_account: string;
  currency: string;
  amount: bigint;
  test_mode: boolean;
  at: Date;
}

export function selectTransfers(db: Queryable, merchant_id: string, subject: string): Promise<TransferRow[]> {
  return db.query<TransferRow>(
    sql`SELECT subject, posting, case_key, leg, debit_account, credit_account, currency, amount, test_mode, at
      FROM ledger_transfers WHERE merchant_id = ${merchant_id} AND subject = ${subject}
      ORDER BY at, posting, case_key, leg`,
  );
}

/** Stored balances of merchants that differ from what their transfers add up to, and those below zero. */
export function selectMerchantDrift(db: Queryable): Promise<DriftRow[]> {
  return db.query<DriftRow>(
    sql`WITH moved AS (
        SELECT merchant_id, debit_account AS account, -amount AS change FROM ledger_transfers
          WHERE debit_account LIKE 'm:%'
        UNION ALL
        SELECT merchant_id, credit_account, amount FROM ledger_transfers WHERE credit_account LIKE 'm:%'
      ), rebuilt AS (
        SELECT merchant_id, account,
          CASE WHEN account LIKE 'm:credit_drawn%' OR account LIKE 'm:recovery%' THEN -sum(change)
            ELSE sum(change) END AS balance
        FROM moved GROUP BY merchant_id, account
      ), stored AS (
        SELECT merchant_id, account || CASE WHEN ref = '' THEN '' ELSE ':' || ref END AS account, balance
        FROM ledger_balances
      )
      SELECT coalesce(r.merchant_id, s.merchant_id)::text AS owner, coalesce(r.account, s.account) AS account,
        coalesce(s.balance, 0) AS stored, coalesce(r.balance, 0) AS rebuilt
      FROM rebuilt r FULL JOIN stored s ON s.merchant_id = r.merchant_id AND s.account = r.account
      WHERE coalesce(s.balance, 0) <> coalesce(r.balance, 0) OR s.balance < 0
      ORDER BY 1, 2 LIMIT 1000`,
  );
}

export interface DriftRow extends Row {
  owner: string;
  account: string;
  stored: bigint;
  rebuilt: bigint;
}

/** The same for the wallets of people, whose movements stand in many books. */
export function selectWalletDrift(db: Queryable): Promise<DriftRow[]> {
  return db.query<DriftRow>(
    sql`WITH moved AS (
        SELECT debit_account AS account, -amount AS change FROM ledger_transfers WHERE debit_account LIKE 'user:%'
        UNION ALL
        SELECT credit_account, amount FROM ledger_transfers WHERE credit_account LIKE 'user:%'
      ), rebuilt AS (
        SELECT split_part(account, ':', 2)::uuid AS user_id, sum(change) AS balance FROM moved GROUP BY 1
      ), lines AS (
        SELECT user_id, sum(amount_ptk) AS balance FROM user_wallet_lines GROUP BY user_id
      )
      SELECT coalesce(r.user_id, w.user_id, l.user_id)::text AS owner, 'user:available' AS account,
        coalesce(w.available_ptk, 0) AS stored, coalesce(r.balance, 0) AS rebuilt
      FROM rebuilt r FULL JOIN user_wallets w ON w.user_id = r.user_id FULL JOIN lines l ON l.user_id = w.user_id
      WHERE coalesce(w.available_ptk, 0) <> coalesce(r.balance, 0)
        OR coalesce(l.balance, 0) <> coalesce(r.balance, 0) OR w.available_ptk < 0
      ORDER BY 1 LIMIT 1000`,
  );
}

/** Entries whose debits and credits differ in some currency. A transfer cannot say so; a damaged table could. */
export function selectImbalances(db: Queryable): Promise<ImbalanceRow[]> {
  return db.query<ImbalanceRow>(
    sql`SELECT merchant_id::text AS owner, subject, posting, currency, count(*)::int AS legs
      FROM ledger_transfers
      WHERE amount <= 0 OR debit_account = credit_account
        OR (debit_account LIKE 'm:%' AND currency <> 'PTK') OR (credit_account LIKE 'm:%' AND currency <> 'PTK')
        OR (debit_account LIKE 'user:%' AND currency <> 'PTK') OR (credit_account LIKE 'user:%' AND currency <> 'PTK')
        OR (debit_account ~ '^(fx|bank|susp|inc:buyer_fee|issue|exp:provider_cost):'
          AND debit_account !~ ('^(fx|bank|susp|inc:buyer_fee|issue|exp:provider_cost):' || currency || '(:|$)'))
        OR (credit_account ~ '^(fx|bank|susp|inc:buyer_fee|issue|exp:provider_cost):'
          AND credit_account !~ ('^(fx|bank|susp|inc:buyer_fee|issue|exp:provider_cost):' || currency || '(:|$)'))
        OR (debit_account LIKE 'prov:%' AND debit_account NOT LIKE '%:' || currency)
        OR (credit_account LIKE 'prov:%' AND credit_account NOT LIKE '%:' || currency)
      GROUP BY merchant_id, subject, posting, currency ORDER BY 1, 2, 3 LIMIT 1000`,
  );
}

export interface ImbalanceRow extends Row {
  owner: string;
  subject: string;
  posting: string;
  currency: string;
  legs: number;
}

export async function countEntries(db: Queryable): Promise<bigint> {
  const [row] = await db.query<{ entries: bigint }>(
    sql`SELECT count(*) AS entries FROM ledger_transfers WHERE leg = 1`,
  );
  return row?.entries ?? 0n;
}
