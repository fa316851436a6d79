/** The entries that reserved fees (P4a to P4d), holds (P3), complaints (P6a, P6b, P8, P9) and refunds (P7) call for. */
import { type Sql, sql } from '../../base/pg/index.ts';
import { within } from '../../ledger/verification/index.ts';
import { inPtk } from './compare.sql.ts';
import { type ExpectedEntries, line } from './expected-settlements.sql.ts';

const reserved = sql`'m:fee_reserved:' || r.order_no`;

const ofReservation =
  (posting: Sql, values: { lines?: Sql; ptk?: Sql; at: Sql }, where: Sql): ExpectedEntries =>
  (scope) =>
    sql`
  SELECT r.merchant_id, r.order_no, ${posting}, r.attempt_id, ${values.lines ?? sql`NULL`}, NULL,
    ${values.ptk ?? sql`NULL::numeric`}, ${values.at}, a.test_mode
  FROM payment_fee_reservations r LEFT JOIN payment_attempts a USING (merchant_id, attempt_id)
  WHERE ${where} AND ${within(scope, sql`r.merchant_id`, sql`r.order_no`)}`;

export const feeEntries: ExpectedEntries[] = [
  ofReservation(
    sql`'P4a'`,
    {
      lines: sql`concat_ws(', ', ${line(sql`'m:available'`, reserved, sql`r.available_ptk`, sql`'PTK'`)},
        ${line(sql`'m:credit_drawn'`, reserved, sql`r.credit_ptk`, sql`'PTK'`)})`,
      at: sql`r.reserved_at`,
    },
    sql`true`,
  ),
  ofReservation(
    sql`'P4b'`,
    { lines: line(reserved, sql`'inc:merchant_fee'`, sql`r.fee_ptk`, sql`'PTK'`), at: sql`r.captured_at` },
    sql`r.state = 'captured'`,
  ),
  ofReservation(
    sql`'P4c'`,
    { ptk: sql`r.fee_ptk`, at: sql`r.released_at` },
    sql`r.state IN ('released', 'captured_late')`,
  ),
  ofReservation(sql`'P4d'`, { ptk: sql`r.fee_ptk`, at: sql`r.captured_at` }, sql`r.state = 'captured_late'`),
];

const paidOrders = sql`(
  SELECT merchant_id, order_no, status, price_e12, settlement_ptk, provider_trade_no
  FROM collection_orders WHERE event_id IS NOT NULL AND fee_status <> 'legacy'
  UNION ALL SELECT merchant_id, order_no, reversed, price_e12, settlement_ptk, provider_trade_no
  FROM catalog_orders WHERE paid_at IS NOT NULL)`;

/** The payment that settled an order, with the order's price. */
const payment = (o: Sql): Sql => sql`
  JOIN ${paidOrders} p ON p.merchant_id = ${o}.merchant_id AND p.order_no = ${o}.order_no
  JOIN payment_attempts a ON a.merchant_id = p.merchant_id AND a.order_no = p.order_no
    AND a.state IN ('paid', 'paid_late') AND a.provider_trade_no = p.provider_trade_no`;

const worth = (minor: Sql): Sql => sql`CASE a.currency WHEN 'PTK' THEN ${minor}
  ELSE ${inPtk(minor, sql`a.currency_decimals`, sql`p.price_e12`)} END`;

/** What leaves by the provider; a payment in PTK goes to the buyer's wallet in one transfer for each fund. */
const leaves = (minor: Sql): Sql => sql`CASE WHEN a.currency <> 'PTK' THEN 'fx:' || a.currency || ' > prov:'
  || a.payment_no || ':' || a.currency || ' ' || ${minor} || ' ' || a.currency || ', ' END`;

/** The losses that were booked before a time, in minor units: each loss is worth what it adds to them (D-873). */
const lostBefore = (at: Sql, id: Sql): Sql => sql`(
  SELECT coalesce(sum(b.loss_amount), 0) FROM payment_complaints b
  WHERE b.merchant_id = p.merchant_id AND b.order_no = p.order_no AND b.status = 'confirmed'
    AND (b.decided_at, b.complaint_id) < (${at}, ${id}))`;

/** A complaint calls for an entry only if funds were left, which the balances prove (D-1307). */
const ofPresent =
  (posting: Sql, where: Sql, at: Sql): ExpectedEntries =>
  (scope) =>
    sql`
  SELECT f.merchant_id, f.order_no, ${posting}, f.complaint_id, NULL, NULL, NULL::numeric, ${at}, a.test_mode
  FROM payment_complaints f ${payment(sql`f`)}
  WHERE ${where} AND ${within(scope, sql`f.merchant_id`, sql`f.order_no`)} AND EXISTS (
    SELECT 1 FROM ledger_transfers t WHERE t.merchant_id = f.merchant_id AND t.subject = f.order_no
      AND t.posting = ${posting} AND t.case_key = f.complaint_id)`;

/** What is taken back from the wallets of top-ups depends on their balances, which prove it. */
const ofWallet =
  (from: Sql, where: Sql, at: Sql, key: Sql): ExpectedEntries =>
  (scope) =>
    sql`
  SELECT f.merchant_id, f.order_no, 'P22', ${key}, NULL,
    'user:' || o.wallet_user_id || ':available > m:available ', NULL::numeric, ${at}, o.test_mode
  FROM ${from} f JOIN collection_orders o ON o.merchant_id = f.merchant_id AND o.order_no = f.order_no
  WHERE ${where} AND o.wallet_user_id IS NOT NULL AND ${within(scope, sql`f.merchant_id`, sql`f.order_no`)}
    AND EXISTS (SELECT 1 FROM ledger_transfers t WHERE t.merchant_id = f.merchant_id AND t.subject = f.order_no
      AND t.posting = 'P22' AND t.case_key = ${key})`;

export const walletReturns: ExpectedEntries[] = [
  ofWallet(
    sql`payment_refunds`,
    sql`f.status = 'succeeded' AND o.status = 'refunded'`,
    sql`f.ended_at`,
    sql`''`,
  ),
  ofWallet(sql`payment_complaints`, sql`f.status = 'confirmed'`, sql`f.decided_at`, sql`f.complaint_id`),
];

export const lossEntries: ExpectedEntries[] = [
  (scope) => sql`
    SELECT f.merchant_id, f.order_no, 'P3', '', NULL, NULL, NULL::numeric, f.released_at, false
    FROM payment_holds f
    WHERE f.released_at IS NOT NULL AND ${within(scope, sql`f.merchant_id`, sql`f.order_no`)} AND EXISTS (
      SELECT 1 FROM ledger_transfers t WHERE t.merchant_id = f.merchant_id AND t.subject = f.order_no
        AND t.posting = 'P3' AND t.case_key = '')`,
  ofPresent(sql`'P6a'`, sql`true`, sql`f.opened_at`),
  ofPresent(
    sql`'P6b'`,
    sql`f.status IN ('dismissed', 'confirmed')`,
    // A lost dispute confirms a complaint that was dismissed before: its entry is older than its last decision.
    sql`CASE WHEN f.status = 'dismissed' OR f.dispute_id IS NULL THEN f.decided_at END`,
  ),
  (scope) => sql`
    SELECT f.merchant_id, f.order_no, CASE a.currency WHEN 'PTK' THEN 'P7p' ELSE 'P7' END, '', NULL,
      ${leaves(sql`(a.amount - ${lostBefore(sql`'infinity'::timestamptz`, sql`''`)})`)},
      ${worth(sql`a.amount`)} - ${worth(lostBefore(sql`'infinity'::timestamptz`, sql`''`))}, f.ended_at, a.test_mode
    FROM payment_refunds f ${payment(sql`f`)}
    WHERE f.status = 'succeeded' AND p.status = 'refunded' AND p.settlement_ptk IS NOT NULL
      AND ${within(scope, sql`f.merchant_id`, sql`f.order_no`)}`,
  (scope) => sql`
    SELECT f.merchant_id, f.order_no, 'P8', f.complaint_id, NULL, ${leaves(sql`f.loss_amount`)},
      ${worth(sql`(${lostBefore(sql`f.decided_at`, sql`f.complaint_id`)} + f.loss_amount)`)}
        - ${worth(lostBefore(sql`f.decided_at`, sql`f.complaint_id`))}, f.decided_at, a.test_mode
    FROM payment_complaints f ${payment(sql`f`)}
    WHERE f.status = 'confirmed' AND p.settlement_ptk IS NOT NULL
      AND ${within(scope, sql`f.merchant_id`, sql`f.order_no`)}`,
  (scope) => sql`
    SELECT f.merchant_id, f.order_no, 'P9', f.complaint_id, NULL, ${leaves(sql`f.external_cost`)},
      ${worth(sql`f.external_cost`)}, f.decided_at, a.test_mode
    FROM payment_complaints f ${payment(sql`f`)}
    WHERE f.external_cost > 0 AND p.settlement_ptk IS NOT NULL
      AND ${within(scope, sql`f.merchant_id`, sql`f.order_no`)}`,
];
