/** Compares collection orders with their quotes, payments, refunds and losses. */
import { sql, type Sql } from '../../base/pg/index.ts';
import { within } from '../../ledger/verification/index.ts';
import { type Check, compare, inPtk, instantText, must } from './compare.sql.ts';
import { knownHoldDays, knownPrices } from './earlier-terms.sql.ts';

const confirmed = sql`o.status IN ('paid', 'refunded', 'chargeback')`;

/** The payment that settled the order, the succeeded refund and the confirmed losses of each order. */
export const reversals = (o: Sql): Sql => sql`
  LEFT JOIN LATERAL (SELECT count(*) AS succeeded FROM payment_refunds r
    WHERE r.merchant_id = ${o}.merchant_id AND r.order_no = ${o}.order_no AND r.status = 'succeeded') r ON true
  LEFT JOIN LATERAL (SELECT coalesce(sum(c.loss_amount), 0) AS lost FROM payment_complaints c
    WHERE c.merchant_id = ${o}.merchant_id AND c.order_no = ${o}.order_no) c ON true`;

/** The lowest and the highest version of each status: every change of status adds one. */
const versionFits = sql`o.status_version BETWEEN
    CASE o.status WHEN 'pending' THEN 1 WHEN 'review' THEN 2 WHEN 'expired' THEN 2 WHEN 'paid' THEN 2 ELSE 3 END
  AND CASE o.status WHEN 'pending' THEN 1 WHEN 'review' THEN 2 WHEN 'expired' THEN 3 WHEN 'paid' THEN 4 ELSE 5 END`;

/** Historical orders are the records of an older system: nothing else tells of them. */
export const orderFacts: Check = compare({
  kind: 'order_differs',
  owner: sql`o.merchant_id`,
  subject: sql`o.order_no`,
  row: sql`'order ' || o.order_no`,
  from: () => sql`collection_orders o
    LEFT JOIN payment_quotes q ON q.merchant_id = o.merchant_id AND q.order_no = o.order_no
      AND q.payment_no = o.payment_no
    LEFT JOIN payment_attempts a ON a.merchant_id = o.merchant_id AND a.order_no = o.order_no
      AND a.state IN ('paid', 'paid_late') AND a.provider_trade_no = o.provider_trade_no`,
  where: sql`o.fee_status <> 'legacy'`,
  values: [
    must(
      'the quote of its method',
      sql`q.method_id IS NOT NULL OR (o.payment_no = '' AND EXISTS (
      SELECT 1 FROM payment_quotes x WHERE x.merchant_id = o.merchant_id AND x.order_no = o.order_no
      UNION ALL SELECT 1 FROM archived_orders r WHERE r.merchant_id = o.merchant_id AND r.order_no = o.order_no))`,
    ),
    must('the requested method', sql`o.requested_payment_no IN ('', o.payment_no)`),
    ['expires_at', sql`o.created_at + make_interval(secs => o.expires_in)`, sql`o.expires_at`],
    [
      'gross_settlement_ptk',
      inPtk(sql`o.amount_minor`, sql`o.currency_decimals`, sql`o.price_e12`),
      sql`o.gross_settlement_ptk`,
    ],
    ['test_mode', sql`coalesce(q.test_mode, false)`, sql`o.test_mode`],
    ['payment_currency', sql`q.currency`, sql`o.payment_currency`],
    ['payment_decimals', sql`q.currency_decimals`, sql`o.payment_decimals`],
    ['payment_amount', sql`q.subtotal + q.buyer_fee`, sql`o.payment_amount`],
    ['buyer_fee', sql`q.buyer_fee`, sql`o.buyer_fee`],
    ['merchant_fee', sql`q.merchant_fee`, sql`o.merchant_fee`],
    ['merchant_fee_ptk', sql`coalesce(q.merchant_fee_ptk, 0)`, sql`o.merchant_fee_ptk`],
    [
      'settlement_ptk',
      sql`CASE WHEN q.owner = 'platform' THEN o.gross_settlement_ptk - q.merchant_fee_ptk END`,
      sql`o.settlement_ptk`,
    ],
    ['fee_status', sql`CASE o.payment_no WHEN '' THEN 'unselected' ELSE 'quoted' END`, sql`o.fee_status`],
    ['fee_version', sql`1`, sql`o.fee_version`],
    [
      'wallet_status',
      sql`CASE WHEN o.wallet_user_id IS NOT NULL AND ${confirmed} THEN o.status END`,
      sql`o.wallet_status`,
    ],
    must('a status_version that its status can have', versionFits),
    must(
      'the person of its key',
      sql`o.wallet_user_id IS NULL OR o.idempotency_key LIKE 'top-up:' || o.wallet_user_id || ':%'`,
    ),
    must('an attempt that paid it', sql`a.attempt_id IS NOT NULL = ${confirmed}`),
    must(
      'an event_id if and only if it is paid',
      sql`(o.event_id LIKE 'pe\\_%') IS TRUE = ${confirmed}
      AND (o.event_id IS NULL) <> ${confirmed}`,
    ),
    ['the method of its payment', sql`a.method_id`, sql`CASE WHEN ${confirmed} THEN q.method_id END`],
    ['provider_trade_no', sql`a.provider_trade_no`, sql`o.provider_trade_no`],
    ['occurred_at', sql`a.paid_at`, sql`o.occurred_at`],
    ['occurred_at_text', instantText(sql`a.paid_at`), sql`o.occurred_at_text`],
    must(
      'an address for notifications if and only if it has a secret',
      sql`(o.notify_url = '') = (o.notify_secret_box IS NULL)`,
    ),
    must(
      'a secret that its notify_mode allows',
      sql`(o.notify_mode <> 'disabled' OR o.notify_secret_box IS NULL)
      AND (o.notify_mode = 'explicit') = (o.notify_secret_digest IS NOT NULL)`,
    ),
    must(
      'a method that an attempt has chosen',
      sql`o.payment_no = '' OR o.requested_payment_no <> '' OR a.payment_no = o.payment_no OR EXISTS (
      SELECT 1 FROM payment_attempts x WHERE x.merchant_id = o.merchant_id AND x.order_no = o.order_no
        AND x.payment_no = o.payment_no)`,
    ),
    must(
      'an attempt that is unresolved',
      sql`o.status <> 'review' OR EXISTS (
      SELECT 1 FROM payment_attempts x WHERE x.merchant_id = o.merchant_id AND x.order_no = o.order_no
        AND x.state NOT IN ('rejected', 'paid', 'paid_late'))`,
    ),
  ],
});

/** Refunds and losses against the status of the order, of either kind. */
export const reversalFacts: Check = compare({
  kind: 'order_differs',
  owner: sql`o.merchant_id`,
  subject: sql`o.order_no`,
  row: sql`'order ' || o.order_no`,
  from: () => sql`payable_orders o ${reversals(sql`o`)}`,
  where: sql`o.confirmed AND NOT o.historical AND (NOT o.standing OR EXISTS (SELECT 1 FROM payment_refunds x
      WHERE x.merchant_id = o.merchant_id AND x.order_no = o.order_no)
    OR EXISTS (SELECT 1 FROM payment_complaints x WHERE x.merchant_id = o.merchant_id AND x.order_no = o.order_no))`,
  values: [
    [
      'status',
      sql`CASE WHEN c.lost >= o.payment_amount THEN 'chargeback' WHEN r.succeeded > 0 THEN 'refunded' ELSE 'standing' END`,
      sql`CASE WHEN o.standing THEN 'standing' ELSE o.status END`,
    ],
    must('losses that do not exceed its payment', sql`c.lost <= o.payment_amount`),
  ],
});

/** Prices and hold days that were in force at some time. */
export const termFacts: Check = compare({
  kind: 'order_differs',
  owner: sql`o.merchant_id`,
  subject: sql`o.order_no`,
  row: sql`'order ' || o.order_no`,
  from: (scope) => sql`(
      SELECT merchant_id, order_no, currency, price_e12, hold_days FROM collection_orders
        WHERE fee_status <> 'legacy' AND ${within(scope, sql`merchant_id`, sql`order_no`)}
      UNION ALL SELECT merchant_id, order_no, currency, price_e12, hold_days FROM catalog_orders
        WHERE ${within(scope, sql`merchant_id`, sql`order_no`)}) o
    LEFT JOIN ${knownPrices} p ON p.currency = o.currency AND p.price_e12 = o.price_e12
    LEFT JOIN ${knownHoldDays(scope)} d ON d.merchant_id = o.merchant_id AND d.hold_days = o.hold_days`,
  values: [
    must('a price of PTK that was set for its currency', sql`p.price_e12 IS NOT NULL`),
    must('hold_days that its merchant has had', sql`d.hold_days IS NOT NULL`),
  ],
});
