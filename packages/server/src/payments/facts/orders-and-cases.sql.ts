/** SQL that compares orders and cases with the books. */
import { type Queryable, type Row, type Sql, sql } from '../../base/pg/index.ts';
import { pairsOf, type Scope, within } from '../../ledger/verification/index.ts';

/** An order, or the postings of one, with all faults between them. */
export interface OrderFaults extends Row {
  owner: string;
  order_no: string;
  status: string | null;
  /** Number of settlements: P1 and P2, and the fees of the merchant's own channel, P4b and P4d. */
  settlements: number;
  /** Amount paid, in minor units of the payment currency: as booked, and on the order. */
  paid: bigint;
  payment_amount: bigint | null;
  payment_currency: string | null;
  /** In PTK: as booked, and on the order. */
  fee: bigint;
  merchant_fee_ptk: bigint | null;
  net: bigint;
  settlement_ptk: bigint | null;
  /** Held and frozen funds of the order in PTK: as booked, and as expected. */
  held: bigint;
  expected_held: bigint;
  /** Reserved fee of the merchant's own channel in PTK: as booked, and by its reservations. */
  reserved: bigint;
  expected_reserved: bigint;
  /** Names of the faults. */
  faults: OrderFault[];
}

export type OrderFault =
  | 'order_without_settlement'
  | 'order_settled_twice'
  | 'settlement_amount'
  | 'settlement_without_order'
  | 'settlement_of_unpaid_order'
  | 'settlement_of_own_channel'
  | 'settlement_of_historical_order'
  | 'held_amount'
  | 'fee_reserved_amount'
  | 'hold_missing'
  | 'hold_without_payment';

/**
 * Compares orders of every kind with the books, in one pass over both. Only this statement reads orders, holds,
 * reservations and transfers together, joined by merchant and order. The view `payable_orders` gives the expected values
 * for each kind of order.
 *
 * A confirmed order has exactly one settlement: P1 or P2 if the platform received the money; P4b or P4d if the merchant's
 * own channel received it and a fee is due. A historical order has none, because an older system settled it.
 */
export function selectOrderFaults(db: Queryable, scope: Scope, limit: number): Promise<OrderFaults[]> {
  return db.query<OrderFaults>(
    sql`WITH booked AS (
        SELECT merchant_id, subject AS order_no,
          count(*) FILTER (WHERE leg = 1 AND posting IN ('P1', 'P2'))::int AS payments,
          count(*) FILTER (WHERE leg = 1 AND posting IN ('P4b', 'P4d'))::int AS own_fees,
          sum(amount) FILTER (WHERE posting IN ('P1', 'P2')
            AND split_part(debit_account, ':', 1) IN ('prov', 'user', 'susp')) AS paid,
          sum(amount) FILTER (WHERE posting IN ('P1', 'P2', 'P4b', 'P4d')
            AND credit_account = 'inc:merchant_fee') AS fee,
          sum(amount) FILTER (WHERE posting IN ('P1', 'P2')
            AND (credit_account = 'm:available' OR credit_account LIKE 'm:held:%')) AS net,
          sum(amount) FILTER (WHERE posting IN ('P7', 'P7p', 'P8', 'P9')
            AND (debit_account LIKE 'm:held:%' OR debit_account LIKE 'm:frozen:%')) AS lost
        FROM ledger_transfers
        WHERE posting IN ('P1', 'P2', 'P4b', 'P4d', 'P7', 'P7p', 'P8', 'P9')
          AND ${within(scope, sql`merchant_id`, sql`subject`)}
        GROUP BY merchant_id, subject
      ), funds AS (
        SELECT merchant_id, ref AS order_no,
          coalesce(sum(balance) FILTER (WHERE account <> 'm:fee_reserved'), 0) AS held,
          coalesce(sum(balance) FILTER (WHERE account = 'm:fee_reserved'), 0) AS reserved
        FROM ledger_balances WHERE account IN ('m:held', 'm:frozen', 'm:fee_reserved') AND ${fundsWithin(scope)}
        GROUP BY merchant_id, ref
      ), reservations AS (
        SELECT merchant_id, order_no, sum(fee_ptk) AS fee_ptk
        FROM payment_fee_reservations WHERE state = 'reserved' AND ${within(scope, sql`merchant_id`, sql`order_no`)}
        GROUP BY merchant_id, order_no
      ), compared AS (
        SELECT merchant_id, order_no, o.status, o.payment_amount, o.payment_currency, o.merchant_fee_ptk,
          o.settlement_ptk, o.hold_days, coalesce(o.historical, false) AS historical,
          o.status IS NOT NULL AS known, coalesce(o.confirmed, false) AS confirmed,
          o.settlement_ptk IS NULL AS own_channel,
          coalesce(b.payments, 0) AS payments, coalesce(b.own_fees, 0) AS own_fees,
          coalesce(b.paid, 0) AS paid, coalesce(b.fee, 0) AS fee, coalesce(b.net, 0) AS net,
          coalesce(f.held, 0) AS held, coalesce(f.reserved, 0) AS reserved,
          coalesce(r.fee_ptk, 0) AS expected_reserved, h.release_at IS NOT NULL AS has_hold,
          CASE WHEN o.standing AND h.release_at IS NOT NULL AND h.released_at IS NULL
            THEN o.settlement_ptk - coalesce(b.lost, 0) ELSE 0 END AS expected_held
        FROM (SELECT * FROM payable_orders WHERE ${within(scope, sql`merchant_id`, sql`order_no`)}) o
          FULL JOIN booked b USING (merchant_id, order_no) FULL JOIN funds f USING (merchant_id, order_no)
          FULL JOIN (SELECT * FROM payment_holds WHERE ${within(scope, sql`merchant_id`, sql`order_no`)}) h
            USING (merchant_id, order_no)
          FULL JOIN reservations r USING (merchant_id, order_no)
      ), judged AS (
        SELECT *, confirmed AND NOT historical AND (NOT own_channel OR merchant_fee_ptk > 0) AS due
        FROM compared
      ), faulty AS (
        SELECT *, array_remove(ARRAY[
          CASE WHEN due AND CASE WHEN own_channel THEN own_fees ELSE payments END = 0
            THEN 'order_without_settlement' END,
          CASE WHEN known AND payments + own_fees > 1 THEN 'order_settled_twice' END,
          CASE WHEN due AND payments + own_fees = 1 AND (
              fee <> merchant_fee_ptk
              OR (NOT own_channel AND (net <> settlement_ptk OR paid IS DISTINCT FROM payment_amount)))
            THEN 'settlement_amount' END,
          CASE WHEN NOT known AND payments + own_fees > 0 THEN 'settlement_without_order' END,
          CASE WHEN known AND NOT confirmed AND payments + own_fees > 0 THEN 'settlement_of_unpaid_order' END,
          CASE WHEN confirmed AND NOT historical AND own_channel AND payments > 0
            THEN 'settlement_of_own_channel' END,
          CASE WHEN historical AND confirmed AND payments + own_fees > 0
            THEN 'settlement_of_historical_order' END,
          CASE WHEN held IS DISTINCT FROM expected_held THEN 'held_amount' END,
          CASE WHEN reserved <> expected_reserved THEN 'fee_reserved_amount' END,
          CASE WHEN confirmed AND payments > 0 AND hold_days > 0 AND NOT has_hold THEN 'hold_missing' END,
          CASE WHEN has_hold AND (NOT confirmed OR payments = 0) THEN 'hold_without_payment' END
        ], NULL) AS faults
        FROM judged
      )
      SELECT merchant_id::text AS owner, order_no, status, payments + own_fees AS settlements, paid, payment_amount,
        payment_currency, fee, merchant_fee_ptk, net, settlement_ptk, held, expected_held, reserved,
        expected_reserved, faults
      FROM faulty WHERE cardinality(faults) > 0 ORDER BY 1, 2 LIMIT ${limit}`,
  );
}

/** The balances of a scope's orders, by their key. */
const fundsWithin = (scope: Scope): Sql =>
  scope === null
    ? sql`true`
    : sql`(merchant_id, account, ref) IN (SELECT p.merchant_id, a.account, p.subject
        FROM ${pairsOf(scope)} AS p (merchant_id, subject)
          CROSS JOIN unnest(ARRAY['m:held', 'm:frozen', 'm:fee_reserved']) AS a (account))`;

/** A case, or money in suspense, if the two do not agree. */
export interface CaseFault extends Row {
  owner: string;
  case_id: string;
  /** Null if there is no such case. */
  state: string | null;
  /** Money in suspense under the case, in minor units. */
  suspended: bigint;
  currency: string;
}

/**
 * Finds cases that do not agree with suspense. A case holds money in suspense if and only if its receipt was booked and it
 * is not resolved. The currencies have to agree too.
 */
export function selectCaseFaults(db: Queryable, scope: Scope, limit: number): Promise<CaseFault[]> {
  return db.query<CaseFault>(
    sql`WITH booked AS (
        SELECT merchant_id, ref AS case_id, currency, balance
        FROM ledger_balances WHERE account LIKE 'susp:%' AND balance <> 0
          AND ${
            scope === null
              ? sql`true`
              : sql`(merchant_id, account, ref) IN (
            SELECT c.merchant_id, 'susp:' || c.currency, c.case_id FROM payment_cases c WHERE ${ofScope(scope)})`
          }
      ), received AS (
        SELECT merchant_id, case_id, state, booked AS is_booked, currency AS received_in FROM payment_cases c
        WHERE ${ofScope(scope)}
      )
      SELECT merchant_id::text AS owner, case_id, state, coalesce(balance, 0) AS suspended,
        coalesce(currency, received_in, '') AS currency
      FROM received FULL JOIN booked USING (merchant_id, case_id)
      WHERE (balance IS NOT NULL) IS DISTINCT FROM (is_booked AND state <> 'resolved') OR currency <> received_in
      ORDER BY 1, 2 LIMIT ${limit}`,
  );
}

/** Whether the case `c`, or its order, is in the scope. */
export const ofScope = (scope: Scope): Sql =>
  scope === null
    ? sql`true`
    : sql`(c.merchant_id, c.case_id) IN (SELECT * FROM ${pairsOf(scope)}
        UNION SELECT x.merchant_id, x.case_id FROM payment_cases x WHERE ${within(scope, sql`x.merchant_id`, sql`x.order_no`)})`;
