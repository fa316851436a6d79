/** The SQL of the sums of accounts that have no stored balance. A worker keeps them for the administration. */
import { type Queryable, type Row, type Sql, sql, type Tx } from '../../base/pg/index.ts';
import { isForeign, isNew, type Since, type Scope, merchantsWithin } from '../verification/index.ts';

/** What the sums were made of: the transfers that this snapshot showed. Null while no sums are kept. */
export interface AccountSumsMark extends Row {
  snapshot: string | null;
  /** The PostgreSQL server that counts its transactions. */
  counted_by: string | null;
}

/** Whether the balance of an account is only the sum of its transfers. */
const isSummed = (account: Sql): Sql => sql`${account} !~ '^(m|susp|user):'`;

/** Credits less debits by book, account and currency. */
const sumsOf = (transfers: Sql): Sql => sql`
  SELECT t.merchant_id AS book, s.account, t.currency, sum(s.change) AS balance FROM ${transfers} t
    CROSS JOIN LATERAL (VALUES (t.debit_account, -t.amount), (t.credit_account, t.amount)) AS s (account, change)
  WHERE ${isSummed(sql`s.account`)} GROUP BY 1, 2, 3`;

const transfersSince = (since: Since | null): Sql =>
  since === null
    ? sql`ledger_transfers`
    : sql`(SELECT * FROM ledger_transfers n WHERE ${isNew(since, sql`n.sealed_xact`)})`;

/** Whether there are transfers of a server that has counted further than this one: then no sums are kept (D-572). */
export async function hasForeignTransfers(tx: Tx): Promise<boolean> {
  const [row] = await tx.query<{ found: boolean }>(
    sql`SELECT EXISTS (SELECT 1 FROM ledger_transfers WHERE ${isForeign(sql`sealed_xact`)}) AS found`,
  );
  return row?.found === true;
}

export async function selectAccountSumsMark(db: Queryable): Promise<AccountSumsMark> {
  const [row] = await db.query<AccountSumsMark>(sql`SELECT snapshot, counted_by FROM account_sum_marks`);
  return row ?? { snapshot: null, counted_by: null };
}

export async function lockAccountSumsMark(tx: Tx): Promise<AccountSumsMark> {
  const [row] = await tx.query<AccountSumsMark>(
    sql`SELECT snapshot, counted_by FROM account_sum_marks FOR UPDATE`,
  );
  return row ?? { snapshot: null, counted_by: null };
}

export async function updateAccountSumsMark(
  db: Queryable,
  { snapshot, counted_by }: AccountSumsMark,
): Promise<void> {
  await db.query(sql`UPDATE account_sum_marks SET snapshot = ${snapshot}, counted_by = ${counted_by}`);
}

export async function deleteAccountSums(tx: Tx): Promise<void> {
  await tx.query(sql`DELETE FROM account_sums`);
}

/** Adds the transfers that are new, or all; returns how many accounts they moved. */
export async function addToAccountSums(tx: Tx, since: Since | null): Promise<number> {
  const rows = await tx.query(
    sql`INSERT INTO account_sums AS k (book, account, currency, balance)
      ${sumsOf(transfersSince(since))}
      ON CONFLICT (book, account, currency) DO UPDATE SET balance = k.balance + excluded.balance RETURNING 1 AS one`,
  );
  return rows.length;
}

/** An account of a book. */
export interface AccountRow extends Row {
  /** The name without the order, withdrawal or case, such as `m:held`. */
  kind: string;
  /** The order, withdrawal or case; empty if there is none. */
  ref: string;
  currency: string;
  /** A stored balance is on the account's normal side; a sum is credits less debits. */
  balance: bigint;
  stored: boolean;
}

/** Where a page of accounts begins: after this account. */
export type AccountMark = Pick<AccountRow, 'kind' | 'ref' | 'currency'>;

/**
 * The accounts of a book by name: to the kept sums it adds exactly the transfers that their snapshot did not show
 * (D-430). Leaves out the accounts of people, which belong to no book, and empty accounts of one order, withdrawal or
 * case.
 *
 * @param since the snapshot of the kept sums; null if none are kept, then all transfers of the book are added up
 */
export function selectAccounts(
  db: Queryable,
  book: string,
  since: Since | null,
  behind: AccountMark,
  limit: number,
): Promise<AccountRow[]> {
  const kept =
    since === null
      ? sql``
      : sql`UNION ALL SELECT account, currency, balance FROM account_sums WHERE book = ${book}`;
  const fresh = sumsOf(sql`(SELECT * FROM ${transfersSince(since)} b WHERE b.merchant_id = ${book})`);
  return db.query<AccountRow>(
    sql`SELECT * FROM (
        (SELECT account AS kind, ref, currency, balance, true AS stored FROM ledger_balances
          WHERE merchant_id = ${book} AND (account, ref) >= (${behind.kind}, ${behind.ref})
            AND (account, ref, currency) > (${behind.kind}, ${behind.ref}, ${behind.currency})
            AND (ref = '' OR balance > 0)
          ORDER BY account, ref LIMIT ${limit})
        UNION ALL
        SELECT account, '', currency, sum(balance), false FROM (
          SELECT account, currency, balance FROM (${fresh}) fresh ${kept}) summed
        WHERE (account, '', currency) > (${behind.kind}, ${behind.ref}, ${behind.currency})
        GROUP BY account, currency
      ) accounts ORDER BY kind, ref, currency LIMIT ${limit}`,
  );
}

/** What findings about the kept sums of a book are about. */
export const accountSumsSubject = 'account sums';

/** A book whose kept sums differ from its transfers. */
export interface AccountSumsFault extends Row {
  owner: string;
  /** How many accounts differ, and the first of them. */
  accounts: number;
  first: string;
}

/** Adds up the transfers that the mark's snapshot showed, and compares. */
export function selectAccountSumsFaults(
  db: Queryable,
  scope: Scope,
  limit: number,
): Promise<AccountSumsFault[]> {
  const wanted =
    scope === null
      ? null
      : {
          merchant_ids: scope.merchant_ids.filter((_, i) => scope.subjects[i] === accountSumsSubject),
          subjects: [],
        };
  if (wanted?.merchant_ids.length === 0) return Promise.resolve([]);
  return db.query<AccountSumsFault>(
    sql`WITH marks AS (
        SELECT snapshot::pg_snapshot AS snapshot FROM account_sum_marks
        WHERE counted_by = (SELECT system_identifier::text FROM pg_control_system())
      ), actual AS (${sumsOf(sql`(
        SELECT l.* FROM ledger_transfers l CROSS JOIN marks m
        WHERE ${merchantsWithin(wanted, sql`l.merchant_id`)}
          AND (l.sealed_xact < pg_snapshot_xmin(m.snapshot)::text::bigint
            OR pg_visible_in_snapshot(l.sealed_xact::text::xid8, m.snapshot)))`)})
      SELECT book::text AS owner, count(*)::int AS accounts, min(account) AS first
      FROM actual a FULL JOIN (
        SELECT k.* FROM account_sums k CROSS JOIN marks WHERE ${merchantsWithin(wanted, sql`k.book`)}
      ) k USING (book, account, currency)
      WHERE coalesce(a.balance, 0) <> coalesce(k.balance, 0) GROUP BY book ORDER BY 1 LIMIT ${limit}`,
  );
}
