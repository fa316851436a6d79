/** SQL of cases. */
import { type Queryable, type Tx, type Row, type Write, sql, type Sql } from '../../base/pg/index.ts';
import type { CaseKind, CaseState } from '@paydesk/contract';
import { platformBook } from '../../base/ids.ts';
import type { DueRows } from '../engine/index.ts';
import type { PaymentCase } from './case.ts';

const columns = sql`merchant_id, case_id, kind, dedupe_key, state, order_no, attempt_id, payment_no, session_id,
  provider_payment_id, test_mode, amount, currency, currency_decimals, paid_at, booked, opened_at, check_at, tries,
  refund_status, refund_amount, provider_refund_id, refund_seq, resolution, reason, resolved_at, detail`;

type CaseRow = PaymentCase & Row;

export const caseRows: DueRows = { table: sql`payment_cases`, id: sql`case_id`, columns };

/** Stores a case. Fails if a case of its kind and key exists. */
export const insertCase = (c: PaymentCase): Write => ({ statement: insertion(c), rows: 1 });

/** Stores a case unless one of its kind and key exists, which stays unchanged. Touches one row in both cases. */
export const insertCaseOnce = (c: PaymentCase): Write => ({
  statement: sql`${insertion(c)}
    ON CONFLICT (merchant_id, kind, dedupe_key) DO UPDATE SET case_id = known.case_id /* guard: one-case-for-each-payment */`,
  rows: 1,
});

const insertion = (c: PaymentCase): Sql =>
  sql`INSERT INTO payment_cases AS known (${columns}) VALUES (${c.merchant_id}::uuid, ${c.case_id},
    ${c.kind}, ${c.dedupe_key}, ${c.state}, ${c.order_no}, ${c.attempt_id}, ${c.payment_no}, ${c.session_id},
    ${c.provider_payment_id}, ${c.test_mode}::boolean, ${c.amount}::numeric, ${c.currency},
    ${c.currency_decimals}::smallint, ${c.paid_at}::timestamptz, ${c.booked}::boolean,
    ${c.opened_at}::timestamptz, ${c.check_at}::timestamptz, ${c.tries}::integer, ${c.refund_status},
    ${c.refund_amount}::numeric, ${c.provider_refund_id}, ${c.refund_seq}::smallint, ${c.resolution}, ${c.reason},
    ${c.resolved_at}::timestamptz, ${JSON.stringify(c.detail)}::jsonb)`;

/** Writes a case's new state. Touches no row if another process has changed state, booking or refund meanwhile. */
export function updateCase(before: PaymentCase, after: PaymentCase): Write {
  const isResolved = before.resolved_at === null && after.resolved_at !== null;
  const resolved = isResolved ? sql`, sealed_xact = pg_current_xact_id()::text::bigint` : sql``;
  return {
    statement: sql`UPDATE payment_cases SET state = ${after.state}, session_id = ${after.session_id},
      provider_payment_id = ${after.provider_payment_id}, test_mode = ${after.test_mode}::boolean,
      amount = ${after.amount}::numeric, currency = ${after.currency},
      currency_decimals = ${after.currency_decimals}::smallint, paid_at = ${after.paid_at}::timestamptz,
      booked = ${after.booked}::boolean, check_at = ${after.check_at}::timestamptz, tries = ${after.tries}::integer,
      refund_status = ${after.refund_status}, refund_amount = ${after.refund_amount}::numeric,
      provider_refund_id = ${after.provider_refund_id}, refund_seq = ${after.refund_seq}::smallint,
      resolution = ${after.resolution}, reason = ${after.reason}, resolved_at = ${after.resolved_at}::timestamptz,
      detail = ${JSON.stringify(after.detail)}::jsonb${resolved}
      WHERE merchant_id = ${before.merchant_id}::uuid AND case_id = ${before.case_id} 
        AND state = ${before.state} /* guard: case-guarded-by-its-state */
        AND booked = ${before.booked}::boolean /* guard: case-guarded-by-its-state */
        AND refund_seq = ${before.refund_seq}::smallint /* guard: case-guarded-by-its-state */
        AND refund_status IS NOT DISTINCT FROM ${before.refund_status} /* guard: case-guarded-by-its-state */`,
    rows: 1,
  };
}

/** The cases of an order, newest first. */
export function selectCasesOfOrder(
  db: Queryable,
  merchant_id: string,
  order_no: string,
): Promise<PaymentCase[]> {
  return db.query<CaseRow>(
    sql`SELECT ${columns} FROM payment_cases WHERE merchant_id = ${merchant_id} AND order_no = ${order_no}
      ORDER BY case_id DESC`,
  );
}

/** The case with a number, in any book. */
export async function selectCase(db: Queryable, case_id: string): Promise<PaymentCase | null> {
  const [row] = await db.query<CaseRow>(sql`SELECT ${columns} FROM payment_cases WHERE case_id = ${case_id}`);
  return row ?? null;
}

/** The case with a number in a known book, locked until the transaction ends. */
export async function selectCaseForUpdate(
  tx: Tx,
  { merchant_id, case_id }: Pick<PaymentCase, 'merchant_id' | 'case_id'>,
): Promise<PaymentCase | null> {
  const [row] = await tx.query<CaseRow>(
    sql`SELECT ${columns} FROM payment_cases WHERE merchant_id = ${merchant_id} AND case_id = ${case_id}
      FOR UPDATE /* guard: case-locked */`,
  );
  return row ?? null;
}

/** The case of a kind and key, locked until the transaction ends. */
export async function selectCaseByKey(
  tx: Tx,
  { merchant_id, kind, dedupe_key }: Pick<PaymentCase, 'merchant_id' | 'kind' | 'dedupe_key'>,
): Promise<PaymentCase | null> {
  const [row] = await tx.query<CaseRow>(
    sql`SELECT ${columns} FROM payment_cases
      WHERE merchant_id = ${merchant_id} AND kind = ${kind} AND dedupe_key = ${dedupe_key} FOR UPDATE`,
  );
  return row ?? null;
}

/** Whether there is a case of a kind and key. */
export async function hasCase(
  db: Queryable,
  { merchant_id, kind, dedupe_key }: Pick<PaymentCase, 'merchant_id' | 'kind' | 'dedupe_key'>,
): Promise<boolean> {
  const rows = await db.query(
    sql`SELECT case_id FROM payment_cases
      WHERE merchant_id = ${merchant_id} AND kind = ${kind} AND dedupe_key = ${dedupe_key}`,
  );
  return rows.length > 0;
}

/**
 * Locks the cases of a kind with these keys until the transaction ends, in a fixed order, so that callers cannot
 * deadlock.
 */
export async function lockCasesByKey(
  tx: Tx,
  { merchant_id, kind }: Pick<PaymentCase, 'merchant_id' | 'kind'>,
  dedupe_keys: readonly string[],
): Promise<void> {
  await tx.query(
    sql`SELECT case_id FROM payment_cases
      WHERE merchant_id = ${merchant_id} AND kind = ${kind} AND dedupe_key = ANY (${dedupe_keys}::text[])
      ORDER BY case_id FOR UPDATE`,
  );
}

/** Counts the unmatched receipts of a channel that wait or are open, up to `most`. */
export async function countUnmatched(db: Queryable, payment_no: string, most: number): Promise<number> {
  const rows = await db.query(
    sql`SELECT case_id FROM payment_cases
      WHERE merchant_id = ${platformBook} AND kind = 'unmatched_receipt' AND payment_no = ${payment_no}
        AND state <> 'resolved' LIMIT ${most}`,
  );
  return rows.length;
}

/** Whether a case of another channel has the money of a provider's payment in the books, or had it. */
export async function isBookedElsewhere(
  db: Queryable,
  payment_no: string,
  provider_payment_id: string,
): Promise<boolean> {
  const rows = await db.query(
    sql`SELECT case_id FROM payment_cases
      WHERE provider_payment_id = ${provider_payment_id} AND payment_no <> ${payment_no} AND booked LIMIT 1`,
  );
  return rows.length > 0;
}

/** The case of a provider's payment; an unresolved case before a resolved one. */
export async function selectCaseByPayment(
  db: Queryable,
  payment_no: string,
  provider_payment_id: string,
): Promise<PaymentCase | null> {
  const [row] = await db.query<CaseRow>(
    sql`SELECT ${columns} FROM payment_cases
      WHERE provider_payment_id = ${provider_payment_id} AND payment_no = ${payment_no}
      ORDER BY state = 'resolved', case_id DESC LIMIT 1`,
  );
  return row ?? null;
}

/** Whether a case that is known here holds the payment of a refund and has requested it. */
export async function isRefundOfCase(
  db: Queryable,
  { case_id, payment_id }: { case_id: string | null; payment_id: string | null },
): Promise<boolean> {
  const held = case_id === null ? null : await selectCase(db, case_id);
  return held !== null && held.provider_payment_id === payment_id;
}

/** Which cases to list; null means any. `before` is a cursor. */
export interface CaseFilter {
  kind: CaseKind | null;
  state: CaseState | null;
  before: string | null;
  limit: number;
}

/** Cases in every book, newest first: their ids sort by time. */
export function selectCases(
  db: Queryable,
  { kind, state, before, limit }: CaseFilter,
): Promise<PaymentCase[]> {
  const ofKind = kind === null ? sql`` : sql`AND kind = ${kind}`;
  const ofState = state === null ? sql`` : sql`AND state = ${state}`;
  const older = before === null ? sql`` : sql`AND case_id < ${before}`;
  return db.query<CaseRow>(
    sql`SELECT ${columns} FROM payment_cases WHERE true ${ofKind} ${ofState} ${older}
      ORDER BY case_id DESC LIMIT ${limit}`,
  );
}
