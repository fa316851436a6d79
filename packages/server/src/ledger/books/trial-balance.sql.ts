/** Adds up the transfers of all books in a span of time, and before it. */
import { type Queryable, type Row, type Sql, sql } from '../../base/pg/index.ts';

/** The transfers of one kind: of a posting, between two accounts, inside or before the span. */
export interface TransferSum extends Row {
  /** The merchant's, or the platform's; null if all books are added up together. */
  book: string | null;
  posting: string;
  debit_account: string;
  credit_account: string;
  currency: string;
  /** Whether they belong to test payments, with all that followed from them. */
  test_mode: boolean;
  within: boolean;
  amount: bigint;
  transfers: bigint;
}

/** An account's name without its order, withdrawal, case or person. */
const withoutRef = (account: Sql): Sql => sql`CASE split_part(${account}, ':', 1) WHEN 'user' THEN 'user'
  WHEN 'm' THEN 'm:' || split_part(${account}, ':', 2) WHEN 'susp' THEN 'susp:' || split_part(${account}, ':', 2)
  ELSE ${account} END`;

/**
 * One statement, so that all sums are of one snapshot. It reads every transfer before the end of the span.
 *
 * @param by_book whether each book is added up by itself
 */
export function selectTransferSums(
  db: Queryable,
  { since, until }: { since: Date; until: Date },
  by_book: boolean,
): Promise<TransferSum[]> {
  return db.query<TransferSum>(
    sql`SELECT ${by_book ? sql`t.merchant_id` : sql`NULL::uuid`} AS book, t.posting,
        ${withoutRef(sql`t.debit_account`)} AS debit_account, ${withoutRef(sql`t.credit_account`)} AS credit_account,
        t.currency, t.test_mode OR tests.subject IS NOT NULL AS test_mode, t.at >= ${since} AS within,
        sum(t.amount) AS amount, count(*) AS transfers
      FROM ledger_transfers t
        LEFT JOIN (SELECT DISTINCT merchant_id, subject FROM ledger_transfers WHERE test_mode AND posting = 'P1') tests
          ON t.posting = 'P3' AND tests.merchant_id = t.merchant_id AND tests.subject = t.subject
      WHERE t.at < ${until} GROUP BY 1, 2, 3, 4, 5, 6, 7 ORDER BY 1, 2, 3, 4, 5, 6`,
  );
}
