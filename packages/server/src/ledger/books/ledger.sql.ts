/** Statements that write and read transfers, stored balances and wallets. */
import { join, sql, type Sql, type Queryable, type Tx, type Row, type Write } from '../../base/pg/index.ts';
import type { Entry } from './entry.ts';
import { ptk } from '../../base/money.ts';

/** Inserts the transfers of entries. The primary key refuses the same entry a second time (R-144). */
export function insertTransfers(entries: readonly Entry[], at: Date): Write {
  const rows = entries.flatMap(
    ({ merchant_id, subject, posting, case_key = '', test_mode = false, transfers }) =>
      transfers.map(
        ({ debit, credit, amount }, i) =>
          sql`(${merchant_id}::uuid, ${subject}, ${posting}, ${case_key}, ${i + 1}::smallint, ${debit.name},
        ${credit.name}, ${debit.currency}, ${amount}::numeric, ${test_mode}::boolean, ${at}::timestamptz)`,
      ),
  );
  return {
    statement: sql`INSERT INTO ledger_transfers (merchant_id, subject, posting, case_key, leg, debit_account,
      credit_account, currency, amount, test_mode, at) VALUES ${join(rows)}`,
    rows: 'all',
  };
}

/** Adds to a merchant's balance; creates the row if it does not exist. */
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

/**
 * Takes from a merchant's balance; changes no row if the balance does not cover the amount (R-145). The balance of one
 * order, withdrawal or case ends with its last money: its row is deleted instead of kept with zero (D-395).
 *
 * Invariant: a balance of this kind is taken from under the lock of its order, withdrawal or case, which an earlier
 * statement took. So no other transaction changes it between the two conditions.
 */
export function shrinkBalance(
  merchant_id: string,
  { account, ref }: { account: string; ref: string },
  amount: bigint,
): Pick<Write, 'statement' | 'or'> {
  const statement = sql`UPDATE ledger_balances SET balance = balance - ${amount}::numeric
    WHERE merchant_id = ${merchant_id} AND account = ${account} AND ref = ${ref}
        ${ref === '' ? sql`` : sql`AND balance <> ${amount}::numeric`}
        AND balance >= ${amount}::numeric /* guard: balances-cover */`;
  if (ref === '') return { statement };
  const or = sql`DELETE FROM ledger_balances
    WHERE merchant_id = ${merchant_id} AND account = ${account} AND ref = ${ref} AND balance = ${amount}::numeric`;
  return { statement, or };
}

/**
 * The same for the balances of several orders, withdrawals or cases on accounts of one kind. The balances that end come
 * first: on distributed tables, the second statement sees what the first has changed, and a balance that is now as large as
 * its taking must not be deleted.
 */
export function shrinkBalances(
  merchant_id: string,
  account: string,
  takings: readonly { ref: string; amount: bigint }[],
): Pick<Write, 'statement' | 'or' | 'rows'> {
  const taken = sql`unnest(${takings.map(({ ref }) => ref)}::text[], ${takings.map(({ amount }) => amount)}::numeric[])
      AS t (ref, amount)`;
  return {
    statement: sql`DELETE FROM ledger_balances b USING ${taken}
      WHERE b.merchant_id = ${merchant_id} AND b.account = ${account} AND b.ref = t.ref AND b.balance = t.amount`,
    or: sql`UPDATE ledger_balances b SET balance = b.balance - t.amount FROM ${taken}
      WHERE b.merchant_id = ${merchant_id} AND b.account = ${account} AND b.ref = t.ref AND b.balance <> t.amount
        AND b.balance >= t.amount /* guard: balances-cover */`,
    rows: takings.length,
  };
}

export function growWallet(user_id: string, amount: bigint): Sql {
  return sql`INSERT INTO user_wallets AS w (user_id, available_ptk) VALUES (${user_id}, ${amount})
    ON CONFLICT (user_id) DO UPDATE SET available_ptk = w.available_ptk + excluded.available_ptk`;
}

/** Takes from a person's wallet; changes no row if the wallet does not cover the amount (R-146). */
export function shrinkWallet(user_id: string, amount: bigint): Sql {
  return sql`UPDATE user_wallets SET available_ptk = available_ptk - ${amount}::numeric
    WHERE user_id = ${user_id}
        AND available_ptk >= ${amount}::numeric /* guard: wallets-cover */`;
}

export function insertWalletLine(user_id: string, entry: Entry, amount: bigint, at: Date): Write {
  return {
    statement: sql`INSERT INTO user_wallet_lines (user_id, merchant_id, subject, posting, case_key, amount_ptk, at)
      VALUES (${user_id}, ${entry.merchant_id}, ${entry.subject}, ${entry.posting}, ${entry.case_key ?? ''}, ${amount},
        ${at})`,
    rows: 'all',
  };
}

export async function selectWallet(db: Queryable, user_id: string): Promise<bigint> {
  const [row] = await db.query<{ available_ptk: bigint }>(
    sql`SELECT available_ptk FROM user_wallets WHERE user_id = ${user_id}`,
  );
  return row?.available_ptk ?? 0n;
}

/** Locks and reads the balance of one guarded account; zero, without a lock, if the row does not exist. */
export async function selectBalanceForUpdate(
  tx: Tx,
  merchant_id: string,
  { account, ref }: { account: string; ref: string },
): Promise<bigint> {
  const [row] = await tx.query<{ balance: bigint }>(
    sql`SELECT balance FROM ledger_balances
      WHERE merchant_id = ${merchant_id} AND account = ${account} AND ref = ${ref}
      FOR UPDATE /* guard: order-funds-locked-row-by-row */`,
  );
  return row?.balance ?? 0n;
}

/** Reads balances of single orders, withdrawals or cases, of any merchants, by these; those without a row are missing. */
export async function selectBalancesByRef(
  db: Queryable,
  wanted: readonly { merchant_id: string; account: string; ref: string }[],
): Promise<Map<string, bigint>> {
  if (wanted.length === 0) return new Map();
  const rows = await db.query<{ ref: string; balance: bigint }>(
    sql`SELECT b.ref, b.balance
      FROM unnest(${wanted.map(({ merchant_id }) => merchant_id)}::uuid[],
          ${wanted.map(({ account }) => account)}::text[], ${wanted.map(({ ref }) => ref)}::text[])
          AS w(merchant_id, account, ref)
        JOIN ledger_balances b ON b.merchant_id = w.merchant_id AND b.account = w.account AND b.ref = w.ref`,
  );
  return new Map(rows.map(({ ref, balance }) => [ref, balance]));
}

/** Locks balances of one kind in the order of their names, and reads them by order; those without a row are missing. */
export async function selectBalancesForUpdate(
  tx: Tx,
  merchant_id: string,
  account: string,
  refs: readonly string[],
): Promise<Map<string, bigint>> {
  const rows = await tx.query<{ ref: string; balance: bigint }>(
    sql`SELECT ref, balance FROM ledger_balances
      WHERE merchant_id = ${merchant_id} AND account = ${account} AND ref = ANY(${refs}::text[]) ORDER BY ref
      FOR UPDATE /* guard: order-funds-locked-row-by-row */`,
  );
  return new Map(rows.map(({ ref, balance }) => [ref, balance]));
}

/** A merchant's balances by kind of account; the balances of single orders are summed. */
export async function selectBalances(db: Queryable, merchant_id: string): Promise<Map<string, bigint>> {
  const rows = await db.query<{ account: string; balance: bigint }>(
    sql`SELECT account, sum(balance) AS balance FROM ledger_balances
      WHERE merchant_id = ${merchant_id} AND balance > 0 GROUP BY account`,
  );
  return new Map(rows.map(({ account, balance }) => [account, balance]));
}

/** The same of several merchants, by merchant; one without any balance is missing. */
export async function selectBalancesOf(
  db: Queryable,
  merchant_ids: readonly string[],
): Promise<Map<string, Map<string, bigint>>> {
  const rows = await db.query<{ merchant_id: string; account: string; balance: bigint }>(
    sql`SELECT b.merchant_id, b.account, sum(b.balance) AS balance
      FROM unnest(${merchant_ids}::uuid[]) AS m(merchant_id)
        JOIN ledger_balances b ON b.merchant_id = m.merchant_id AND b.balance > 0
      GROUP BY b.merchant_id, b.account`,
  );
  const balances = new Map<string, Map<string, bigint>>();
  for (const { merchant_id, account, balance } of rows) {
    const known = balances.get(merchant_id);
    if (known === undefined) balances.set(merchant_id, new Map([[account, balance]]));
    else known.set(account, balance);
  }
  return balances;
}

/** The balances that a merchant can spend from, by account; an account without a row is missing. */
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

/** When the payments of orders were booked, by order; those that moved no money in the books are missing. */
export async function selectSettledAt(
  db: Queryable,
  merchant_id: string,
  order_nos: readonly string[],
): Promise<Map<string, Date>> {
  const rows = await db.query<{ subject: string; at: Date }>(
    sql`SELECT subject, min(at) AS at FROM ledger_transfers
      WHERE merchant_id = ${merchant_id} AND subject = ANY(${order_nos}::text[])
        AND posting IN ('P1', 'P2', 'P4b', 'P4d')
      GROUP BY subject`,
  );
  return new Map(rows.map(({ subject, at }) => [subject, at]));
}

/** Locks a merchant's available balance; creates the row with zero if it does not exist. */
export async function lockAvailable(tx: Tx, merchant_id: string): Promise<void> {
  await tx.query(growBalance(merchant_id, { account: 'm:available', ref: '' }, ptk, 0n));
}

/** Locks a person's wallet. A person without a wallet has nothing to lock, and nothing to pay with. */
export async function lockWallet(tx: Tx, user_id: string): Promise<void> {
  await tx.query(sql`SELECT 1 FROM user_wallets WHERE user_id = ${user_id} FOR UPDATE`);
}

/** The same for a person who may have no wallet yet: they get an empty one. */
export async function lockOrOpenWallet(tx: Tx, user_id: string): Promise<void> {
  await tx.query(growWallet(user_id, 0n));
}

/** As `lockWallet`, without waiting: if the wallet is locked, the database refuses, and the transaction is tried again. */
export async function lockFreeWallet(tx: Tx, user_id: string): Promise<void> {
  await tx.query(sql`SELECT 1 FROM user_wallets WHERE user_id = ${user_id} FOR UPDATE NOWAIT`);
}

/** A merchant's debt, without a lock. */
export async function selectRecovery(db: Queryable, merchant_id: string): Promise<bigint> {
  const [row] = await db.query<{ balance: bigint }>(
    sql`SELECT balance FROM ledger_balances
      WHERE merchant_id = ${merchant_id} AND account = 'm:recovery' AND ref = ''`,
  );
  return row?.balance ?? 0n;
}
