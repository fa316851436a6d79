/** SQL of refunds. */
import { type Queryable, type Row, type Write, sql } from '../../base/pg/index.ts';
import type { DueRows } from '../engine/index.ts';
import type { Refund } from './refund.ts';

const columns = sql`merchant_id, refund_id, order_no, attempt_id, amount, currency, currency_decimals, status,
  provider_refund_id, requested_at, ended_at, check_at, detail`;

type RefundRow = Refund & Row;

export const refundRows: DueRows = { table: sql`payment_refunds`, id: sql`refund_id`, columns };

export function insertRefund(r: Refund): Write {
  return {
    statement: sql`INSERT INTO payment_refunds (${columns}) VALUES (${r.merchant_id}::uuid, ${r.refund_id},
      ${r.order_no}, ${r.attempt_id}, ${r.amount}::numeric, ${r.currency}, ${r.currency_decimals}::smallint,
      ${r.status}, ${r.provider_refund_id}, ${r.requested_at}::timestamptz, ${r.ended_at}::timestamptz,
      ${r.check_at}::timestamptz, ${r.detail})`,
    rows: 'all',
  };
}

/** Writes a refund's new state. Touches no row if another process has changed the status meanwhile. */
export function updateRefund(before: Refund, after: Refund): Write {
  return {
    statement: sql`UPDATE payment_refunds SET status = ${after.status},
      provider_refund_id = ${after.provider_refund_id}, ended_at = ${after.ended_at}::timestamptz,
      check_at = ${after.check_at}::timestamptz, detail = ${after.detail}
      WHERE merchant_id = ${before.merchant_id}::uuid AND refund_id = ${before.refund_id}
        AND status = ${before.status} /* guard: refund-guarded-by-its-state */`,
    rows: 1,
  };
}

export async function selectRefund(
  db: Queryable,
  merchant_id: string,
  refund_id: string,
): Promise<Refund | null> {
  const [row] = await db.query<RefundRow>(
    sql`SELECT ${columns} FROM payment_refunds WHERE merchant_id = ${merchant_id} AND refund_id = ${refund_id}`,
  );
  return row ?? null;
}

/** The refunds of an order, newest first. */
export function selectRefunds(db: Queryable, merchant_id: string, order_no: string): Promise<Refund[]> {
  return db.query<RefundRow>(
    sql`SELECT ${columns} FROM payment_refunds WHERE merchant_id = ${merchant_id} AND order_no = ${order_no}
      ORDER BY refund_id DESC`,
  );
}

/** One page of the refunds of all merchants before a cursor, newest first. Their ids sort by time. */
export function selectRefundPage(
  db: Queryable,
  statuses: readonly Refund['status'][] | null,
  before: string | null,
  limit: number,
): Promise<Refund[]> {
  const inStatus = statuses === null ? sql`` : sql`AND status = ANY (${statuses}::text[])`;
  const older = before === null ? sql`` : sql`AND refund_id < ${before}`;
  return db.query<RefundRow>(
    sql`SELECT ${columns} FROM payment_refunds WHERE true ${inStatus} ${older} ORDER BY refund_id DESC LIMIT ${limit}`,
  );
}
