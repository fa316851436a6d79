/** Lists the transfers of one book, page by page, for administrators. */
import { type Queryable, sql } from '../../base/pg/index.ts';
import type { TransferRow } from './ledger.sql.ts';

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
