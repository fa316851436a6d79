/** SQL that compares cases with the money in suspense. */
import { type Queryable, type Row, type Sql, sql } from '../../base/pg/index.ts';
import { pairsOf, type Scope, within } from '../../ledger/verification/index.ts';

/** A case, or money in suspense, if the two do not agree. */
export interface CaseFault extends Row {
  owner: string;
  case_id: string;
  /** Null if there is no such case. */
  state: string | null;
  /** Money in suspense under the case, in minor units. */
  suspended: bigint;
  currency: string;
}

/**
 * Finds cases that do not agree with suspense. A case holds money in suspense if and only if its receipt was booked and it
 * is not resolved. The currencies have to agree too.
 */
export function selectCaseFaults(db: Queryable, scope: Scope, limit: number): Promise<CaseFault[]> {
  return db.query<CaseFault>(
    sql`WITH booked AS (
        SELECT merchant_id, ref AS case_id, currency, balance
        FROM ledger_balances WHERE account LIKE 'susp:%' AND balance <> 0
          AND ${
            scope === null
              ? sql`true`
              : sql`(merchant_id, account, ref) IN (
            SELECT c.merchant_id, 'susp:' || c.currency, c.case_id FROM payment_cases c WHERE ${ofScope(scope)})`
          }
      ), received AS (
        SELECT merchant_id, case_id, state, booked AS is_booked, currency AS received_in FROM payment_cases c
        WHERE ${ofScope(scope)}
      )
      SELECT merchant_id::text AS owner, case_id, state, coalesce(balance, 0) AS suspended,
        coalesce(currency, received_in, '') AS currency
      FROM received FULL JOIN booked USING (merchant_id, case_id)
      WHERE (balance IS NOT NULL) IS DISTINCT FROM (is_booked AND state <> 'resolved') OR currency <> received_in
      ORDER BY 1, 2 LIMIT ${limit}`,
  );
}

/** Whether the case `c`, or its order, is in the scope. */
export const ofScope = (scope: Scope): Sql =>
  scope === null
    ? sql`true`
    : sql`(c.merchant_id, c.case_id) IN (SELECT * FROM ${pairsOf(scope)}
        UNION SELECT x.merchant_id, x.case_id FROM payment_cases x WHERE ${within(scope, sql`x.merchant_id`, sql`x.order_no`)})`;
