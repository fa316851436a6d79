import { type Queryable, type Row, sql } from '../../base/pg/index.ts';

/** A case, or money in suspense, where the two do not agree. */
export interface CaseFault extends Row {
  owner: string;
  case_id: string;
  /** Null where there is no such case. */
  state: string | null;
  /** What stands in suspense under it, in minor units. */
  suspended: bigint;
  currency: string;
}

/**
 * Compares cases with suspense: money waits under a case that is not resolved, whose receipt was booked, and in the
 * currency of that; and such a case has some. Reads both, because comparing them is its purpose.
 */
export function selectCaseFaults(db: Queryable, limit: number): Promise<CaseFault[]> {
  return db.query<CaseFault>(
    sql`WITH booked AS (
        SELECT merchant_id, ref AS case_id, currency, balance
        FROM ledger_balances WHERE account LIKE 'susp:%' AND balance <> 0
      ), received AS (
        SELECT merchant_id, case_id, state, booked AS is_booked, currency AS received_in FROM payment_cases
      )
      SELECT merchant_id::text AS owner, case_id, state, coalesce(balance, 0) AS suspended,
        coalesce(currency, received_in, '') AS currency
      FROM received FULL JOIN booked USING (merchant_id, case_id)
      WHERE (balance IS NOT NULL) IS DISTINCT FROM (is_booked AND state <> 'resolved') OR currency <> received_in
      ORDER BY 1, 2 LIMIT ${limit}`,
  );
}
