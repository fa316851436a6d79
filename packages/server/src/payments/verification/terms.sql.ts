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

/** Every hold_days that a merchant has had. */
export const knownHoldDays = (scope: Scope): Sql => sql`(
  SELECT merchant_id, hold_days FROM merchants WHERE ${merchantsWithin(scope, sql`merchant_id`)}
  UNION SELECT n.merchant_id, (l.after ->> 'hold_days')::smallint
  FROM audit_log l JOIN ${merchantNumbers(scope)} n ON l.target = 'merchant:' || n.merchant_no
  WHERE l.action IN ('merchant.create', 'merchant.change'))`;

/** Every pair of fee rules that a channel has had for a currency. */
export const knownFeeRules: Sql = sql`(
  SELECT c.payment_no, f.key AS currency, f.value AS rules FROM channels c CROSS JOIN LATERAL jsonb_each(c.fees) f
  UNION SELECT l.after ->> 'payment_no', f ->> 'currency', f - 'currency'
  FROM audit_log l CROSS JOIN LATERAL jsonb_array_elements(l.after -> 'fees') f
  WHERE l.action IN ('channel.create', 'channel.change'))`;

/** Every name and price that a product has had. */
export const knownProducts: Sql = sql`(
  SELECT gd_no, gd_name, actual_price FROM products
  UNION SELECT after ->> 'gd_no', after ->> 'gd_name', (after ->> 'actual_price')::numeric
  FROM audit_log WHERE action IN ('product.create', 'product.change'))`;

/** Every mode that a channel has had: an administrator may make a test channel of it (D-951). */
export const knownTestModes: Sql = sql`(
  SELECT payment_no, test_mode FROM channels
  UNION SELECT after ->> 'payment_no', (after ->> 'test_mode')::boolean FROM audit_log
  WHERE action IN ('channel.create', 'channel.change'))`;

/** Every name that a channel has had. */
export const knownChannels: Sql = sql`(
  SELECT payment_no, name FROM channels
  UNION SELECT after ->> 'payment_no', after ->> 'name' FROM audit_log
  WHERE action IN ('channel.create', 'channel.change'))`;
