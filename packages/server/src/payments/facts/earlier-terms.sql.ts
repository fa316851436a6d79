/** Reads from the audit log which prices and terms have been in force. */
import { sql, type Sql } from '../../base/pg/index.ts';
import { merchantsWithin, type Scope } from '../../ledger/verification/index.ts';

/** The public number of each merchant, as the audit log names it. */
export const merchantNumbers = (scope: Scope): Sql => sql`(
  SELECT m.merchant_id, 'mr_' || string_agg(
    substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substring(n.bits FROM i * 5 + 1 FOR 5)::int + 1, 1), '' ORDER BY i
  ) AS merchant_no
  FROM merchants m
    CROSS JOIN LATERAL (SELECT B'00' || ('x' || replace(m.merchant_id::text, '-', ''))::bit(128) AS bits) n
    CROSS JOIN generate_series(0, 25) AS i
  WHERE ${merchantsWithin(scope, sql`m.merchant_id`)}
  GROUP BY m.merchant_id)`;

/** Every price of 1 PTK that was set for a currency, now or before. */
export const knownPrices: Sql = sql`(
  SELECT currency, price_e12 FROM rates
  UNION SELECT 'PTK', 1e12::numeric
  UNION SELECT after ->> 'code', (after ->> 'ptk_price')::numeric * 1e12 FROM audit_log WHERE action = 'rate.set')`;

/** What changes made of rows, and what was there before them: a program may create a row without the log (D-952). */
const changes = (what: 'merchant' | 'channel' | 'product'): Sql => sql`(
  SELECT l.target, s.state FROM audit_log l CROSS JOIN LATERAL (VALUES (l.after), (l.before)) AS s (state)
  WHERE l.action IN (${`${what}.create`}, ${`${what}.change`}))`;

/** Every hold_days that a merchant has had. */
export const knownHoldDays = (scope: Scope): Sql => sql`(
  SELECT merchant_id, hold_days FROM merchants WHERE ${merchantsWithin(scope, sql`merchant_id`)}
  UNION SELECT n.merchant_id, (l.state ->> 'hold_days')::smallint
  FROM ${changes('merchant')} l JOIN ${merchantNumbers(scope)} n ON l.target = 'merchant:' || n.merchant_no)`;

/** Every pair of fee rules that a channel has had for a currency. */
export const knownFeeRules: Sql = sql`(
  SELECT c.payment_no, f.key AS currency, f.value AS rules FROM channels c CROSS JOIN LATERAL jsonb_each(c.fees) f
  UNION SELECT l.state ->> 'payment_no', f ->> 'currency', f - 'currency'
  FROM ${changes('channel')} l CROSS JOIN LATERAL jsonb_array_elements(l.state -> 'fees') f)`;

/** Every name and price that a product has had. */
export const knownProducts: Sql = sql`(
  SELECT gd_no, gd_name, actual_price FROM products
  UNION SELECT state ->> 'gd_no', state ->> 'gd_name', (state ->> 'actual_price')::numeric
  FROM ${changes('product')} l)`;

/** Every mode that a channel has had: an administrator may make a test channel of it (D-951). */
export const knownTestModes: Sql = sql`(
  SELECT payment_no, test_mode FROM channels
  UNION SELECT state ->> 'payment_no', (state ->> 'test_mode')::boolean FROM ${changes('channel')} l)`;

/** Every name that a channel has had. */
export const knownChannels: Sql = sql`(
  SELECT payment_no, name FROM channels
  UNION SELECT state ->> 'payment_no', state ->> 'name' FROM ${changes('channel')} l)`;

/**
 * The decimals that the currency of an operation `l` of the audit log had then: an administrator may have changed them since
 * (D-916).
 */
export const decimalsThen: Sql = sql`
  SELECT coalesce((SELECT (s.after ->> 'decimals')::int FROM audit_log s
      WHERE s.target = 'currency:' || k.code AND s.action = 'currency.set' AND s.audit_id < l.audit_id
      ORDER BY s.audit_id DESC LIMIT 1), k.decimals) AS decimals
  FROM currencies k WHERE k.code = coalesce(l.after #>> '{paid,currency}', l.after ->> 'currency')`;

/** The mode that the channel of an operation `l` of the audit log had then (D-951). */
export const testModeThen: Sql = sql`
  SELECT coalesce((SELECT (s.after ->> 'test_mode')::boolean FROM audit_log s
      WHERE s.target = l.target AND s.action IN ('channel.create', 'channel.change') AND s.audit_id < l.audit_id
      ORDER BY s.audit_id DESC LIMIT 1), h.test_mode) AS test_mode
  FROM channels h WHERE h.payment_no = l.after ->> 'payment_no'`;
