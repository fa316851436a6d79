/** Computes each quote again from its order, its fee rules and its channel (R-116, R-125). */
import { join, raw, type Sql, sql } from '../../base/pg/index.ts';
import { within } from '../../ledger/verification/index.ts';
import { type Check, compare, type Comparison, inPtk, must } from './compare.sql.ts';
import { knownFeeRules, knownTestModes } from './earlier-terms.sql.ts';

type FeeOf = 'buyer' | 'merchant';
const rule = (of: FeeOf, name: string): Sql => raw(`k.${of}_${name}`);

/**
 * Half of the smallest unit, and the fee on a base by one of the rules `k`, in millionths: what `div` rounds half up. The
 * rules are read from JSON once for each rule, not for each quote.
 */
const millionths = (base: Sql, of: FeeOf): Sql =>
  sql`(${rule(of, 'flat')} + least(${rule(of, 'percent')} * ${base} + ${rule(of, 'extra')}, ${rule(of, 'cap')}))`;

/** The fee, rounded half up once; see `feeOn` in payments/quotes. */
const feeOn = (base: Sql, of: FeeOf): Sql => sql`CASE WHEN ${millionths(base, of)} > 500000
    THEN greatest(1, div(${millionths(base, of)}, 1000000)) ELSE 0 END`;

/** Compares a fee. Computes it once, unless it is below the smallest unit. */
const fee = (name: string, base: Sql, of: FeeOf, found: Sql): Comparison => [
  name,
  feeOn(base, of),
  found,
  sql`CASE WHEN ${found} > 0 THEN ${found} = div(${millionths(base, of)}, 1000000)
    ELSE ${found} = 0 AND ${millionths(base, of)} = 500000 END`,
];

/** The known rules with the numbers of both fees. Without OFFSET, PostgreSQL would compute them for each quote. */
const readRules = sql`(
  SELECT k.payment_no, k.currency, k.rules, ${join(
    (['buyer', 'merchant'] as const).flatMap((of) => [
      sql`${rule(of, 'fixed')} * 1000000 + 500000 AS ${raw(`${of}_flat`)}`,
      sql`${rule(of, 'percent')} AS ${raw(`${of}_percent`)}`,
      sql`${rule(of, 'percent')} * ${rule(of, 'fixed')} AS ${raw(`${of}_extra`)}`,
      sql`${rule(of, 'cap')} * 1000000 AS ${raw(`${of}_cap`)}`,
    ]),
  )}
  FROM (SELECT r.*, ${join(
    (['buyer', 'merchant'] as const).flatMap((of) =>
      [
        ['fixed', 'fixed_minor'],
        ['percent', 'percent_ppm'],
        ['cap', 'cap_minor'],
      ].map(
        ([name, member]) =>
          sql`(r.rules #>> ${`{${of},${member}}`}::text[])::numeric AS ${raw(`${of}_${name}`)}`,
      ),
    ),
  )}
    FROM ${knownFeeRules} r) k
  OFFSET 0)`;

const merchantBase = sql`(q.subtotal + CASE q.owner WHEN 'merchant' THEN 0 ELSE q.buyer_fee END)`;

/** Both kinds of orders as invoices. */
const invoices = sql`(
  SELECT merchant_id, order_no, amount_minor AS minor, currency, currency_decimals, price_e12, gross_settlement_ptk
  FROM collection_orders
  UNION ALL
  SELECT merchant_id, order_no, total_amount - discount_amount, currency, currency_decimals, price_e12,
    gross_settlement_ptk
  FROM catalog_orders)`;

export const quoteFacts: Check = compare({
  kind: 'quote_differs',
  owner: sql`q.merchant_id`,
  subject: sql`q.order_no`,
  row: sql`'quote ' || q.method_id || ' of ' || q.order_no`,
  from: () => sql`payment_quotes q
    LEFT JOIN ${invoices} o ON o.merchant_id = q.merchant_id AND o.order_no = q.order_no
    LEFT JOIN channels h ON h.payment_no = q.payment_no
    LEFT JOIN ${knownTestModes} t ON t.payment_no = q.payment_no AND t.test_mode = q.test_mode
    LEFT JOIN ${readRules} k ON k.payment_no = q.payment_no AND k.currency = q.currency AND k.rules = q.fee_rules`,
  values: [
    must('its order', sql`o.order_no IS NOT NULL`),
    ['provider', sql`h.provider`, sql`q.provider`],
    [
      'owner',
      sql`CASE WHEN h.payment_no IS NOT NULL THEN CASE WHEN h.merchant_id IS NULL THEN 'platform' ELSE 'merchant' END END`,
      sql`q.owner`,
    ],
    must('a channel that serves the merchant', sql`h.merchant_id IS NULL OR h.merchant_id = q.merchant_id`),
    must('a test_mode that its channel has had', sql`t.payment_no IS NOT NULL`),
    ['currency', sql`CASE q.provider WHEN 'ptk' THEN 'PTK' ELSE o.currency END`, sql`q.currency`],
    [
      'currency_decimals',
      sql`CASE q.provider WHEN 'ptk' THEN 8 ELSE o.currency_decimals END`,
      sql`q.currency_decimals`,
    ],
    [
      'subtotal',
      sql`CASE q.provider WHEN 'ptk' THEN o.gross_settlement_ptk ELSE o.minor END`,
      sql`q.subtotal`,
    ],
    fee('buyer_fee', sql`q.subtotal`, 'buyer', sql`q.buyer_fee`),
    fee('merchant_fee', merchantBase, 'merchant', sql`q.merchant_fee`),
    [
      'merchant_fee_ptk',
      sql`CASE WHEN q.currency = 'PTK' OR q.merchant_fee = 0 THEN q.merchant_fee
        ELSE greatest(1, ${inPtk(sql`q.merchant_fee`, sql`o.currency_decimals`, sql`o.price_e12`)}) END`,
      sql`q.merchant_fee_ptk`,
    ],
    must('fee_rules that its channel has had', sql`k.rules IS NOT NULL`),
  ],
});

/** An order has one quote of each channel. */
export const quoteCounts: Check = {
  kind: 'quote_differs',
  statement: (scope) => sql`
    SELECT merchant_id::text AS owner, order_no AS subject, 'quotes of ' || order_no AS row,
      'quotes of channel ' || payment_no AS what, '1' AS expected, count(*)::text AS found
    FROM payment_quotes WHERE ${within(scope, sql`merchant_id`, sql`order_no`)}
    GROUP BY merchant_id, order_no, payment_no HAVING count(*) > 1`,
};
