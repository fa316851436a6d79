/**
 * Statements that compare the stored balances of some accounts with their transfers, and keep balances for the next
 * check.
 */
import { type Queryable, type Sql, sql, type Tx } from '../../base/pg/index.ts';
import { isNew, type Since } from './new-rows.sql.ts';
import { type Scope, pairsOf } from './scope.ts';
import { type DriftRow, isGuarded, maxFindings } from './verify.sql.ts';

/** The accounts that all orders of a merchant share. Every other guarded account of a book belongs to one subject. */
const shared = sql`('m:available', 'm:guarantee', 'm:credit_drawn', 'm:recovery')`;

/** A change of credits less debits, on the side on which the merchant’s account grows. */
export const onNormalSide = (account: Sql, change: Sql): Sql =>
  sql`CASE WHEN ${account} IN ('m:credit_drawn', 'm:recovery') THEN -${change} ELSE ${change} END`;

/** Both sides of transfers as changes of their accounts: credits less debits. */
export const changesOf = (from: Sql): Sql => sql`(
  SELECT t.merchant_id, s.account, t.currency, s.change FROM ${from} t
    CROSS JOIN LATERAL (VALUES (t.debit_account, -t.amount), (t.credit_account, t.amount)) AS s (account, change))`;

/** The stored balance of an account by the name that transfers give it. */
const storedBalance = (merchant_id: Sql, account: Sql): Sql => sql`
  SELECT b.currency, b.balance FROM ledger_balances b WHERE b.merchant_id = ${merchant_id}
    AND b.account = split_part(${account}, ':', 1) || ':' || split_part(${account}, ':', 2)
    AND b.ref = split_part(${account}, ':', 3)`;

/** Compares the accounts of single orders, withdrawals and cases that are subjects of the scope. */
export function selectDriftOfSubjects(db: Queryable, scope: NonNullable<Scope>): Promise<DriftRow[]> {
  return db.query<DriftRow>(
    sql`WITH pairs AS (SELECT * FROM ${pairsOf(scope)} AS p (merchant_id, subject)),
      rebuilt AS (
        SELECT merchant_id, account, currency, sum(change) AS balance
        FROM ${changesOf(sql`(SELECT * FROM ledger_transfers WHERE (merchant_id, subject) IN (SELECT * FROM pairs))`)} c
        WHERE ${isGuarded(sql`account`)} AND account NOT IN ${shared}
        GROUP BY merchant_id, account, currency
      ), wanted AS (
        SELECT merchant_id, account FROM rebuilt
        UNION SELECT merchant_id, kind || subject FROM pairs
          CROSS JOIN unnest(ARRAY['m:held:', 'm:frozen:', 'm:fee_reserved:', 'm:withdrawal_pending:']) AS kind
      )
      SELECT w.merchant_id::text AS owner, w.account, coalesce(r.currency, s.currency) AS currency,
        coalesce(s.balance, 0) AS stored, coalesce(r.balance, 0) AS rebuilt
      FROM wanted w LEFT JOIN LATERAL (${storedBalance(sql`w.merchant_id`, sql`w.account`)}) s ON true
        LEFT JOIN rebuilt r ON r.merchant_id = w.merchant_id AND r.account = w.account
      WHERE coalesce(s.balance, 0) <> coalesce(r.balance, 0) OR s.balance < 0 OR r.balance < 0
      ORDER BY 1, 2, 3 LIMIT ${maxFindings}`,
  );
}

/** Compares the named accounts of books with all their transfers. */
export function selectDriftOfAccounts(db: Queryable, accounts: NonNullable<Scope>): Promise<DriftRow[]> {
  return db.query<DriftRow>(
    sql`WITH wanted AS (SELECT DISTINCT * FROM ${pairsOf(accounts)} AS w (merchant_id, account)),
      rebuilt AS (
        SELECT merchant_id, account, currency, sum(${onNormalSide(sql`account`, sql`change`)}) AS balance
        FROM ${changesOf(sql`(SELECT * FROM ledger_transfers WHERE merchant_id IN (SELECT merchant_id FROM wanted))`)} c
        WHERE (merchant_id, account) IN (SELECT * FROM wanted) GROUP BY merchant_id, account, currency
      )
      SELECT w.merchant_id::text AS owner, w.account, coalesce(r.currency, s.currency, 'PTK') AS currency,
        coalesce(s.balance, 0) AS stored, coalesce(r.balance, 0) AS rebuilt
      FROM wanted w LEFT JOIN LATERAL (${storedBalance(sql`w.merchant_id`, sql`w.account`)}) s ON true
        LEFT JOIN rebuilt r ON r.merchant_id = w.merchant_id AND r.account = w.account
      WHERE coalesce(s.balance, 0) <> coalesce(r.balance, 0) OR s.balance < 0 OR r.balance < 0
      ORDER BY 1, 2, 3 LIMIT ${maxFindings}`,
  );
}

/**
 * The accounts that many orders share, and the wallets of people, after new transfers: what they were at the last check,
 * and what the new transfers add. `owner` is a merchant or a person. Sums over both sides of the new transfers only.
 */
const movedSince = (since: Since): Sql => sql`(
  SELECT CASE WHEN account LIKE 'user:%' THEN split_part(account, ':', 2)::uuid ELSE merchant_id END AS owner,
    CASE WHEN account LIKE 'user:%' THEN 'user:available' ELSE account END AS account,
    sum(${onNormalSide(sql`account`, sql`change`)}) AS change
  FROM ${changesOf(sql`(SELECT * FROM ledger_transfers f WHERE ${isNew(since, sql`f.sealed_xact`)})`)} c
  WHERE account IN ${shared} OR account LIKE 'user:%'
  GROUP BY 1, 2)`;

const storedShared = (owner: Sql, account: Sql): Sql => sql`
  SELECT b.balance FROM ledger_balances b
  WHERE b.merchant_id = ${owner} AND b.account = ${account} AND b.ref = ''
  UNION ALL SELECT w.available_ptk FROM user_wallets w WHERE w.user_id = ${owner} AND ${account} = 'user:available'`;

/** Shared accounts and wallets that new transfers moved, and whose stored balance is not the sum. */
export function selectDriftSince(db: Queryable, since: Since): Promise<DriftRow[]> {
  return db.query<DriftRow>(
    sql`SELECT m.owner::text AS owner, m.account, 'PTK' AS currency, coalesce(s.balance, 0) AS stored,
        coalesce(k.balance, 0) + m.change AS rebuilt
      FROM ${movedSince(since)} m LEFT JOIN ledger_checkpoints k ON k.owner = m.owner AND k.account = m.account
        LEFT JOIN LATERAL (${storedShared(sql`m.owner`, sql`m.account`)}) s ON true
      WHERE coalesce(s.balance, 0) <> coalesce(k.balance, 0) + m.change OR s.balance < 0
      ORDER BY 1, 2 LIMIT ${maxFindings}`,
  );
}

/** Keeps the sums of the transfers that are new. */
export async function addToCheckpoints(tx: Tx, since: Since): Promise<void> {
  await tx.query(
    sql`INSERT INTO ledger_checkpoints AS k (owner, account, balance)
      SELECT owner, account, change FROM ${movedSince(since)} m
      ON CONFLICT (owner, account) DO UPDATE SET balance = k.balance + excluded.balance`,
  );
}

/**
 * Keeps all shared balances after a full check. They equal the sums of their transfers, except the balances that the check
 * found to differ: of these it keeps the sums of the transfers.
 */
export async function replaceCheckpoints(tx: Tx, drift: readonly DriftRow[]): Promise<void> {
  const store = (rows: Sql): Sql => sql`INSERT INTO ledger_checkpoints AS k (owner, account, balance) ${rows}
    ON CONFLICT (owner, account) DO UPDATE SET balance = excluded.balance WHERE k.balance <> excluded.balance`;
  await tx.query(
    store(
      sql`SELECT merchant_id, account, balance FROM ledger_balances WHERE ref = '' AND account IN ${shared}`,
    ),
  );
  await tx.query(store(sql`SELECT user_id, 'user:available', available_ptk FROM user_wallets`));
  const differing = drift.filter(({ account }) => account === 'user:available' || !/:.*:/.test(account));
  if (differing.length === 0) return;
  await tx.query(
    store(sql`SELECT * FROM unnest(${differing.map(({ owner }) => owner)}::uuid[],
      ${differing.map(({ account }) => account)}::text[], ${differing.map(({ rebuilt }) => rebuilt)}::numeric[])`),
  );
}
