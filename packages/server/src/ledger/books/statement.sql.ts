/** The statement of a merchant's wallet: its transfers page by page. */
import { join, sql, type Queryable } from '../../base/pg/index.ts';
import type { TimeSpan } from '../../base/input/time-span.ts';
import type { TransferRow } from './ledger.sql.ts';

/** The last line of a page; the next page starts after it. */
export interface StatementMark {
  at: Date;
  subject: string;
  posting: string;
  case_key: string;
  leg: number;
}

export interface StatementFilter {
  /** The kind of account, such as `m:held`; null for all of the merchant's own accounts. */
  account: string | null;
  booked: TimeSpan;
}

/** The transfers on a merchant's own accounts, newest first. */
export function selectStatement(
  db: Queryable,
  merchant_id: string,
  { account, booked: { from, to } }: StatementFilter,
  behind: StatementMark | null,
  limit: number,
): Promise<TransferRow[]> {
  // An account's name is its kind (`m:available`), or its kind and an order (`m:held:mp_…`).
  const under = account === null ? null : `${account}:`;
  const conditions = [
    // Written as in the index, so that PostgreSQL uses the index.
    sql`(debit_account LIKE 'm:%' OR credit_account LIKE 'm:%')`,
    ...(account === null
      ? []
      : [
          sql`(debit_account = ${account} OR credit_account = ${account}
            OR starts_with(debit_account, ${under}) OR starts_with(credit_account, ${under}))`,
        ]),
    ...(from === null ? [] : [sql`at >= ${from}`]),
    ...(to === null ? [] : [sql`at < ${to}`]),
    ...(behind === null
      ? []
      : [
          sql`(at, subject, posting, case_key, leg) < (${behind.at}, ${behind.subject}, ${behind.posting},
            ${behind.case_key}, ${behind.leg})`,
        ]),
  ];
  return db.query<TransferRow>(
    sql`SELECT subject, posting, case_key, leg, debit_account, credit_account, currency, amount, test_mode, at
      FROM ledger_transfers WHERE merchant_id = ${merchant_id} AND ${join(conditions, ' AND ')}
      ORDER BY at DESC, subject DESC, posting DESC, case_key DESC, leg DESC LIMIT ${limit}`,
  );
}

/** The transfers on a merchant's own accounts in a span of time, oldest first, after a mark. */
export function selectStatementForward(
  db: Queryable,
  merchant_id: string,
  { from, to }: { from: Date; to: Date },
  after: StatementMark | null,
  limit: number,
): Promise<TransferRow[]> {
  const rest =
    after === null
      ? sql``
      : sql`AND (at, subject, posting, case_key, leg) > (${after.at}, ${after.subject}, ${after.posting},
          ${after.case_key}, ${after.leg})`;
  return db.query<TransferRow>(
    sql`SELECT subject, posting, case_key, leg, debit_account, credit_account, currency, amount, test_mode, at
      FROM ledger_transfers WHERE merchant_id = ${merchant_id}
        AND (debit_account LIKE 'm:%' OR credit_account LIKE 'm:%') AND at >= ${from} AND at < ${to} ${rest}
      ORDER BY at, subject, posting, case_key, leg LIMIT ${limit}`,
  );
}

/**
 * What each kind of a merchant's own accounts came to before a time: credits less debits, so debts are negative.
 *
 * @returns by kind without its prefix, such as `available`
 */
export async function selectBalancesBefore(
  db: Queryable,
  merchant_id: string,
  at: Date,
): Promise<Map<string, bigint>> {
  const rows = await db.query<{ account: string; balance: bigint }>(
    sql`SELECT account, sum(change) AS balance FROM (
        SELECT split_part(credit_account, ':', 2) AS account, amount AS change FROM ledger_transfers
          WHERE merchant_id = ${merchant_id} AND credit_account LIKE 'm:%' AND at < ${at}
        UNION ALL
        SELECT split_part(debit_account, ':', 2), -amount FROM ledger_transfers
          WHERE merchant_id = ${merchant_id} AND debit_account LIKE 'm:%' AND at < ${at}
      ) moved GROUP BY account`,
  );
  return new Map(rows.map(({ account, balance }) => [account, balance]));
}
