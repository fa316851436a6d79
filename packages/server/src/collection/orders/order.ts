/** What a collection order is. */
import { timeOfUlid } from '../../base/ids.ts';

/**
 * The six states of a collection order. Only a verified and booked payment leads to `paid`
 * . Data of a newer version may hold others; they are kept unchanged.
 */
export type OrderStatus = 'pending' | 'paid' | 'review' | 'expired' | 'refunded' | 'chargeback';

export type NotifyMode = 'unspecified' | 'disabled' | 'default' | 'explicit';

/**
 * A collection order as stored. Amounts in minor units; `*_ptk` in PTK at 8-decimal fixed point. The precision of its
 * currency, its price in PTK and its deadline are its own, whatever changes later.
 */
export interface CollectionOrder {
  merchant_id: string;
  order_no: string;
  idempotency_key: string;
  external_reference: string;
  description: string;
  /** The channel that the merchant requested; empty if the buyer chooses. */
  requested_payment_no: string;
  amount_minor: bigint;
  currency: string;
  currency_decimals: number;
  created_at: Date;
  expires_in: number;
  expires_at: Date;
  return_url: string;
  notify_mode: NotifyMode;
  /** The address and sealed secret for this order's notifications; empty if none are sent. */
  notify_url: string;
  notify_secret_box: Buffer | null;
  /** Keyed digest of an explicit secret, compared on a retry (D-027). */
  notify_secret_digest: Buffer | null;
  /** The key from which the checkout token is derived (D-116). */
  token_key_id: string;
  status: OrderStatus;
  /** From 1 (D-046); 0 only on historical orders (R-031, D-049). */
  status_version: number;
  price_e12: bigint;
  gross_settlement_ptk: bigint;
  hold_days: number;
  fee_status: 'unselected' | 'quoted' | 'legacy';
  /** 1; 0 only on historical orders (R-043, D-048). */
  fee_version: number;
  payment_no: string;
  test_mode: boolean;
  payment_currency: string | null;
  payment_decimals: number | null;
  payment_amount: bigint | null;
  buyer_fee: bigint | null;
  merchant_fee: bigint | null;
  merchant_fee_ptk: bigint;
  settlement_ptk: bigint | null;
  event_id: string | null;
  provider_trade_no: string | null;
  occurred_at: Date | null;
  occurred_at_text: string | null;
  /** The person whose wallet gets the proceeds: the order is a top-up. Null for every other order. */
  wallet_user_id: string | null;
}

/**
 * Returns when the service confirmed the payment, by its own clock: the event of the payment was made then. Null if
 * nothing was paid, or if an older service made the event (D-280), which can be another Paydesk (D-1282).
 */
export const confirmedAt = ({
  event_id,
  fee_status,
}: Pick<CollectionOrder, 'event_id' | 'fee_status'>): Date | null =>
  event_id?.startsWith('pe_') === true && fee_status !== 'legacy' ? timeOfUlid(event_id.slice(3)) : null;
