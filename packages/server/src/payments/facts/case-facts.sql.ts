/**
 * Compares cases, refunds, complaints, holds and reserved fees with the payments that they are about, and the decision on a
 * case with the audit log.
 */
import { sql } from '../../base/pg/index.ts';
import { within } from '../../ledger/verification/index.ts';
import { logged } from './audit-facts.sql.ts';
import { type Check, compare, instantText, madeAt, must, notBefore } from './compare.sql.ts';
import { lostOfCase } from './expected-settlements.sql.ts';
import { ofScope } from './orders-and-cases.sql.ts';

/** The part of a case's receipt that goes back to the buyer. */
const restOfReceipt = sql`c.amount - CASE WHEN c.detail ? 'accepted' THEN a.amount ELSE 0 END - ${lostOfCase}`;

export const caseFacts: Check = compare({
  kind: 'case_differs',
  owner: sql`c.merchant_id`,
  subject: sql`coalesce(c.order_no, c.case_id)`,
  row: sql`'case ' || c.case_id`,
  from: (scope) => sql`(SELECT * FROM payment_cases c WHERE ${ofScope(scope)}) c
    LEFT JOIN payment_attempts a ON a.merchant_id = c.merchant_id AND a.attempt_id = c.attempt_id`,
  values: [
    must('an opened_at that its number names', madeAt(sql`c.case_id`, sql`c.opened_at`)),
    must(
      'the order and channel of its attempt',
      sql`(c.order_no IS NULL) = (c.attempt_id IS NULL)
      AND (c.attempt_id IS NULL OR (a.order_no = c.order_no AND a.payment_no = c.payment_no))
      AND CASE WHEN c.attempt_id IS NOT NULL THEN c.kind <> 'unmatched_receipt'
        ELSE c.kind = 'unmatched_receipt' OR (c.kind = 'mismatch' AND c.detail #>> '{seen,case}' IS NOT NULL) END`,
    ),
    must(
      'a key that names what it is about',
      sql`c.kind = 'partial_refund' OR c.dedupe_key = c.provider_payment_id
      OR (c.kind IN ('mismatch', 'unknown_creation') AND c.dedupe_key = c.attempt_id)
      OR (c.kind = 'unmatched_receipt' AND c.dedupe_key = c.payment_no || ' ' || c.session_id)
      OR (c.kind = 'mismatch' AND c.detail -> 'asked' IS NULL)`,
    ),
    must(
      'the amount and currency that the provider reported',
      sql`c.amount IS NULL OR c.detail -> 'asked' IS NULL
      OR (c.detail #>> '{seen,amount}' = c.amount::text AND c.detail #>> '{seen,currency}' = c.currency)`,
    ),
    [
      'currency_decimals',
      sql`CASE WHEN a.currency = c.currency THEN a.currency_decimals WHEN c.detail -> 'asked' IS NULL THEN c.currency_decimals
        ELSE (SELECT decimals FROM currencies k WHERE k.code = c.currency) END`,
      sql`c.currency_decimals`,
    ],
    must(
      'a session if a session was seen',
      sql`a.attempt_id IS NULL OR c.detail -> 'asked' IS NULL
      OR (c.kind = 'unknown_creation') = (c.session_id IS NULL)`,
    ),
    must(
      'no money of a creation in doubt',
      sql`c.kind <> 'unknown_creation'
      OR num_nonnulls(c.amount, c.currency, c.currency_decimals, c.paid_at, c.provider_payment_id) = 0`,
    ),
    must('a reason if and only if it was decided', sql`(c.reason IS NULL) = (c.resolution IS NULL)`),
    must(
      'a check only of what is under way',
      sql`c.check_at IS NULL OR c.state = 'waiting' OR c.refund_status IS NOT NULL
      OR (c.kind = 'unmatched_receipt' AND c.amount IS NULL)`,
    ),
    must('money that was received at some time', sql`c.provider_payment_id IS NULL OR c.paid_at IS NOT NULL`),
    must('test_mode of its attempt', sql`a.attempt_id IS NULL OR NOT c.test_mode OR a.test_mode`),
    must(
      'a refund that its state allows',
      sql`CASE
      WHEN c.resolution = 'refund' AND c.state = 'resolved' THEN c.provider_refund_id IS NOT NULL
        AND (c.refund_seq = 0 OR c.refund_amount = ${restOfReceipt})
      WHEN c.resolution = 'repay' THEN c.state = 'resolved' AND c.booked AND c.refund_seq > 0
        AND c.refund_amount = ${restOfReceipt}
      WHEN c.refund_status IS NOT NULL THEN c.refund_seq > 0 AND c.resolution = 'refund'
      ELSE true END AND (c.refund_seq = 0) = (c.refund_amount IS NULL)`,
    ),
    must(
      'an end that its resolution allows',
      sql`c.resolution IS NULL OR c.state = 'resolved' OR c.refund_status IS NOT NULL`,
    ),
    must('tries only of a receipt that is looked for', sql`c.tries = 0 OR c.kind = 'unmatched_receipt'`),
    must('no check of what has ended', sql`c.state <> 'resolved' OR c.check_at IS NULL`),
    must(
      'a receipt that is in the books if the platform holds it',
      sql`c.booked OR c.amount IS NULL
      OR c.kind = 'partial_refund' OR c.detail -> 'asked' IS NULL OR c.resolution = 'cleared'
      OR EXISTS (SELECT 1 FROM channels h WHERE h.payment_no = c.payment_no AND h.merchant_id IS NOT NULL)`,
    ),
  ],
});

export const refundFacts: Check = compare({
  kind: 'refund_differs',
  owner: sql`r.merchant_id`,
  subject: sql`r.order_no`,
  row: sql`'refund ' || r.refund_id`,
  from: () => sql`payment_refunds r
    LEFT JOIN payment_attempts a ON a.merchant_id = r.merchant_id AND a.attempt_id = r.attempt_id
    LEFT JOIN payable_orders o ON o.merchant_id = r.merchant_id AND o.order_no = r.order_no`,
  values: [
    must('a requested_at that its number names', madeAt(sql`r.refund_id`, sql`r.requested_at`)),
    ['order of its payment', sql`a.order_no`, sql`r.order_no`],
    ['amount', sql`CASE r.status WHEN 'partial' THEN r.amount ELSE a.amount END`, sql`r.amount`],
    ['currency', sql`a.currency`, sql`r.currency`],
    ['currency_decimals', sql`a.currency_decimals`, sql`r.currency_decimals`],
    must('a paid order', sql`o.confirmed AND a.state IN ('paid', 'paid_late')`),
    must(
      'a number at the provider if and only if the provider has it',
      sql`CASE
      WHEN a.provider = 'ptk' THEN r.provider_refund_id IS NULL AND r.status = 'succeeded' AND r.ended_at = r.requested_at
      WHEN r.status IN ('pending', 'succeeded', 'partial') THEN r.provider_refund_id IS NOT NULL
      WHEN r.status = 'requested' THEN r.provider_refund_id IS NULL
      ELSE true END`,
    ),
    must('a returned payment', sql`r.status <> 'succeeded' OR NOT o.standing`),
    [
      'detail',
      sql`CASE WHEN r.status <> 'succeeded' THEN r.detail WHEN a.provider = 'ptk' THEN 'in the wallet'
        ELSE 'confirmed by the provider' END`,
      sql`r.detail`,
    ],
  ],
});

export const lossFacts: Check = compare({
  kind: 'complaint_differs',
  owner: sql`c.merchant_id`,
  subject: sql`c.order_no`,
  row: sql`'complaint ' || c.complaint_id`,
  from: () => sql`payment_complaints c
    LEFT JOIN payable_orders o ON o.merchant_id = c.merchant_id AND o.order_no = c.order_no
    LEFT JOIN LATERAL (SELECT min(decimals) AS decimals, bool_or(currency = 'PTK') AS is_ptk FROM (
      SELECT a.currency_decimals AS decimals, a.currency FROM payment_attempts a
      WHERE a.merchant_id = c.merchant_id AND a.order_no = c.order_no AND a.state IN ('paid', 'paid_late')
        AND a.currency = o.payment_currency) x) a ON true`,
  values: [
    must('an opened_at that its number names', madeAt(sql`c.complaint_id`, sql`c.opened_at`)),
    must('a paid order', sql`o.confirmed`),
    ['currency', sql`o.payment_currency`, sql`c.currency`],
    ['currency_decimals', sql`a.decimals`, sql`c.currency_decimals`],
    must(
      'a source that the audit log allows',
      sql`CASE WHEN c.source = 'provider'
      OR c.reason IN ('disputed at the provider', 'another amount than was paid has gone back') THEN
        (c.source = 'platform') = EXISTS (SELECT 1 FROM audit_log l WHERE l.action = 'complaint.open'
          AND l.after ->> 'complaint_id' = c.complaint_id) ELSE true END`,
    ),
    must(
      'a look at its dispute while it is open',
      sql`(c.check_at IS NULL) = (c.status <> 'open' OR c.dispute_id IS NULL)`,
    ),
    must(
      'a dispute or the provider’s own reason',
      sql`c.source <> 'provider' OR CASE c.reason
      WHEN 'disputed at the provider' THEN c.dispute_id IS NOT NULL OR c.status = 'dismissed'
      ELSE c.reason = 'another amount than was paid has gone back' END`,
    ),
    must('a charge only of a loss', sql`c.external_cost IS NULL OR c.status = 'confirmed'`),
    must('an open complaint only about a standing payment', sql`c.status <> 'open' OR o.standing`),
    must(
      'a decision after its opening',
      sql`c.decided_at IS NULL OR ${notBefore(sql`c.decided_at`, sql`c.opened_at`)}`,
    ),
    must('the end of its order', sql`c.status <> 'closed' OR NOT o.standing`),
  ],
});

/** A hold ends with an entry that moves what it held, and stops while a complaint is open. */
export const holdFacts: Check = compare({
  kind: 'hold_differs',
  owner: sql`h.merchant_id`,
  subject: sql`h.order_no`,
  row: sql`'hold of order ' || h.order_no`,
  from: () => sql`payment_holds h
    LEFT JOIN payable_orders o ON o.merchant_id = h.merchant_id AND o.order_no = h.order_no`,
  values: [
    [
      'frozen',
      sql`h.released_at IS NULL AND EXISTS (SELECT 1 FROM payment_complaints c
      WHERE c.merchant_id = h.merchant_id AND c.order_no = h.order_no AND c.status = 'open')`,
      sql`h.frozen`,
    ],
    must(
      'an entry that ended it',
      sql`h.released_at IS NULL OR EXISTS (SELECT 1 FROM ledger_transfers t
        WHERE t.merchant_id = h.merchant_id AND t.subject = h.order_no AND t.at = h.released_at
          AND t.posting IN ('P3', 'P6b', 'P7', 'P7p', 'P8'))
      OR o.settlement_ptk <= (SELECT sum(t.amount) FROM ledger_transfers t WHERE t.merchant_id = h.merchant_id
        AND t.subject = h.order_no AND t.posting IN ('P8', 'P9')
        AND (t.debit_account LIKE 'm:held:%' OR t.debit_account LIKE 'm:frozen:%'))`,
    ),
    must('an end, because the payment went back', sql`o.standing OR h.released_at IS NOT NULL`),
    must('hold_days', sql`o.hold_days > 0`),
  ],
});

export const reservationFacts: Check = compare({
  kind: 'reservation_differs',
  owner: sql`r.merchant_id`,
  subject: sql`r.order_no`,
  row: sql`'reserved fee of attempt ' || r.attempt_id`,
  from: () => sql`(SELECT r.*, a.order_no AS of_order, a.state AS attempt_state, q.owner, q.merchant_fee_ptk
      FROM payment_fee_reservations r LEFT JOIN payment_attempts a USING (merchant_id, attempt_id)
        LEFT JOIN payment_quotes q ON q.merchant_id = a.merchant_id AND q.order_no = a.order_no
          AND q.method_id = a.method_id) r`,
  values: [
    ['order of its attempt', sql`r.of_order`, sql`r.order_no`],
    ['fee_ptk', sql`CASE r.owner WHEN 'merchant' THEN r.merchant_fee_ptk END`, sql`r.fee_ptk`],
    must(
      'a state that its attempt allows',
      sql`CASE r.state
      WHEN 'reserved' THEN r.attempt_state NOT IN ('paid', 'paid_late', 'closed', 'failed', 'absent', 'rejected')
      WHEN 'released' THEN r.attempt_state IN ('paid', 'paid_late', 'closed', 'failed', 'absent', 'rejected')
      WHEN 'captured' THEN r.attempt_state IN ('paid', 'paid_late') ELSE r.attempt_state IN ('paid', 'paid_late') END`,
    ),
  ],
});

/** An attempt on the merchant's own channel has a reserved fee, if there is a fee. */
export const reservedFacts: Check = compare({
  kind: 'reservation_differs',
  owner: sql`a.merchant_id`,
  subject: sql`a.order_no`,
  row: sql`'attempt ' || a.attempt_id`,
  from: () => sql`payment_quotes q JOIN payment_attempts a ON a.merchant_id = q.merchant_id AND a.order_no = q.order_no
    AND a.method_id = q.method_id`,
  where: sql`q.owner = 'merchant' AND q.merchant_fee_ptk > 0`,
  values: [
    must(
      'a reserved fee',
      sql`EXISTS (SELECT 1 FROM payment_fee_reservations r WHERE r.merchant_id = a.merchant_id
      AND r.attempt_id = a.attempt_id)`,
    ),
  ],
});

/**
 * A decision on a case: what it was about, and the reason. A refund that failed leaves no reason, and the provider's
 * own one may end the case later (D-697). So it may after a person has said what a dispute has taken, which leaves the
 * case open (D-907).
 */
export const caseDecisions: Check = {
  kind: 'case_differs',
  statement: (scope) => sql`
    SELECT c.merchant_id::text AS owner, coalesce(c.order_no, c.case_id) AS subject, 'case ' || c.case_id AS row,
      diff.what, diff.expected, diff.found
    FROM payment_cases c JOIN (
        SELECT DISTINCT ON (l.after ->> 'case_id') l.after, l.reason, substr(l.action, 6) AS action,
          count(*) FILTER (WHERE l.action = 'case.refund') OVER (PARTITION BY l.after ->> 'case_id') AS refunds
        FROM audit_log l
        WHERE l.action LIKE 'case.%' AND l.after ? 'case_id' AND ${logged(scope)} ORDER BY l.after ->> 'case_id', l.audit_id DESC
      ) l ON l.after ->> 'case_id' = c.case_id
      CROSS JOIN LATERAL (VALUES
        ('kind', l.after ->> 'kind', c.kind), ('session_id', l.after ->> 'session_id', c.session_id),
        ('payment_no', l.after ->> 'payment_no', c.payment_no),
        ('provider_payment_id', l.after ->> 'provider_payment_id', c.provider_payment_id),
        ('order_no', l.after ->> 'order_no', c.order_no), ('attempt_id', l.after ->> 'attempt_id', c.attempt_id),
        ('amount', l.after ->> 'amount_minor', c.amount::text), ('currency', l.after ->> 'currency', c.currency),
        ('paid_at', l.after ->> 'paid_at', ${instantText(sql`c.paid_at`)}),
        ('opened_at', l.after ->> 'opened_at', ${instantText(sql`c.opened_at`)}),
        ('refund_seq', l.refunds::text, c.refund_seq::text),
        ('reason', l.reason, CASE WHEN c.resolution = l.action
          AND NOT (c.resolution = 'refund' AND c.state = 'resolved' AND c.reason = 'confirmed by the provider')
          THEN c.reason ELSE l.reason END),
        ('resolution', l.action, CASE WHEN c.resolution = 'cleared' OR (l.action = 'close' AND l.after ->> 'state' = 'open')
          THEN l.action ELSE coalesce(c.resolution, l.action) END)
      ) AS diff (what, expected, found)
    WHERE ${within(scope, sql`c.merchant_id`, sql`coalesce(c.order_no, c.case_id)`)}
      AND diff.expected IS DISTINCT FROM diff.found`,
};
