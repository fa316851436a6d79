/** The SQL of the sums of accounts that have no stored balance. A worker keeps them for the administration. */
import { type Queryable, type Row, type Sql, sql } from '../../base/pg/index.ts';
import { changesOf, merchantsWithin, type Scope, type Since } from '../verification/index.ts';
import { type KeptSums, transfersSince } from './kept-sums.sql.ts';

/** Whether the balance of an account is only the sum of its transfers. */
const isSummed = (account: Sql): Sql => sql`${account} !~ '^(m|susp|user):'`;

/** Credits less debits by book, account and currency. */
const sumsOf = (transfers: Sql): Sql => sql`
  SELECT merchant_id AS book, account, currency, sum(change) AS balance FROM ${changesOf(transfers)} c
  WHERE ${isSummed(sql`account`)} GROUP BY 1, 2, 3`;

export const accountSums: KeptSums = {
  table: sql`account_sums`,
  mark: sql`account_sum_marks`,
  key: sql`book, account, currency`,
  of: (since) => sumsOf(transfersSince(since)),
};

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
  if (db.isDistributed === true || wanted?.merchant_ids.length === 0) return Promise.resolve([]);
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
