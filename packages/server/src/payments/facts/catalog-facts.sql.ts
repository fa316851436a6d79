/** Compares catalog orders, their codes and the stock of products with each other. */
import { platformBook } from '../../base/ids.ts';
import { type Sql, sql } from '../../base/pg/index.ts';
import { type Scope, within } from '../../ledger/verification/index.ts';
import { type Check, compare, inPtk, madeAt, must, notBefore } from './compare.sql.ts';
import { knownChannels, knownProducts } from './earlier-terms.sql.ts';

const isPaid = sql`(o.state IN ('paid', 'completed') OR o.reversed IS NOT NULL)`;

/** The buyer's fee in the currency of the price, rounded half up (D-181). */
const handling = sql`CASE WHEN q.currency = o.currency OR q.buyer_fee = 0 THEN q.buyer_fee ELSE greatest(1,
  div(2 * q.buyer_fee * o.price_e12 * power(10::numeric, o.currency_decimals) + 1e20::numeric, 2e20::numeric)) END`;

/** A session that no attempt was known of named the order. */
const hasLostReceipt = sql`EXISTS (SELECT 1 FROM payment_cases l WHERE l.merchant_id = ${platformBook}::uuid
  AND l.kind = 'unmatched_receipt' AND l.detail->'seen'->>'order_no' = o.order_no)`;

const versionFits = sql`o.state_version BETWEEN
    CASE o.state WHEN 'pending' THEN 1 WHEN 'completed' THEN 3 ELSE 2 END + CASE WHEN o.reversed IS NULL THEN 0 ELSE 1 END
  AND CASE o.state WHEN 'pending' THEN 1 WHEN 'review' THEN 2 WHEN 'cancelled' THEN 3 WHEN 'paid' THEN 4 ELSE 5 END
    + CASE WHEN o.reversed IS NULL THEN 0 ELSE 2 END`;

/**
 * The price of an order that was made again may be one that the lost books alone had; its payment is compared. A total is
 * rounded half up, as where its currency has fewer decimals than the price (D-1378).
 */
export const catalogFacts: Check = compare({
  kind: 'order_differs',
  owner: sql`o.merchant_id`,
  subject: sql`o.order_no`,
  row: sql`'order ' || o.order_no`,
  from: () => sql`catalog_orders o
    LEFT JOIN payment_quotes q ON q.merchant_id = o.merchant_id AND q.order_no = o.order_no
      AND q.method_id = o.method_id
    LEFT JOIN payment_attempts a ON a.merchant_id = o.merchant_id AND a.order_no = o.order_no
      AND a.state IN ('paid', 'paid_late') AND a.provider_trade_no = o.provider_trade_no
    LEFT JOIN LATERAL (SELECT count(*) AS given, min(given_at) AS first, max(given_at) AS last FROM catalog_codes c
      WHERE c.merchant_id = o.merchant_id AND c.order_no = o.order_no) c ON true
    LEFT JOIN ${knownProducts} k ON k.gd_no = o.gd_no AND k.gd_name = o.title
      AND (o.made_again
        OR round(k.actual_price * o.quantity / power(10::numeric, 8 - o.currency_decimals)) = o.total_amount)
    LEFT JOIN ${knownChannels} h ON h.payment_no = o.payment_no AND h.name = o.payment_name`,
  values: [
    must('a title and a price that its product has had', sql`k.gd_no IS NOT NULL`),
    must('a payment_name that its channel has had', sql`h.name IS NOT NULL`),
    ['payment_no', sql`q.payment_no`, sql`o.payment_no`],
    ['test_mode', sql`q.test_mode`, sql`o.test_mode`],
    ['payment_currency', sql`q.currency`, sql`o.payment_currency`],
    ['payment_decimals', sql`q.currency_decimals`, sql`o.payment_decimals`],
    ['payment_subtotal', sql`q.subtotal`, sql`o.payment_subtotal`],
    ['buyer_fee', sql`q.buyer_fee`, sql`o.buyer_fee`],
    ['merchant_fee_ptk', sql`q.merchant_fee_ptk`, sql`o.merchant_fee_ptk`],
    [
      'settlement_ptk',
      sql`CASE WHEN q.owner = 'platform' THEN o.gross_settlement_ptk - q.merchant_fee_ptk END`,
      sql`o.settlement_ptk`,
    ],
    [
      'gross_settlement_ptk',
      inPtk(sql`(o.total_amount - o.discount_amount)`, sql`o.currency_decimals`, sql`o.price_e12`),
      sql`o.gross_settlement_ptk`,
    ],
    ['handling_amount', handling, sql`o.handling_amount`],
    ['expires_at', sql`o.created_at + interval '30 minutes'`, sql`o.expires_at`],
    must('a lost receipt, if it was made again', sql`(NOT o.made_again OR ${hasLostReceipt})`),
    must('a state_version that its state can have', versionFits),
    must('an attempt that paid it', sql`(a.attempt_id IS NOT NULL) = ${isPaid}`),
    ['provider_trade_no', sql`a.provider_trade_no`, sql`o.provider_trade_no`],
    ['paid_at', sql`a.paid_at`, sql`o.paid_at`],
    must(
      'a state_version that its payment in PTK leaves',
      sql`CASE WHEN a.provider = 'ptk' THEN o.state_version =
        CASE o.state WHEN 'paid' THEN 2 WHEN 'completed' THEN 3 ELSE 2 END + CASE WHEN o.reversed IS NULL THEN 0 ELSE 1 END
      WHEN o.state = 'cancelled' AND o.reversed IS NULL THEN o.state_version = 2 OR EXISTS (SELECT 1
        FROM payment_attempts x WHERE x.merchant_id = o.merchant_id AND x.order_no = o.order_no) ELSE true END`,
    ),
    must(
      'a fulfil_at after its creation',
      sql`o.fulfil_at IS NULL OR ${notBefore(sql`o.fulfil_at`, sql`o.created_at`)}`,
    ),
    must(
      'a buyer and a client that exist',
      sql`EXISTS (SELECT 1 FROM users u WHERE u.user_id = o.user_id)
      AND EXISTS (SELECT 1 FROM oauth_clients u WHERE u.client_id = o.client_id)`,
    ),
    must('the buyer who paid', sql`a.buyer_user_id = o.user_id OR a.buyer_user_id IS NULL`),
    must('its codes or none', sql`c.given IN (0, o.quantity) AND (c.given = 0 OR o.state = 'completed')`),
    must(
      'codes given when it was completed',
      sql`c.given = 0 OR (c.first = o.completed_at AND c.last = o.completed_at)`,
    ),
    must(
      'completed_at that its state allows',
      sql`(o.state = 'completed') = (o.completed_at IS NOT NULL)
      AND (o.completed_at IS NULL OR o.reversed IS NOT NULL OR o.updated_at = o.completed_at)`,
    ),
    must('updated_at that its state allows', sql`o.state <> 'pending' OR o.updated_at = o.created_at`),
    must(
      'its product',
      sql`EXISTS (SELECT 1 FROM products p WHERE p.merchant_id = o.merchant_id AND p.gd_no = o.gd_no)`,
    ),
    must(
      'a payment of all allowed channels',
      sql`o.payment_methods = '{}' OR o.payment_no = ANY (o.payment_methods)`,
    ),
    must('a note only with its delivery', sql`o.delivery_note_box IS NULL OR o.state = 'completed'`),
    must(
      'an attempt that is unresolved',
      sql`o.state <> 'review' OR EXISTS (SELECT 1 FROM payment_attempts x
      WHERE x.merchant_id = o.merchant_id AND x.order_no = o.order_no AND x.state NOT IN ('rejected', 'paid', 'paid_late'))`,
    ),
  ],
});

/** The codes of a scope's orders and products, by two indexes. */
const codesOf = (scope: Scope): Sql =>
  scope === null
    ? sql`catalog_codes`
    : sql`(SELECT * FROM catalog_codes WHERE order_no IS NOT NULL AND ${within(scope, sql`merchant_id`, sql`order_no`)}
        UNION ALL SELECT * FROM catalog_codes WHERE order_no IS NULL AND ${within(scope, sql`merchant_id`, sql`gd_no`)})`;

/** A code that was given belongs to an order of its product. */
export const codeFacts: Check = compare({
  kind: 'code_differs',
  owner: sql`c.merchant_id`,
  subject: sql`coalesce(c.order_no, c.gd_no)`,
  row: sql`'code ' || c.code_id || ' of ' || c.gd_no`,
  from: (scope) =>
    sql`${codesOf(scope)} c LEFT JOIN catalog_orders o ON o.merchant_id = c.merchant_id AND o.order_no = c.order_no`,
  values: [
    [
      'product of its order',
      sql`coalesce(o.gd_no, CASE WHEN c.order_no IS NULL THEN c.gd_no END)`,
      sql`c.gd_no`,
    ],
    ['given_at', sql`o.completed_at`, sql`c.given_at`],
    must('an uploaded_at that its number names', madeAt(sql`c.code_id`, sql`c.uploaded_at`)),
    must(
      'its product',
      sql`EXISTS (SELECT 1 FROM products p WHERE p.merchant_id = c.merchant_id AND p.gd_no = c.gd_no)`,
    ),
  ],
});

/** Every order that is not cancelled holds its stock (D-178). */
export const stockFacts: Check = compare({
  kind: 'stock_differs',
  owner: sql`p.merchant_id`,
  subject: sql`p.gd_no`,
  row: sql`'product ' || p.gd_no`,
  from: () => sql`products p LEFT JOIN LATERAL (SELECT coalesce(sum(o.quantity), 0) AS held FROM catalog_orders o
    WHERE o.merchant_id = p.merchant_id AND o.gd_no = p.gd_no AND o.state <> 'cancelled') o ON true`,
  values: [
    ['in_stock', sql`p.supplied - o.held`, sql`p.in_stock`],
    // What comes back covers the missing codes before it is in stock (D-1376).
    must(
      'no stock while codes are missing',
      sql`p.codes_missing = 0 OR (p.codes_missing > 0 AND p.in_stock = 0)`,
    ),
    must(
      'its text for searches',
      sql`EXISTS (SELECT 1 FROM product_search s WHERE s.merchant_id = p.merchant_id
      AND s.gd_no = p.gd_no AND s.enabled = p.enabled)`,
    ),
  ],
});

/** Every code was uploaded, and those that are gone were withdrawn. */
export const codeCounts: Check = compare({
  kind: 'code_differs',
  owner: sql`p.merchant_id`,
  subject: sql`p.gd_no`,
  row: sql`'product ' || p.gd_no`,
  from: () => sql`(
    SELECT substr(l.target, 9) AS gd_no, sum((l.after ->> 'added')::int) AS added,
      sum((l.after ->> 'withdrawn')::int) AS withdrawn
    FROM audit_log l WHERE l.action IN ('product.upload-codes', 'product.withdraw-codes') GROUP BY 1) l
    JOIN products p USING (gd_no)
    LEFT JOIN LATERAL (SELECT count(*) AS codes FROM catalog_codes c WHERE c.merchant_id = p.merchant_id
      AND c.gd_no = p.gd_no) c ON true`,
  // There may have been withdrawals only, of no codes (D-1420).
  values: [['number of codes', sql`coalesce(l.added, 0) - coalesce(l.withdrawn, 0)`, sql`c.codes`]],
});
