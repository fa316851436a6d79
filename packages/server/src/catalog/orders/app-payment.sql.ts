/** The orders that apps have paid from people's balances (table `app_payments`). */
import { type Queryable, type Row, sql, type Tx } from '../../base/pg/index.ts';

/** An app at work for a person. */
export interface AppOf {
  merchant_id: string;
  user_id: string;
  client_id: string;
}

/** What an app has paid after a time, in smallest units of PTK. A refund does not give back a part of a limit. */
export async function sumAppPayments(
  db: Queryable,
  { merchant_id, user_id, client_id }: AppOf,
  after: Date,
): Promise<bigint> {
  const [row] = await db.query<{ spent: bigint } & Row>(
    sql`SELECT coalesce(sum(o.payment_subtotal + o.buyer_fee), 0) AS spent
      FROM app_payments p JOIN catalog_orders o ON o.merchant_id = ${merchant_id} AND o.order_no = p.order_no
      WHERE p.merchant_id = ${merchant_id} AND p.user_id = ${user_id} AND p.client_id = ${client_id}
        AND p.paid_at > ${after}`,
  );
  return row?.spent ?? 0n;
}

export async function insertAppPayment(
  tx: Tx,
  { merchant_id, user_id, client_id }: AppOf,
  order_no: string,
  now: Date,
): Promise<void> {
  await tx.query(
    sql`INSERT INTO app_payments (merchant_id, user_id, client_id, order_no, paid_at)
      VALUES (${merchant_id}, ${user_id}, ${client_id}, ${order_no}, ${now})`,
  );
}
