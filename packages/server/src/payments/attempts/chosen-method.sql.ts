/** Reads one payment method of an order, with the current settings of its channel and its merchant. */
import { type Queryable, sql } from '../../base/pg/index.ts';
import { type Channel, rulesFrom } from '../../channels/index.ts';
import type { Merchant } from '../../merchants/index.ts';
import type { Quote, QuoteRow } from '../quotes/index.ts';

export interface Method {
  quote: Quote;
  /** Whether the order has an attempt, by any method; rejected attempts included. */
  tried: boolean;
  channel: MethodChannel;
  merchant: MethodMerchant;
}

/** `enabled` is true only if the channel is also set up. */
export type MethodChannel = Pick<
  Channel,
  'payment_no' | 'provider' | 'enabled' | 'login_required' | 'test_mode' | 'debug_merchants' | 'debug_users'
>;

export type MethodMerchant = Pick<Merchant, 'merchant_id' | 'status' | 'guest_purchase_allowed'> & {
  /** The people who own the merchant: its holder, and every member with the role `owner` (D-085). */
  owners: readonly string[];
};

type MethodRow = QuoteRow &
  Pick<Channel, 'enabled' | 'login_required' | 'debug_merchants' | 'debug_users'> &
  Pick<Merchant, 'guest_purchase_allowed' | 'owner_user_id'> & {
    tried: boolean;
    channel_test_mode: boolean;
    merchant_status: Merchant['status'];
    further_owners: string[];
  };

/** Null if the order has no such method: the id of another order opens nothing (R-211, D-120). */
export async function selectMethod(
  db: Queryable,
  merchant_id: string,
  order_no: string,
  method_id: string,
): Promise<Method | null> {
  const [row] = await db.query<MethodRow>(
    sql`SELECT q.method_id, q.payment_no, q.provider, q.owner, q.test_mode, q.currency, q.currency_decimals,
        q.subtotal, q.buyer_fee, q.merchant_fee, q.merchant_fee_ptk, q.fee_rules,
        c.enabled AND (c.provider = 'ptk' OR (c.secret_key_box IS NOT NULL AND c.webhook_secret_box IS NOT NULL))
          AS enabled, c.login_required, c.test_mode AS channel_test_mode, c.debug_merchants, c.debug_users,
        m.status AS merchant_status, m.guest_purchase_allowed, m.owner_user_id,
        ARRAY(SELECT user_id FROM merchant_members WHERE merchant_id = ${merchant_id} AND role = 'owner')
          AS further_owners,
        EXISTS (SELECT 1 FROM payment_attempts WHERE merchant_id = ${merchant_id} AND order_no = ${order_no})
          AS tried
      FROM payment_quotes q JOIN channels c ON c.payment_no = q.payment_no
        JOIN merchants m ON m.merchant_id = q.merchant_id
      WHERE q.merchant_id = ${merchant_id} AND q.order_no = ${order_no} AND q.method_id = ${method_id}`,
  );
  if (row === undefined) return null;
  const {
    tried,
    enabled,
    login_required,
    channel_test_mode: test_mode,
    debug_merchants,
    debug_users,
    merchant_status: status,
    guest_purchase_allowed,
    owner_user_id,
    further_owners,
    ...quote
  } = row;
  const { payment_no, provider } = quote;
  return {
    quote: { ...quote, fee_rules: rulesFrom(quote.fee_rules) },
    tried,
    channel: { payment_no, provider, enabled, login_required, test_mode, debug_merchants, debug_users },
    merchant: { merchant_id, status, guest_purchase_allowed, owners: [owner_user_id, ...further_owners] },
  };
}
