/** Compares payment attempts with their quotes, orders and cases. */
import { sql } from '../../base/pg/index.ts';
import { type Check, clockTolerance, compare, instantText, madeAt, must } from './compare.sql.ts';

const isPaid = sql`a.state IN ('paid', 'paid_late')`;
const isEnded = sql`a.state IN ('closed', 'failed', 'absent', 'rejected')`;
const seen = sql`a.detail::text`;

/** What the state of an attempt says about its session, its times and what the provider answered. */
const fitsState = sql`CASE a.state
    WHEN 'creating' THEN a.unclear_since IS NULL AND a.session_id IS NULL
    WHEN 'unknown' THEN a.unclear_since IS NOT NULL AND a.session_id IS NULL
    WHEN 'open' THEN a.session_id IS NOT NULL AND ${seen} NOT LIKE '%mismatch%' AND ${seen} NOT LIKE '%"processing"%'
    WHEN 'processing' THEN a.session_id IS NOT NULL AND ${seen} LIKE '%"processing"%'
    WHEN 'mismatch' THEN ${seen} LIKE '%mismatch%' OR EXISTS (SELECT 1 FROM payment_cases c
      WHERE c.merchant_id = a.merchant_id AND c.attempt_id = a.attempt_id AND c.kind IN ('mismatch', 'duplicate_payment'))
    WHEN 'rejected' THEN a.unclear_since IS NULL
    WHEN 'closed' THEN a.session_id IS NOT NULL
    WHEN 'paid' THEN a.closed_at IS NULL OR ${seen} LIKE '%mismatch%' OR ${seen} LIKE '%accepted%'
    WHEN 'paid_late' THEN a.closed_at IS NOT NULL
    ELSE true END`;

/**
 * An attempt ends by an answer, at its time. The history keeps the time of an answer, and the first and the latest time of
 * one that was repeated; it keeps the last 20 answers.
 */
const wasAnsweredAtEnd = sql`a.closed_at IS NULL
  OR (jsonb_array_length(a.detail -> 'history') >= 20 AND ${instantText(sql`a.closed_at`)} < a.detail #>> '{history,0,at}')
  OR EXISTS (SELECT 1 FROM jsonb_array_elements(a.detail -> 'history') AS note
    WHERE note ->> 'at' = ${instantText(sql`a.closed_at`)}
      OR (note ->> 'last_at' >= ${instantText(sql`(a.closed_at - ${clockTolerance})`)}
        AND note ->> 'at' <= ${instantText(sql`(a.closed_at + ${clockTolerance})`)}))`;

/** How a finding names an attempt. */
const ofAttempt = {
  kind: 'attempt_differs',
  owner: sql`a.merchant_id`,
  subject: sql`a.order_no`,
  row: sql`'attempt ' || a.attempt_id || ' of ' || a.order_no`,
} as const;

export const attemptFacts: Check = compare({
  ...ofAttempt,
  from: () => sql`payment_attempts a
    LEFT JOIN payment_quotes q ON q.merchant_id = a.merchant_id AND q.order_no = a.order_no
      AND q.method_id = a.method_id`,
  values: [
    ['payment_no', sql`q.payment_no`, sql`a.payment_no`],
    ['provider', sql`q.provider`, sql`a.provider`],
    ['test_mode', sql`q.test_mode`, sql`a.test_mode`],
    ['currency', sql`q.currency`, sql`a.currency`],
    ['currency_decimals', sql`q.currency_decimals`, sql`a.currency_decimals`],
    ['amount', sql`q.subtotal + q.buyer_fee`, sql`a.amount`],
    must(
      'the attempt before it',
      sql`a.seq = 1 OR EXISTS (SELECT 1 FROM payment_attempts x
      WHERE x.merchant_id = a.merchant_id AND x.order_no = a.order_no AND x.seq = a.seq - 1)`,
    ),
    must(
      'paid_at and provider_trade_no that its state allows',
      sql`(a.paid_at IS NOT NULL) = ${isPaid}
      AND (NOT ${isPaid} OR a.provider_trade_no IS NOT NULL)`,
    ),
    must('closed_at that its state allows', sql`NOT ${isEnded} OR a.closed_at IS NOT NULL`),
    must('what its state says', fitsState),
    must(
      'a created_at that its number names',
      sql`CASE a.provider WHEN 'ptk' THEN a.created_at = a.paid_at
      ELSE ${madeAt(sql`a.attempt_id`, sql`a.created_at`)} END`,
    ),
    must(
      'a request about itself',
      sql`CASE a.provider WHEN 'ptk' THEN a.request = 'null'
      ELSE a.request ->> 'attempt_id' = a.attempt_id AND a.request ->> 'order_no' = a.order_no END`,
    ),
    must(
      'a buyer',
      sql`a.provider <> 'ptk' OR (a.buyer_user_id IS NOT NULL
      AND a.provider_trade_no = 'PTK:' || a.order_no AND a.detail = '{}' AND a.session_id IS NULL
      AND a.session_url IS NULL AND a.session_expires_at IS NULL AND a.lease_until IS NULL AND a.unclear_since IS NULL
      AND a.check_at IS NULL AND a.closed_at IS NULL)`,
    ),
    must(
      'session_expires_at of its request',
      sql`a.provider = 'ptk'
      OR ceil(extract(epoch FROM a.session_expires_at))::bigint::text = a.request ->> 'expires_at'`,
    ),
    must(
      'a lease only of its creation',
      sql`a.lease_until IS NULL OR (a.state IN ('creating', 'unknown')
      AND a.lease_until > a.session_expires_at - interval '25 hours')`,
    ),
    // A session that a refused retry did not find can still be paid (D-861).
    must(
      'a provider_trade_no that its state allows',
      sql`${isPaid} OR a.provider_trade_no IS NULL
      OR a.state NOT IN ('creating', 'unknown', 'open', 'rejected', 'mismatch')
      OR (a.state = 'rejected' AND a.session_id IS NOT NULL)
      OR EXISTS (SELECT 1 FROM payment_cases c WHERE c.merchant_id = a.merchant_id AND c.attempt_id = a.attempt_id
        AND c.provider_payment_id = a.provider_trade_no)`,
    ),
    must(
      'the payment of its case',
      sql`a.state NOT IN ('mismatch', 'closed')
      OR coalesce((SELECT bool_or(c.provider_payment_id IS NOT DISTINCT FROM a.provider_trade_no) FROM payment_cases c
        WHERE c.merchant_id = a.merchant_id AND c.attempt_id = a.attempt_id AND c.provider_payment_id IS NOT NULL
          AND c.session_id = a.session_id), true)`,
    ),
    ['latest answer', sql`a.detail #>> '{history,-1,seen}'`, sql`a.detail ->> 'last'`],
    [
      'time of its latest answer',
      sql`coalesce(a.detail #>> '{history,-1,last_at}', a.detail #>> '{history,-1,at}')`,
      sql`a.detail ->> 'at'`,
    ],
    must('a closed_at at which the provider answered', wasAnsweredAtEnd),
    must(
      'an unclear_since before its latest answer',
      sql`a.unclear_since IS NULL
      OR (a.state IN ('creating', 'unknown') AND a.lease_until IS NOT NULL)
      OR ${instantText(sql`(a.unclear_since - ${clockTolerance})`)} <= a.detail ->> 'at'`,
    ),
  ],
});

/** A verified payment has settled its order, or a case holds it. */
export const paymentFacts: Check = compare({
  ...ofAttempt,
  from: () => sql`payment_attempts a
    LEFT JOIN collection_orders o ON o.merchant_id = a.merchant_id AND o.order_no = a.order_no
    LEFT JOIN catalog_orders g ON g.merchant_id = a.merchant_id AND g.order_no = a.order_no`,
  where: isPaid,
  values: [
    must(
      'an order or a case for its payment',
      sql`
      (coalesce(o.provider_trade_no, g.provider_trade_no) = a.provider_trade_no
        AND coalesce(o.occurred_at, g.paid_at) = a.paid_at)
      OR EXISTS (SELECT 1 FROM payment_cases c WHERE c.merchant_id = a.merchant_id AND c.attempt_id = a.attempt_id
        AND c.provider_payment_id = a.provider_trade_no AND c.paid_at = a.paid_at)`,
    ),
  ],
});

/** The title that the provider shows is the order's (D-092). */
export const titleFacts: Check = compare({
  ...ofAttempt,
  from: () => sql`payment_attempts a
    LEFT JOIN collection_orders o ON o.merchant_id = a.merchant_id AND o.order_no = a.order_no
    LEFT JOIN catalog_orders g ON g.merchant_id = a.merchant_id AND g.order_no = a.order_no`,
  where: sql`a.provider <> 'ptk'`,
  values: [
    [
      'title of its request',
      sql`coalesce(nullif(o.description, ''), o.external_reference,
        CASE g.quantity WHEN 1 THEN '' ELSE g.quantity || ' × ' END || g.title)`,
      sql`a.request ->> 'title'`,
    ],
    ['buyer of its order', sql`coalesce(g.user_id, a.buyer_user_id)`, sql`a.buyer_user_id`],
  ],
});
