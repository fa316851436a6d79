/** Compares settings, requests and decisions with the last values that the audit log has of them. */
import { type Sql, sql } from '../../base/pg/index.ts';
import { type Scope, targetsOf, within } from '../../ledger/verification/index.ts';
import { type Check, clockTolerance, instantText } from './compare.sql.ts';
import { merchantNumbers } from './earlier-terms.sql.ts';

interface Audited {
  kind: string;
  /** Rows with the columns owner, subject, row, id, and `now`: an object of values as the audit log writes them. */
  rows: (scope: Scope) => Sql;
  /** The id of the row in an entry `l` of the audit log. */
  id: Sql;
  where: Sql;
}

/** The entries `l` of the audit log that are about a scope: orders, and their cases, complaints and refunds. */
export const logged = (scope: Scope): Sql =>
  scope === null
    ? sql`true`
    : sql`l.target IN (SELECT unnest(${targetsOf(scope)}::text[])
        UNION SELECT 'case:' || c.case_id FROM payment_cases c WHERE ${within(scope, sql`c.merchant_id`, sql`c.order_no`)}
        UNION SELECT 'complaint:' || c.complaint_id FROM payment_complaints c
          WHERE ${within(scope, sql`c.merchant_id`, sql`c.order_no`)})`;

/**
 * Whether a value is what the audit log says. That is the value of the latest entry. With several processes, whose clocks
 * differ, another entry may be the last one: if an entry shortly before the latest replaced its value, a value that none
 * of them replaced is right too.
 */
const isLogged = (value: Sql, l: Sql): Sql => sql`(${value} IS NOT DISTINCT FROM ${l}.value
  OR (array_position(${l}.replaced, ${l}.value) > 0 AND array_position(${l}.recent, ${value}) > 0
    AND array_position(${l}.replaced, ${value}) IS NULL) IS TRUE)`;

/** The latest value, the recent values, and those that a recent entry replaced, of rows with these columns. */
const latestValues = (entries: Sql, keys: Sql): Sql => sql`
  SELECT ${keys}, (array_agg(value ORDER BY audit_id DESC))[1] AS value, array_agg(value) AS recent,
    array_agg(was) FILTER (WHERE was <> value) AS replaced
  FROM (SELECT *, max(at) OVER (PARTITION BY ${keys}) AS last_at FROM (${entries}) e) e
  WHERE at >= last_at - ${clockTolerance} GROUP BY ${keys}`;

/** A row without entries is not compared: a program may write without the administration API. */
const audited = ({ kind, rows, id, where }: Audited): Check => ({
  kind,
  statement: (scope) => sql`
    SELECT r.owner::text AS owner, r.subject, r.row, v.key AS what, l.value AS expected, v.value AS found
    FROM ${rows(scope)} r CROSS JOIN LATERAL jsonb_each_text(r.now) v
      JOIN (${latestValues(
        sql`SELECT ${id} AS id, e.key, e.value, l.before ->> e.key AS was, l.audit_id, l.at
          FROM audit_log l CROSS JOIN LATERAL jsonb_each_text(l.after) e WHERE ${where} AND ${logged(scope)}`,
        sql`id, key`,
      )}) l ON l.id = r.id AND l.key = v.key
    WHERE ${within(scope, sql`r.owner`, sql`r.subject`)} AND NOT ${isLogged(sql`v.value`, sql`l`)}`,
});

export const merchantFacts = audited({
  kind: 'merchant_differs',
  rows: (scope) => sql`(
    SELECT m.merchant_id AS owner, n.merchant_no AS subject, 'merchant ' || n.merchant_no AS row, n.merchant_no AS id,
      jsonb_build_object('name', name, 'owner_user_id', owner_user_id, 'status', status, 'hold_days', hold_days,
        'guest_purchase_allowed', guest_purchase_allowed, 'credit_limit_ptk', credit_limit_ptk::text,
        'logo_url', logo_url, 'short_description', short_description, 'description', description,
        'business_scope', business_scope, 'website_url', website_url, 'contact', contact, 'embed_origins', embed_origins,
        'url', notify_url, 'enabled', notify_enabled, 'created_at', ${instantText(sql`created_at`)}) AS now
    FROM merchants m JOIN ${merchantNumbers(scope)} n ON n.merchant_id = m.merchant_id)`,
  id: sql`substr(l.target, 10)`,
  where: sql`l.target LIKE 'merchant:%' AND l.action IN ('merchant.create', 'merchant.change', 'settings.change',
    'notification-settings.save', 'notification-settings.rotate-secret')`,
});

/** A price and its end in words, from an entry of the audit log. */
const loggedTerms = (rate: Sql): Sql => sql`((${rate} ->> 'ptk_price')::numeric * 1e12)::numeric(40, 0)
  || coalesce(' until ' || (${rate} ->> 'valid_until')::timestamptz, '')`;

export const rateFacts: Check = {
  kind: 'rate_differs',
  statement: () => sql`
    SELECT '00000000-0000-0000-0000-000000000000' AS owner, currency AS subject, 'rate of ' || currency AS row,
      'price and end' AS what, l.value AS expected, r.terms AS found
    FROM (SELECT currency, price_e12 || coalesce(' until ' || valid_until, '') AS terms FROM rates) r
      FULL JOIN (${latestValues(
        sql`SELECT l.after ->> 'code' AS currency, ${loggedTerms(sql`l.after`)} AS value,
            ${loggedTerms(sql`l.before`)} AS was, l.audit_id, l.at FROM audit_log l WHERE l.action = 'rate.set'`,
        sql`currency`,
      )}) l USING (currency)
    WHERE NOT ${isLogged(sql`r.terms`, sql`l`)}`,
};

export const productFacts = audited({
  kind: 'product_differs',
  rows: () => sql`(
    SELECT merchant_id AS owner, gd_no AS subject, 'product ' || gd_no AS row, gd_no AS id,
      to_jsonb(p) - 'in_stock' || jsonb_build_object('created_at', ${instantText(sql`created_at`)},
        'updated_at', ${instantText(sql`updated_at`)}) AS now
    FROM products p)`,
  id: sql`l.after ->> 'gd_no'`,
  where: sql`l.action IN ('product.create', 'product.change')`,
});

export const withdrawalFacts = audited({
  kind: 'withdrawal_differs',
  rows: () => sql`(
    SELECT merchant_id AS owner, withdrawal_id AS subject, 'withdrawal ' || withdrawal_id AS row, withdrawal_id AS id,
      jsonb_build_object('reference', reference, 'amount_ptk', amount_ptk::text, 'payout_currency', payout_currency,
        'payout_amount', round(payout_amount / power(10::numeric, payout_decimals), payout_decimals)::text,
        'status', status, 'requested_at', ${instantText(sql`requested_at`)},
        'decided_at', ${instantText(sql`decided_at`)}) AS now
    FROM withdrawals)`,
  id: sql`l.after ->> 'withdrawal_id'`,
  where: sql`l.action IN ('withdrawal.request', 'withdrawal.decide')`,
});

export const complaintFacts = audited({
  kind: 'complaint_differs',
  rows: () => sql`(
    SELECT merchant_id AS owner, order_no AS subject, 'complaint ' || complaint_id AS row, complaint_id AS id,
      jsonb_build_object('order_no', order_no, 'source', source, 'reason', reason, 'currency', currency,
        'opened_at', ${instantText(sql`opened_at`)}) AS now
    FROM payment_complaints)`,
  id: sql`l.after ->> 'complaint_id'`,
  where: sql`l.action IN ('complaint.open', 'complaint.decide')`,
});

export const refundRequests = audited({
  kind: 'refund_differs',
  rows: () => sql`(
    SELECT merchant_id AS owner, order_no AS subject, 'refund ' || refund_id AS row, refund_id AS id,
      jsonb_build_object('order_no', order_no, 'currency', currency, 'requested_at', ${instantText(sql`requested_at`)},
        'amount', round(amount / power(10::numeric, currency_decimals), currency_decimals)::text) AS now
    FROM payment_refunds)`,
  id: sql`l.after ->> 'refund_id'`,
  where: sql`l.action = 'order.refund'`,
});

/** Requests and decisions of people whose row is gone. */
export const missingRows: Check = {
  kind: 'row_missing',
  statement: (scope) => sql`
    SELECT '00000000-0000-0000-0000-000000000000' AS owner, l.id AS subject, l.what || ' ' || l.id AS row,
      'presence' AS what, 'the row that the audit log names' AS expected, 'none' AS found
    FROM (
      SELECT DISTINCT after ->> k.key AS id, k.what, k.key
      FROM audit_log l JOIN (VALUES ('order.refund', 'refund_id', 'refund'), ('complaint.open', 'complaint_id', 'complaint'),
        ('withdrawal.request', 'withdrawal_id', 'withdrawal'), ('product.create', 'gd_no', 'product'),
        ('currency.set', 'code', 'currency')) AS k (action, key, what)
        ON l.action = k.action
      WHERE ${logged(scope)}
      UNION SELECT after ->> 'case_id', 'case', 'case_id' FROM audit_log l
        WHERE action LIKE 'case.%' AND after ? 'case_id' AND ${logged(scope)}
    ) l
    WHERE NOT CASE l.what
      WHEN 'refund' THEN EXISTS (SELECT 1 FROM payment_refunds WHERE refund_id = l.id)
      WHEN 'complaint' THEN EXISTS (SELECT 1 FROM payment_complaints WHERE complaint_id = l.id)
      WHEN 'withdrawal' THEN EXISTS (SELECT 1 FROM withdrawals WHERE withdrawal_id = l.id)
      WHEN 'currency' THEN EXISTS (SELECT 1 FROM currencies WHERE code = l.id)
      WHEN 'product' THEN EXISTS (SELECT 1 FROM products WHERE gd_no = l.id)
      ELSE EXISTS (SELECT 1 FROM payment_cases WHERE case_id = l.id) END`,
};

export const currencyFacts = audited({
  kind: 'currency_differs',
  rows: () => sql`(
    SELECT '00000000-0000-0000-0000-000000000000'::uuid AS owner, code AS subject, 'currency ' || code AS row, code AS id,
      to_jsonb(c) AS now FROM currencies c)`,
  id: sql`l.after ->> 'code'`,
  where: sql`l.action = 'currency.set'`,
});
