/** Reads the confirmed payments of a person, at all merchants. */
import { type Queryable, type Row, sql } from '../../base/pg/index.ts';
import type { Attempt } from './attempt.ts';

export type BuyerPaymentRow = Pick<
  Attempt,
  | 'merchant_id'
  | 'attempt_id'
  | 'order_no'
  | 'amount'
  | 'currency'
  | 'currency_decimals'
  | 'test_mode'
  | 'provider'
> & { paid_at: Date };

/** Newest first. `after` is the last payment of the page before; null for the first page. */
export function selectPaymentsOf(
  db: Queryable,
  user_id: string,
  after: Pick<BuyerPaymentRow, 'paid_at' | 'attempt_id'> | null,
  limit: number,
): Promise<BuyerPaymentRow[]> {
  const behind =
    after === null ? sql`` : sql`AND (paid_at, attempt_id) < (${after.paid_at}, ${after.attempt_id})`;
  return db.query<BuyerPaymentRow & Row>(
    sql`SELECT merchant_id, attempt_id, order_no, amount, currency, currency_decimals, test_mode, provider, paid_at
      FROM payment_attempts WHERE buyer_user_id = ${user_id} AND paid_at IS NOT NULL ${behind}
      ORDER BY paid_at DESC, attempt_id DESC LIMIT ${limit}`,
  );
}
