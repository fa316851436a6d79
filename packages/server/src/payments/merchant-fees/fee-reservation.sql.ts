/** SQL of fee reservations. */
import { type Queryable, type Row, type Write, sql } from '../../base/pg/index.ts';
import type { FeeReservation } from './fee-reservation.ts';

const columns = sql`merchant_id, attempt_id, order_no, state, fee_ptk, available_ptk, credit_ptk, reserved_at,
  released_at, captured_at`;

export function insertFeeReservation(r: FeeReservation): Write {
  return {
    statement: sql`INSERT INTO payment_fee_reservations (${columns}) VALUES (${r.merchant_id}::uuid, ${r.attempt_id},
      ${r.order_no}, ${r.state}, ${r.fee_ptk}::numeric, ${r.available_ptk}::numeric, ${r.credit_ptk}::numeric,
      ${r.reserved_at}::timestamptz, ${r.released_at}::timestamptz, ${r.captured_at}::timestamptz)`,
    rows: 'all',
  };
}

/**
 * Writes a reservation's next state. Touches no row if another process has changed it, so a fee moves once. With the order's
 * number, the row is not looked for among all open reservations of the merchant (D-1097).
 */
export function updateFeeReservation(before: FeeReservation, after: FeeReservation): Write {
  return {
    statement: sql`UPDATE payment_fee_reservations SET state = ${after.state},
      released_at = ${after.released_at}::timestamptz, captured_at = ${after.captured_at}::timestamptz
      WHERE merchant_id = ${before.merchant_id}::uuid AND attempt_id = ${before.attempt_id}
        AND order_no = ${before.order_no}
        AND state = ${before.state} /* guard: fee-guarded-by-its-state */`,
    rows: 1,
  };
}

/** The reservation of an attempt, or null. Call under the order's lock. */
export async function selectFeeReservation(
  db: Queryable,
  merchant_id: string,
  attempt_id: string,
): Promise<FeeReservation | null> {
  const [row] = await db.query<FeeReservation & Row>(
    sql`SELECT ${columns} FROM payment_fee_reservations
      WHERE merchant_id = ${merchant_id} AND attempt_id = ${attempt_id}`,
  );
  return row ?? null;
}

/** The reservations of an order, newest first. */
export function selectFeeReservations(
  db: Queryable,
  merchant_id: string,
  order_no: string,
): Promise<FeeReservation[]> {
  return db.query<FeeReservation & Row>(
    sql`SELECT ${columns} FROM payment_fee_reservations
      WHERE merchant_id = ${merchant_id} AND order_no = ${order_no} ORDER BY attempt_id DESC`,
  );
}
