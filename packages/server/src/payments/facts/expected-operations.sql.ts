/** The entries that withdrawals (P13) and operations by administrators (P12, P14, P16 to P20) call for. */
import { type Sql, sql } from '../../base/pg/index.ts';
import { pairsOf, type Scope, within } from '../../ledger/verification/index.ts';
import { clockTolerance } from './compare.sql.ts';
import { type ExpectedEntries, line } from './expected-settlements.sql.ts';
import { decimalsThen, merchantNumbers, testModeThen } from './earlier-terms.sql.ts';

const pending = sql`'m:withdrawal_pending:' || w.withdrawal_id`;

const ofWithdrawal =
  (posting: Sql, lines: Sql, at: Sql, where: Sql): ExpectedEntries =>
  (scope) =>
    sql`
  SELECT w.merchant_id, w.withdrawal_id, ${posting}, '', ${lines}, NULL, NULL::numeric, ${at}, false
  FROM withdrawals w WHERE ${where} AND ${within(scope, sql`w.merchant_id`, sql`w.withdrawal_id`)}`;

export const withdrawalEntries: ExpectedEntries[] = [
  ofWithdrawal(
    sql`'P13'`,
    line(sql`'m:available'`, pending, sql`w.amount_ptk`, sql`'PTK'`),
    sql`w.requested_at`,
    sql`true`,
  ),
  ofWithdrawal(
    sql`'P13s'`,
    sql`concat_ws(', ', ${line(pending, sql`'fx:PTK'`, sql`w.amount_ptk`, sql`'PTK'`)},
      ${line(sql`'fx:' || w.payout_currency`, sql`'bank:' || w.payout_currency`, sql`w.payout_amount`, sql`w.payout_currency`)})`,
    sql`w.decided_at`,
    sql`w.status = 'paid'`,
  ),
  ofWithdrawal(
    sql`'P13r'`,
    line(pending, sql`'m:available'`, sql`w.amount_ptk`, sql`'PTK'`),
    sql`w.decided_at`,
    sql`w.status = 'rejected'`,
  ),
];

/** The kind of operation that each action of the audit log is, and the account that its PTK reaches from outside. */
const operations = sql`(VALUES
  ('user.top-up', 'topup', 'P14', 'P14i'), ('merchant.top-up', 'topup', 'P20', 'P20i'),
  ('merchant.guarantee-deposit', 'guarantee-deposit', 'P12x', 'P14i'),
  ('merchant.guarantee-return', 'guarantee-return', 'P12', 'P12'),
  ('merchant.credit-repayment', 'credit-repayment', 'P16', 'P16'),
  ('merchant.recovery-repayment', 'recovery-repayment', 'P17', 'P17'),
  ('merchant.recovery-write-off', 'recovery-write-off', 'P18', 'P18'),
  ('channel.payout', 'payout', 'P19', 'P19')) AS o (action, kind, paid_posting, free_posting)`;

/**
 * The operations by the audit log, with their books. The operations of a scope were logged by the transactions of its
 * entries, so older entries of the log need not be read.
 */
const audited = (scope: Scope): Sql => sql`(
  SELECT coalesce(n.merchant_id, '00000000-0000-0000-0000-000000000000') AS merchant_id, o.kind, l.action, l.at,
    l.after ->> 'reference' AS reference, (l.after ->> 'amount_ptk')::numeric AS ptk,
    coalesce(l.after #>> '{paid,currency}', l.after ->> 'currency') AS currency, l.after ->> 'payment_no' AS payment_no,
    m.test_mode,
    coalesce(l.after #>> '{paid,amount}', l.after ->> 'amount')::numeric * power(10::numeric, c.decimals) AS minor,
    (l.after ->> 'fees')::numeric * power(10::numeric, c.decimals) AS fees,
    l.after ->> 'source' AS source,
    CASE WHEN l.after ->> 'source' = 'available' AND o.kind = 'guarantee-deposit' THEN 'P12'
      WHEN l.after ? 'paid' THEN o.paid_posting ELSE o.free_posting END AS posting,
    CASE o.kind WHEN 'guarantee-deposit' THEN 'm:guarantee' WHEN 'recovery-repayment' THEN 'm:recovery'
      ELSE coalesce('user:' || substring(l.target FROM '^user:(.*)$') || ':available', 'm:available') END AS account
  FROM audit_log l JOIN ${operations} ON o.action = l.action
    LEFT JOIN ${merchantNumbers(scope)} n ON l.target = 'merchant:' || n.merchant_no
    LEFT JOIN LATERAL (${decimalsThen}) c ON true
    LEFT JOIN LATERAL (${testModeThen}) m ON true
  WHERE ${
    scope === null
      ? sql`true`
      : sql`l.sealed_xact >= (SELECT coalesce(min(x.sealed_xact), 0)
    FROM ledger_transfers x WHERE ${within(scope, sql`x.merchant_id`, sql`x.subject`)})`
  })`;

const ptk = (debit: Sql, credit: Sql): Sql => line(debit, credit, sql`trim_scale(u.ptk)`, sql`'PTK'`);
const minor = (debit: Sql, credit: Sql, amount: Sql): Sql =>
  line(debit, credit, sql`trim_scale(${amount})`, sql`u.currency`);

const operationLines = sql`CASE
    WHEN u.kind = 'payout' THEN concat_ws(', ',
      ${minor(sql`'bank:' || u.currency`, sql`'prov:' || u.payment_no || ':' || u.currency`, sql`(u.minor - u.fees)`)},
      ${minor(sql`'exp:provider_cost:' || u.currency`, sql`'prov:' || u.payment_no || ':' || u.currency`, sql`u.fees`)})
    WHEN u.kind = 'guarantee-return' THEN ${ptk(sql`'m:guarantee'`, sql`'m:available'`)}
    WHEN u.kind = 'credit-repayment' THEN ${ptk(sql`'m:available'`, sql`'m:credit_drawn'`)}
    WHEN u.kind = 'recovery-write-off' THEN ${ptk(sql`'exp:loss'`, sql`'m:recovery'`)}
    WHEN u.source = 'available' THEN ${ptk(sql`'m:available'`, sql`u.account`)}
    WHEN u.currency IS NOT NULL THEN concat_ws(', ',
      ${minor(sql`'bank:' || u.currency`, sql`'fx:' || u.currency`, sql`u.minor`)}, ${ptk(sql`'fx:PTK'`, sql`u.account`)})
    WHEN u.ptk IS NOT NULL THEN ${ptk(sql`'issue:PTK'`, sql`u.account`)} END`;

/**
 * One entry for each reference. The audit log says what was asked for. A reference that it does not know calls for some
 * entry under its subject; a program may post without the administration API.
 */
export const operationEntries: ExpectedEntries[] = [
  (scope) => sql`
    SELECT r.merchant_id, r.kind || ':' || r.reference, coalesce(u.posting, t.posting, 'any'), '', ${operationLines}, NULL,
      NULL::numeric, CASE WHEN t.at BETWEEN u.at - ${clockTolerance} AND u.at + ${clockTolerance} THEN t.at ELSE u.at END,
      coalesce(u.test_mode, false)
    FROM posted_references r
      LEFT JOIN ${audited(scope)} u ON u.merchant_id = r.merchant_id AND u.kind = r.kind AND u.reference = r.reference
      LEFT JOIN LATERAL (SELECT min(t.posting) AS posting, min(t.at) AS at FROM ledger_transfers t
        WHERE t.merchant_id = r.merchant_id AND t.subject = r.kind || ':' || r.reference) t ON true
    WHERE ${ofScope(scope)}`,
];

/** A reference of a scope, by its key: the subject of its entry is the kind and the reference. */
const ofScope = (scope: Scope): Sql =>
  scope === null
    ? sql`true`
    : sql`(r.merchant_id, r.kind, r.reference) IN (SELECT p.merchant_id, split_part(p.subject, ':', 1),
        substr(p.subject, strpos(p.subject, ':') + 1) FROM ${pairsOf(scope)} AS p (merchant_id, subject))`;
