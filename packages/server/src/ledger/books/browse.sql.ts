/** Statements that list the accounts and the transfers of one book, page by page, for administrators. */
import { type Queryable, type Row, sql } from '../../base/pg/index.ts';
import type { TransferRow } from './ledger.sql.ts';

/** The sums of all credits and of all debits on one account of a book. */
export interface AccountSum extends Row {
  account: string;
  currency: string;
  credited: bigint;
  debited: bigint;
}

/**
 * The accounts of a book, ordered by name, with their sums; the page starts after the account `after`. Leaves out the
 * accounts of people, which belong to no book, and empty accounts of one order, withdrawal or case: otherwise the list
 * would have one account for each order.
 */
export function selectAccountSums(
  db: Queryable,
  merchant_id: string,
  after: { account: string; currency: string },
  limit: number,
): Promise<AccountSum[]> {
  return db.query<AccountSum>(
    sql`SELECT account, currency, sum(credited) AS credited, sum(debited) AS debited FROM (
        SELECT credit_account AS account, currency, amount AS credited, 0::numeric AS debited
        FROM ledger_transfers WHERE merchant_id = ${merchant_id}
        UNION ALL
        SELECT debit_account, currency, 0::numeric, amount FROM ledger_transfers WHERE merchant_id = ${merchant_id}
      ) moved
      WHERE (account, currency) > (${after.account}, ${after.currency}) AND NOT starts_with(account, 'user:')
      GROUP BY account, currency
      HAVING sum(credited) <> sum(debited) OR NOT (account ~ '^(m:[a-z_]+:|susp:)')
      ORDER BY account, currency LIMIT ${limit}`,
  );
}

/** The last transfer of a page; the next page starts after it. */
export type TransferMark = Pick<TransferRow, 'subject' | 'posting' | 'case_key' | 'leg'>;

export interface TransferFilter {
  account: string | null;
  subject: string | null;
}

/** The transfers of a book, in descending order of subject: new orders come first, since their numbers sort by time. */
export function selectTransferPage(
  db: Queryable,
  merchant_id: string,
  { account, subject }: TransferFilter,
  behind: TransferMark | null,
  limit: number,
): Promise<TransferRow[]> {
  const ofAccount =
    account === null ? sql`` : sql`AND (debit_account = ${account} OR credit_account = ${account})`;
  const ofSubject = subject === null ? sql`` : sql`AND subject = ${subject}`;
  const further =
    behind === null
      ? sql``
      : sql`AND (subject, posting, case_key, leg)
        < (${behind.subject}, ${behind.posting}, ${behind.case_key}, ${behind.leg}::smallint)`;
  return db.query<TransferRow>(
    sql`SELECT subject, posting, case_key, leg, debit_account, credit_account, currency, amount, test_mode, at
      FROM ledger_transfers WHERE merchant_id = ${merchant_id} ${ofSubject} ${ofAccount} ${further}
      ORDER BY subject DESC, posting DESC, case_key DESC, leg DESC LIMIT ${limit}`,
  );
}
