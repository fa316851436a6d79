/** The entries that settlements (P1, P2) and cases (P10, P11, P10r, P10b) call for. */
import { type Sql, sql } from '../../base/pg/index.ts';
import { type Scope, within } from '../../ledger/verification/index.ts';
import { toldAt } from './archive-facts.sql.ts';
import { ofScope } from './orders-and-cases.sql.ts';

export type ExpectedEntries = (scope: Scope) => Sql;

/** A transfer in words; null if its amount is zero, because such transfers are not written. */
export const line = (debit: Sql, credit: Sql, amount: Sql, currency: Sql): Sql =>
  sql`CASE WHEN ${amount} > 0 THEN ${debit} || ' > ' || ${credit} || ' ' || ${amount} || ' ' || ${currency} END`;

/** Orders of both kinds that a payment to the platform has settled. */
const settled = (scope: Scope): Sql => sql`(
    SELECT merchant_id, order_no, payment_no, provider_trade_no, payment_currency, payment_amount - buyer_fee AS subtotal,
      buyer_fee, merchant_fee_ptk, settlement_ptk, hold_days, status_version - CASE status WHEN 'paid' THEN 0 ELSE 1 END
      AS paid_version
    FROM collection_orders
    WHERE status IN ('paid', 'refunded', 'chargeback') AND fee_status <> 'legacy' AND settlement_ptk IS NOT NULL
      AND ${within(scope, sql`merchant_id`, sql`order_no`)}
    UNION ALL
    SELECT merchant_id, order_no, payment_no, provider_trade_no, payment_currency, payment_subtotal, buyer_fee,
      merchant_fee_ptk, settlement_ptk, hold_days, NULL
    FROM catalog_orders WHERE paid_at IS NOT NULL AND settlement_ptk IS NOT NULL
      AND ${within(scope, sql`merchant_id`, sql`order_no`)})`;

const proceeds = sql`CASE o.hold_days WHEN 0 THEN 'm:available' ELSE 'm:held:' || o.order_no END`;
/** The account that the buyer's total comes from: suspense if a case held it. */
const source = sql`coalesce('susp:' || c.currency || ':' || c.case_id, 'prov:' || o.payment_no || ':' || o.payment_currency)`;
const currency = sql`o.payment_currency`;
const buyer = sql`'user:' || a.buyer_user_id || ':available'`;

export const settlements: ExpectedEntries[] = [
  (scope) => sql`
    SELECT o.merchant_id, o.order_no, CASE a.provider WHEN 'ptk' THEN 'P2' ELSE 'P1' END, '',
      CASE a.provider WHEN 'ptk' THEN concat_ws(', ',
        ${line(buyer, sql`'inc:buyer_fee:PTK'`, sql`o.buyer_fee`, sql`'PTK'`)},
        ${line(buyer, sql`'inc:merchant_fee'`, sql`o.merchant_fee_ptk`, sql`'PTK'`)},
        ${line(buyer, proceeds, sql`o.settlement_ptk`, sql`'PTK'`)})
      ELSE concat_ws(', ',
        ${line(source, sql`'inc:buyer_fee:' || ${currency}`, sql`o.buyer_fee`, currency)},
        ${line(source, sql`'fx:' || ${currency}`, sql`o.subtotal`, currency)},
        ${line(sql`'fx:PTK'`, sql`'inc:merchant_fee'`, sql`o.merchant_fee_ptk`, sql`'PTK'`)},
        ${line(sql`'fx:PTK'`, proceeds, sql`o.settlement_ptk`, sql`'PTK'`)}) END,
      NULL::text, NULL::numeric,
      coalesce(h.release_at - make_interval(hours => 24 * o.hold_days), CASE a.provider WHEN 'ptk' THEN a.paid_at END,
        n.created_at, ${toldAt(sql`r.events`, sql`o.paid_version`)}), a.test_mode
    FROM ${settled(scope)} o
      JOIN payment_attempts a ON a.merchant_id = o.merchant_id AND a.order_no = o.order_no
        AND a.state IN ('paid', 'paid_late') AND a.provider_trade_no = o.provider_trade_no
      LEFT JOIN payment_holds h ON h.merchant_id = o.merchant_id AND h.order_no = o.order_no
      LEFT JOIN payment_cases c ON c.merchant_id = o.merchant_id AND c.order_no = o.order_no AND c.booked
        AND c.provider_payment_id = o.provider_trade_no AND c.detail ? 'accepted'
      LEFT JOIN notifications n ON n.merchant_id = o.merchant_id AND n.order_no = o.order_no
        AND n.status_version = CASE o.hold_days WHEN 0 THEN o.paid_version END
      LEFT JOIN archived_orders r ON r.merchant_id = o.merchant_id AND r.order_no = o.order_no`,
];

const wallet = sql`'user:' || o.wallet_user_id || ':available'`;

/** What top-ups give to wallets (P21), in the instant of their settlement. */
export const walletCredits: ExpectedEntries[] = [
  (scope) => sql`
    SELECT o.merchant_id, o.order_no, 'P21', '', concat_ws(', ',
        ${line(sql`'m:available'`, wallet, sql`o.settlement_ptk`, sql`'PTK'`)},
        ${line(sql`'inc:merchant_fee'`, wallet, sql`o.merchant_fee_ptk`, sql`'PTK'`)}),
      NULL::text, NULL::numeric, s.at, o.test_mode
    FROM collection_orders o LEFT JOIN ledger_transfers s ON s.merchant_id = o.merchant_id AND s.subject = o.order_no
      AND s.posting = 'P1' AND s.case_key = '' AND s.leg = 1
    WHERE o.wallet_user_id IS NOT NULL AND o.status IN ('paid', 'refunded', 'chargeback')
      AND ${within(scope, sql`o.merchant_id`, sql`o.order_no`)}`,
];

const clearing = sql`'prov:' || c.payment_no || ':' || c.currency`;
const suspense = sql`'susp:' || c.currency || ':' || c.case_id`;
/** Where the money of a case goes: back to the provider, or by bank to the buyer. */
const destination = sql`CASE c.resolution WHEN 'repay' THEN 'bank:' || c.currency ELSE ${clearing} END`;
const subject = sql`coalesce(c.order_no, c.case_id)`;
/** The parts of the receipt of a case `c` that disputes and refunds have taken (D-725, D-845), and their sum. */
const lostParts = sql`jsonb_path_query(c.detail, '$.lost_parts[*]')`;
export const lostOfCase = sql`(SELECT coalesce(sum((part ->> 'amount')::numeric), 0) FROM ${lostParts} AS part)`;
/** What is left of the receipt of a case `c` without that, and without what the attempt `a` was paid with. */
const restOfCase = sql`c.amount - coalesce(a.amount, 0) - ${lostOfCase}`;

export const caseEntries: ExpectedEntries[] = [
  (scope) => sql`
    SELECT c.merchant_id, ${subject},
      CASE WHEN c.kind IN ('duplicate_payment', 'unfulfillable') THEN 'P10' ELSE 'P11' END, c.case_id,
      ${line(clearing, suspense, sql`c.amount`, sql`c.currency`)}, NULL, NULL,
      CASE WHEN c.dedupe_key = c.provider_payment_id THEN c.opened_at END, c.test_mode
    FROM payment_cases c WHERE c.booked AND ${ofScope(scope)}
      AND ${within(scope, sql`c.merchant_id`, subject)}`,
  (scope) => sql`
    SELECT c.merchant_id, ${subject}, CASE c.resolution WHEN 'repay' THEN 'P10b' ELSE 'P10r' END, c.case_id,
      ${line(suspense, destination, restOfCase, sql`c.currency`)}, NULL, NULL, c.resolved_at,
      c.test_mode
    FROM payment_cases c
      LEFT JOIN payment_attempts a ON c.detail ? 'accepted' AND a.merchant_id = c.merchant_id
        AND a.attempt_id = c.attempt_id
    WHERE c.booked AND c.state = 'resolved' AND ${restOfCase} > 0
      AND ${ofScope(scope)} AND ${within(scope, sql`c.merchant_id`, subject)}`,
  (scope) => sql`
    SELECT c.merchant_id, ${subject}, 'P10r', coalesce(part ->> 'dispute_id', part ->> 'refund_id'),
      ${line(suspense, clearing, sql`(part ->> 'amount')::numeric`, sql`c.currency`)}, NULL, NULL,
      (part ->> 'at')::timestamptz, c.test_mode
    FROM payment_cases c CROSS JOIN LATERAL ${lostParts} AS part
    WHERE c.booked AND ${ofScope(scope)} AND ${within(scope, sql`c.merchant_id`, subject)}`,
];
