/** Compares the lines of people's statements with the entries that moved their wallets. */
import { sql } from '../../base/pg/index.ts';
import { within } from '../../ledger/verification/index.ts';
import { type Check } from './compare.sql.ts';

/** Within a scope, a line without an entry is not looked for: lines are found by their person. */
export const walletFacts: Check = {
  kind: 'wallet_line_differs',
  statement: (scope) => sql`
    WITH moved AS (
      SELECT split_part(account, ':', 2) AS user_id, merchant_id, subject, posting, case_key, sum(change) AS amount_ptk,
        min(at) AS at
      FROM (
        SELECT debit_account AS account, merchant_id, subject, posting, case_key, -amount AS change, at
        FROM ledger_transfers WHERE debit_account LIKE 'user:%' AND ${within(scope, sql`merchant_id`, sql`subject`)}
        UNION ALL
        SELECT credit_account, merchant_id, subject, posting, case_key, amount, at
        FROM ledger_transfers WHERE credit_account LIKE 'user:%' AND ${within(scope, sql`merchant_id`, sql`subject`)}) t
      GROUP BY 1, 2, 3, 4, 5
    ), lines AS (
      SELECT user_id::text AS user_id, merchant_id, subject, posting, case_key, amount_ptk, at FROM user_wallet_lines
      WHERE ${scope === null ? sql`true` : sql`(user_id, merchant_id, subject) IN (SELECT user_id::uuid, merchant_id, subject FROM moved)`}
    )
    SELECT merchant_id::text AS owner, subject, 'line ' || posting || ' of ' || subject || ' in the statement of user ' || user_id AS row,
      'amount and time' AS what, m.amount_ptk || ' at ' || m.at AS expected, l.amount_ptk || ' at ' || l.at AS found
    FROM moved m FULL JOIN lines l USING (user_id, merchant_id, subject, posting, case_key)
    WHERE m.amount_ptk IS DISTINCT FROM l.amount_ptk OR m.at IS DISTINCT FROM l.at`,
};
