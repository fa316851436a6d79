/** Which orders may leave for the archive: those that have ended for good, with nothing open and nothing recent (D-472). */
import { type Queryable, type Row, type Sql, sql, type Tx } from '../../base/pg/index.ts';
import { isArchived } from '../../notifications/delivery-records/index.ts';
import { orderDigest } from '../../payments/facts/index.ts';
import { type CollectionOrder, orderColumns } from '../orders/index.ts';

/**
 * An order, and the rows of it that would leave beside its events. The order itself stays, so it is read, listed and created
 * again as before (D-471).
 */
export type ClosedOrder = CollectionOrder & {
  /** The quotes that no attempt has used and that the order does not name. */
  method_ids: string[];
  /** In hex. */
  order_digest: string;
  confirmed: boolean;
};

const confirmed = sql`(o.status IN ('paid', 'refunded', 'chargeback'))`;

/** Rows of another table about the order `o`. */
const of = (name: Sql): Sql => sql`${name}.merchant_id = o.merchant_id AND ${name}.order_no = o.order_no`;

/**
 * A condition on orders `o`: nothing is open, and nothing happened since `before`. An order with an event that was not
 * delivered stays, because its merchant may ask for another attempt (R-287).
 */
const isClosed = (before: Date): Sql => sql`o.fee_status <> 'legacy'
  AND o.status IN ('paid', 'refunded', 'chargeback', 'expired') AND o.created_at < ${before}
  AND NOT ${isArchived}
  AND NOT EXISTS (SELECT 1 FROM notifications n WHERE ${of(sql`n`)}
    AND (n.delivery_status <> 'delivered' OR n.created_at >= ${before}))
  AND NOT EXISTS (SELECT 1 FROM payment_attempts a WHERE ${of(sql`a`)}
    AND (a.state NOT IN ('paid', 'paid_late', 'closed', 'failed', 'absent', 'rejected')
      OR a.created_at >= ${before} OR a.paid_at >= ${before}))
  AND NOT EXISTS (SELECT 1 FROM payment_holds h WHERE ${of(sql`h`)}
    AND (h.released_at IS NULL OR h.released_at >= ${before}))
  AND NOT EXISTS (SELECT 1 FROM payment_refunds f WHERE ${of(sql`f`)}
    AND (f.ended_at IS NULL OR f.ended_at >= ${before}))
  AND NOT EXISTS (SELECT 1 FROM payment_complaints c WHERE ${of(sql`c`)} AND (c.status = 'open' OR c.decided_at >= ${before}))
  AND NOT EXISTS (SELECT 1 FROM payment_cases c WHERE ${of(sql`c`)} AND (c.state <> 'resolved' OR c.resolved_at >= ${before}))
  AND NOT EXISTS (SELECT 1 FROM payment_fee_reservations v WHERE ${of(sql`v`)} AND v.state = 'reserved')
  AND NOT EXISTS (SELECT 1 FROM card_disputes d WHERE ${of(sql`d`)} AND (d.stage <> 'ended' OR d.opened_at >= ${before}))`;

/** The columns of an order `o`, and the columns that `ClosedOrder` adds. */
const columns = sql`${orderColumns}, ${confirmed} AS confirmed,
    encode(${orderDigest(sql`o`, confirmed)}, 'hex') AS order_digest,
    ARRAY(SELECT q.method_id FROM payment_quotes q
      WHERE q.merchant_id = o.merchant_id AND q.order_no = o.order_no AND q.payment_no <> o.payment_no
        AND NOT EXISTS (SELECT 1 FROM payment_attempts a
          WHERE a.merchant_id = q.merchant_id AND a.order_no = q.order_no AND a.method_id = q.method_id)
      ORDER BY q.method_id) AS method_ids`;

/** The next closed orders of a merchant, in the order of their numbers. */
export function selectClosedOrders(
  db: Queryable,
  merchant_id: string,
  before: Date,
  { after, limit }: { after: string; limit: number },
): Promise<ClosedOrder[]> {
  return db.query<ClosedOrder & Row>(
    sql`SELECT ${columns} FROM collection_orders o WHERE o.merchant_id = ${merchant_id} AND o.order_no > ${after} AND ${isClosed(before)}
      ORDER BY o.order_no LIMIT ${limit}`,
  );
}

/** Locks orders against every change of their status. */
export async function lockOrders(tx: Tx, merchant_id: string, order_nos: readonly string[]): Promise<void> {
  await tx.query(
    sql`SELECT 1 AS locked FROM collection_orders
      WHERE merchant_id = ${merchant_id} AND order_no = ANY(${[...order_nos]}::text[]) ORDER BY order_no FOR UPDATE`,
  );
}

/** Finds which of these orders are still closed. */
export function selectClosedAmong(
  tx: Tx,
  merchant_id: string,
  before: Date,
  order_nos: readonly string[],
): Promise<ClosedOrder[]> {
  return tx.query<ClosedOrder & Row>(
    sql`SELECT ${columns} FROM collection_orders o WHERE o.merchant_id = ${merchant_id} AND o.order_no = ANY(${[...order_nos]}::text[])
      AND ${isClosed(before)} ORDER BY o.order_no`,
  );
}
