import { join, sql, type Queryable } from '../../base/pg/index.ts';
import type { TimeSpan } from '../../base/input/time-span.ts';
import type { TransferRow } from './ledger.sql.ts';

/** Where a statement goes on: behind the last line of the page before. */
export interface StatementMark {
  at: Date;
  subject: string;
  posting: string;
  case_key: string;
  leg: number;
}

export interface StatementFilter {
  /** One account by the kind of its name, such as `m:held`; null: all of the merchant's own. */
  account: string | null;
  booked: TimeSpan;
}

/** What moved on a merchant's own accounts, newest first. */
export function selectStatement(
  db: Queryable,
  merchant_id: string,
  { account, booked: { from, to } }: StatementFilter,
  behind: StatementMark | null,
  limit: number,
): Promise<TransferRow[]> {
  // Accounts are called `m:available`, or `m:held:` and an order.
  const under = account === null ? null : `${account}:`;
  const conditions = [
    // As the index has it.
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
