/** SQL of the idempotency keys whose orders a restore has lost. */
import { type Queryable, sql, type Write } from '../../base/pg/index.ts';

/** What is known of an order that a restore has lost. */
export interface LostOrder {
  order_no: string;
  /** The last status that is known from outside. */
  status: string;
  provider_payment_id: string | null;
  amount_minor: string | null;
  currency: string | null;
  /** Whether the order was made again from what the provider keeps of it. */
  made_again: boolean;
}

/** Marks a key. One that is marked already keeps what is known. */
export const insertLostKey = (
  merchant_id: string,
  idempotency_key: string,
  known: LostOrder,
  now: Date,
): Write => ({
  statement: sql`INSERT INTO lost_order_keys AS l (merchant_id, idempotency_key, known, marked_at)
    VALUES (${merchant_id}::uuid, ${idempotency_key}, ${JSON.stringify(known)}::jsonb, ${now}::timestamptz)
    ON CONFLICT (merchant_id, idempotency_key) DO UPDATE SET known = l.known`,
  rows: 1,
});

/** What is known of the lost order of a key; null if the key is not marked. */
export async function selectLostKey(
  db: Queryable,
  merchant_id: string,
  idempotency_key: string,
): Promise<LostOrder | null> {
  const [row] = await db.query<{ known: LostOrder & Record<string, string | boolean | null> }>(
    sql`SELECT known FROM lost_order_keys
      WHERE merchant_id = ${merchant_id} AND idempotency_key = ${idempotency_key}`,
  );
  return row?.known ?? null;
}

/** Whether a merchant has a key that is marked. */
export async function hasLostKeys(db: Queryable, merchant_id: string): Promise<boolean> {
  const rows = await db.query(
    sql`SELECT 1 AS marked FROM lost_order_keys WHERE merchant_id = ${merchant_id} LIMIT 1`,
  );
  return rows.length > 0;
}
