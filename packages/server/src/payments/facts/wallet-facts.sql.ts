/** Compares people's wallets with the entries that moved them: the lines of statements, and what top-ups gave back. */
import { sql } from '../../base/pg/index.ts';
import { within } from '../../ledger/verification/index.ts';
import { type Check, clockTolerance, compare, must } from './compare.sql.ts';

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

/**
 * The PTK that the wallet had at least when a loss was booked. Lines of the same time may have come before or after it, so
 * of those only what was taken counts.
 */
const hadAtLeast = sql`(SELECT coalesce(sum(w.amount_ptk), 0) FROM user_wallet_lines w
  WHERE w.user_id = o.wallet_user_id
    AND w.at <= l.at + CASE WHEN w.amount_ptk < 0 THEN ${clockTolerance} ELSE - ${clockTolerance} END
    AND (w.merchant_id, w.subject, w.posting, w.case_key) IS DISTINCT FROM (o.merchant_id, o.order_no, 'P22', l.case_key))`;

/** What the losses of top-ups took back from wallets (P22), with the losses, and with what the wallets had. */
export const topUpFacts: Check = compare({
  kind: 'order_differs',
  owner: sql`o.merchant_id`,
  subject: sql`o.order_no`,
  row: sql`'loss ' || l.posting || CASE l.case_key WHEN '' THEN '' ELSE ' (' || l.case_key || ')' END || ' of top-up '
    || o.order_no`,
  from: () => sql`collection_orders o
    JOIN LATERAL (SELECT t.posting, t.case_key, min(t.at) AS at,
        coalesce(sum(t.amount) FILTER (WHERE t.currency = 'PTK'), 0) AS ptk,
        coalesce(sum(t.amount) FILTER (WHERE t.debit_account = 'm:available'), 0) AS available
      FROM ledger_transfers t WHERE t.merchant_id = o.merchant_id AND t.subject = o.order_no AND t.posting IN ('P7', 'P8')
      GROUP BY t.posting, t.case_key) l ON true
    CROSS JOIN LATERAL (SELECT coalesce(sum(b.amount) FILTER (WHERE b.case_key = l.case_key), 0) AS taken,
        coalesce(sum(b.amount), 0) AS all_taken
      FROM ledger_transfers b
      WHERE b.merchant_id = o.merchant_id AND b.subject = o.order_no AND b.posting = 'P22') b`,
  where: sql`o.wallet_user_id IS NOT NULL`,
  values: [
    must('a wallet that gave no more than the merchant then paid', sql`b.taken <= l.available`),
    must('a wallet that gave back no more than it got', sql`b.all_taken <= o.gross_settlement_ptk`),
    must(
      'a wallet that gave what it had',
      sql`b.taken = l.ptk OR b.all_taken >= o.gross_settlement_ptk OR b.taken >= ${hadAtLeast}`,
    ),
  ],
});
