/** Statements that check the books: they recompute everything from the transfers, inside the database. */
import {
  copyDistributed,
  type Queryable,
  raw,
  type Tx,
  type Row,
  sql,
  type Sql,
} from '../../base/pg/index.ts';
import { type Scope, within } from './scope.ts';

/** Maximum number of findings of one kind: more would not help to find the cause. */
export const maxFindings = 1_000;

/**
 * Makes all queries of a transaction read the same snapshot, without a time limit on the server. It must be the first statement of
 * the transaction. Sums over whole tables sort and hash, so they get more memory than usual. The
 * statements are long: to compile them would take longer than to run them. Distributed tables are copied here first: checks
 * join tables of different servers.
 *
 * @param access `read write` for a check that stores its result at its end
 * @param limits `as usual` keeps the time limit of the connection
 */
export async function readOneSnapshot(
  tx: Tx,
  access: 'read only' | 'read write' = 'read only',
  limits: 'as usual' | 'none' = 'none',
): Promise<void> {
  // Copies are written.
  const level = tx.isDistributed === true ? 'read write' : access;
  await tx.query(sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, ${raw(level)}`);
  if (limits === 'none') await tx.query(sql`SET LOCAL statement_timeout = 0`);
  for (const setting of settings) await tx.query(sql`SET LOCAL ${raw(setting)}`);
  await copyDistributed(tx);
}

const settings = [
  // A statement uses this for each of several sorts and tables in memory: 75 MB in all. Twice as much is not faster.
  `work_mem = '16MB'`,
  'hash_mem_multiplier = 1',
  'jit = off',
  // One core, so one process, is enough for a check that runs beside payments (D-387).
  'max_parallel_workers_per_gather = 0',
  // A plan for few subjects is wrong for many.
  'plan_cache_mode = force_custom_plan',
];

/**
 * Makes later statements of a transaction find rows by their keys. A check of what is new asks for a page of subjects
 * that lie together and were just written, while the planner expects to read each from another place of the disk: it
 * read tables of a million rows to their end for 5,000 of them.
 */
export async function preferKeys(db: Queryable): Promise<void> {
  await db.query(sql`SET LOCAL random_page_cost = 1.1`);
}

/** The currency of an account according to its name; null if the name is unknown. */
const currencyOf = (account: Sql): Sql => sql`CASE split_part(${account}, ':', 1)
    WHEN 'm' THEN 'PTK'
    WHEN 'user' THEN 'PTK'
    WHEN 'prov' THEN split_part(${account}, ':', 3)
    WHEN 'inc' THEN CASE WHEN ${account} = 'inc:merchant_fee' THEN 'PTK'
      WHEN ${account} LIKE 'inc:buyer\\_fee:%' THEN split_part(${account}, ':', 3) END
    WHEN 'exp' THEN CASE WHEN ${account} = 'exp:loss' THEN 'PTK'
      WHEN ${account} LIKE 'exp:provider\\_cost:%' THEN split_part(${account}, ':', 3) END
    WHEN 'fx' THEN split_part(${account}, ':', 2)
    WHEN 'bank' THEN split_part(${account}, ':', 2)
    WHEN 'susp' THEN split_part(${account}, ':', 2)
    WHEN 'issue' THEN split_part(${account}, ':', 2) END`;

export interface ImbalanceRow extends Row {
  owner: string;
  subject: string;
  posting: string;
  currency: string;
  legs: number;
  /** The sums that the entry debits and credits on accounts of this currency, in its minor units. */
  debited: bigint;
  credited: bigint;
}

/**
 * Entries that do not balance in some currency (R-143). The currency of an account follows from its name. The service
 * cannot write such an entry, because a transfer has one currency; damage to the table can cause one.
 */
export function selectImbalances(db: Queryable, scope: Scope): Promise<ImbalanceRow[]> {
  const debit = currencyOf(sql`debit_account`);
  const credit = currencyOf(sql`credit_account`);
  return db.query<ImbalanceRow>(
    sql`WITH odd AS (
        SELECT merchant_id, subject, posting, currency, amount, ${debit} AS debited_in, ${credit} AS credited_in
        FROM ledger_transfers
        WHERE ${within(scope, sql`merchant_id`, sql`subject`)} AND (amount <= 0 OR debit_account = credit_account
          OR currency IS DISTINCT FROM ${debit} OR currency IS DISTINCT FROM ${credit})
      )
      SELECT merchant_id::text AS owner, subject, posting, currency, count(*)::int AS legs,
        coalesce(sum(amount) FILTER (WHERE debited_in = currency), 0) AS debited,
        coalesce(sum(amount) FILTER (WHERE credited_in = currency), 0) AS credited
      FROM odd GROUP BY merchant_id, subject, posting, currency ORDER BY 1, 2, 3, 4 LIMIT ${maxFindings}`,
  );
}

export interface EntryRow extends Row {
  owner: string;
  subject: string;
  posting: string;
  legs: number;
  last_leg: number;
}

/** The number of entries, and the incomplete ones: legs are numbered from 1, so a gap is a lost transfer (R-143). */
export async function selectEntries(
  db: Queryable,
  scope: Scope,
): Promise<{ entries: bigint; incomplete: EntryRow[] }> {
  const [row] = await db.query<{ entries: bigint; incomplete: EntryRow[] }>(
    sql`WITH entry AS (
        SELECT merchant_id, subject, posting, count(*)::int AS legs, max(leg)::int AS last_leg
        FROM ledger_transfers WHERE ${within(scope, sql`merchant_id`, sql`subject`)}
        GROUP BY merchant_id, subject, posting, case_key
      ), incomplete AS (
        SELECT merchant_id::text AS owner, subject, posting, legs, last_leg FROM entry
        WHERE legs <> last_leg ORDER BY 1, 2, 3 LIMIT ${maxFindings}
      )
      SELECT (SELECT count(*) FROM entry) AS entries,
        coalesce((SELECT jsonb_agg(to_jsonb(incomplete)) FROM incomplete), '[]'::jsonb) AS incomplete`,
  );
  return row ?? { entries: 0n, incomplete: [] };
}

export interface DriftRow extends Row {
  /** The merchant or the person that owns the account. */
  owner: string;
  account: string;
  currency: string;
  /** The stored balance, in minor units of the currency. */
  stored: bigint;
  /** The sum of the transfers, in minor units of the currency. */
  rebuilt: bigint;
}

/** Whether an account has a stored balance in a merchant's book. */
export const isGuarded = (account: Sql): Sql => sql`(${account} LIKE 'm:%' OR ${account} LIKE 'susp:%')`;

/**
 * Stored balances in merchants' books, of any currency, that differ from the sum of their transfers or are below zero
 * (R-145).
 */
export function selectMerchantDrift(db: Queryable): Promise<DriftRow[]> {
  return db.query<DriftRow>(
    sql`WITH moved AS (
        SELECT merchant_id, debit_account AS account, currency, -amount AS change FROM ledger_transfers
          WHERE ${isGuarded(sql`debit_account`)}
        UNION ALL
        SELECT merchant_id, credit_account, currency, amount FROM ledger_transfers
          WHERE ${isGuarded(sql`credit_account`)}
      ), rebuilt AS (
        SELECT merchant_id, account, currency,
          CASE WHEN account IN ('m:credit_drawn', 'm:recovery') THEN -sum(change) ELSE sum(change) END AS balance
        FROM moved GROUP BY merchant_id, account, currency
      ), stored AS (
        SELECT merchant_id, account || CASE WHEN ref = '' THEN '' ELSE ':' || ref END AS account, currency, balance
        FROM ledger_balances
      )
      SELECT merchant_id::text AS owner, account, currency,
        coalesce(s.balance, 0) AS stored, coalesce(r.balance, 0) AS rebuilt
      FROM rebuilt r FULL JOIN stored s USING (merchant_id, account, currency)
      WHERE coalesce(s.balance, 0) <> coalesce(r.balance, 0) OR s.balance < 0 OR r.balance < 0
      ORDER BY 1, 2, 3 LIMIT ${maxFindings}`,
  );
}

export interface WalletDriftRow extends DriftRow {
  /** The sum of the lines of the person's own statement. */
  lines: bigint;
}

/**
 * The same for the wallets of people (R-146). Their transfers are in many books, and also in the person's own statement.
 */
export function selectWalletDrift(
  db: Queryable,
  user_ids: readonly string[] | null,
): Promise<WalletDriftRow[]> {
  const isWanted = (account: Sql): Sql =>
    user_ids === null
      ? sql`${account} LIKE 'user:%'`
      : sql`${account} = ANY(${user_ids.map((id) => `user:${id}:available`)}::text[])`;
  const ofWanted = user_ids === null ? sql`true` : sql`user_id = ANY(${[...user_ids]}::uuid[])`;
  return db.query<WalletDriftRow>(
    sql`WITH moved AS (
        SELECT debit_account AS account, -amount AS change FROM ledger_transfers
        WHERE ${isWanted(sql`debit_account`)}
        UNION ALL
        SELECT credit_account, amount FROM ledger_transfers WHERE ${isWanted(sql`credit_account`)}
      ), rebuilt AS (
        SELECT split_part(account, ':', 2)::uuid AS user_id, sum(change) AS balance FROM moved GROUP BY 1
      ), lines AS (
        SELECT user_id, sum(amount_ptk) AS balance FROM user_wallet_lines
        WHERE ${ofWanted} GROUP BY user_id
      ), stored AS (
        SELECT user_id, available_ptk FROM user_wallets WHERE ${ofWanted}
      )
      SELECT user_id::text AS owner, 'user:available' AS account, 'PTK' AS currency,
        coalesce(w.available_ptk, 0) AS stored, coalesce(r.balance, 0) AS rebuilt, coalesce(l.balance, 0) AS lines
      FROM rebuilt r FULL JOIN stored w USING (user_id) FULL JOIN lines l USING (user_id)
      WHERE coalesce(w.available_ptk, 0) <> coalesce(r.balance, 0)
        OR coalesce(l.balance, 0) <> coalesce(r.balance, 0) OR w.available_ptk < 0
      ORDER BY 1 LIMIT ${maxFindings}`,
  );
}
