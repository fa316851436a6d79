/**
 * The merchant-facing shapes, in the contract's own names. Amounts are decimal strings; `amount_minor` never
 * exceeds 2^53 − 1, so the number is exact. Members that a newer service adds pass through untouched.
 */

/** The six known statuses. A status of a later version is kept as it came and is never treated as paid. */
export type CollectionStatus =
  'pending' | 'paid' | 'review' | 'expired' | 'refunded' | 'chargeback' | (string & {});

/** What the answer to a creation carries. */
export interface CreatedOrder {
  order_no: string;
  external_reference: string;
  /** `''` until a channel is selected. */
  payment_no: string;
  /** The invoice, at the precision of its currency. Compare with `sameAmount`, together with `currency`. */
  amount: string;
  amount_minor: number;
  currency: string;
  currency_decimals: number;
  status: CollectionStatus;
  test_mode: boolean;
  /** For the buyer's browser. Its query holds a token: never log it. It proves no payment. */
  checkout_url: string;
  return_url?: string;
  /** RFC 3339. */
  expires_at: string;
}

/** A collection order as read and list return it. */
export interface CollectionOrder extends CreatedOrder {
  /** Rises with each status change of this one order; means nothing across orders. */
  status_version: number;
  /** The confirmed payment, once there is one: post once per `event_id`. */
  event_id?: string;
  provider_trade_no?: string;
  /** When the payment was confirmed, in the time zone in which the channel supplied it. */
  occurred_at: string | null;
  fee_status: 'unselected' | 'quoted' | 'legacy' | (string & {});
  fee_version: number;
  payment_amount?: string;
  payment_currency?: string;
  buyer_fee?: string;
  merchant_fee?: string;
  /** `*_ptk` members are 8-decimal fixed-point integers as text; `BigInt` reads them exactly. */
  settlement_ptk?: string;
  merchant_fee_ptk: string;
  gross_settlement_ptk: string;
}

/** The invoice: a decimal string, or minor units for older integrations; never both. */
export type InvoiceAmount =
  { amount: string; amount_minor?: never } | { amount?: never; amount_minor: number };

/** What a merchant sends to create an order. */
export type CreateOrderInput = InvoiceAmount & {
  external_reference: string;
  /** Yours, stored with your own order before the call, so that every retry repeats it. */
  idempotency_key: string;
  currency: string;
  payment_no?: string | null;
  description?: string | null;
  /** 60 to 7200 seconds. */
  expires_in?: number | null;
  notify_enabled?: boolean | null;
  notify_url?: string | null;
  notify_secret?: string | null;
  return_url?: string | null;
};

/** At least one of the two filters; with both, both must match. */
export type OrderFilter = { limit?: number } & (
  { external_reference: string; order_no?: string } | { external_reference?: string; order_no: string }
);

/** One entry of the channel directory. */
export interface PaymentChannel {
  payment_no: string;
  name: string;
  provider: 'cardprov' | 'ptk' | (string & {});
  owner: 'platform' | 'merchant' | (string & {});
  currency: string;
  login_required: boolean;
  test_mode: boolean;
}

/** The order as it stood when the notification was generated. */
export interface NotificationData {
  order_no: string;
  external_reference: string;
  payment_no: string;
  amount: string;
  amount_minor: number;
  currency: string;
  currency_decimals: number;
  status: CollectionStatus;
  status_version: number;
  test_mode: boolean;
  expires_at: string;
  event_id?: string;
  provider_trade_no?: string;
  occurred_at?: string | null;
}

/** The envelope that is posted to the merchant. `id` names the notification, `data.event_id` the payment. */
export interface Notification {
  id: string;
  type: 'merchant_payment.status_changed';
  api_version: 1;
  created_at: string;
  data: NotificationData;
}

/** One try at delivering a notification. Without `finished_at` it was interrupted or is under way. */
export interface DeliveryAttempt {
  finished_at?: string;
  [member: string]: unknown;
}

/** What became of one notification. */
export interface DeliveryRecord {
  event_id: string;
  status_version: number;
  event: unknown;
  delivery_status: 'pending' | 'delivered' | 'failed' | (string & {});
  attempts: number;
  next_attempt_at: string | null;
  last_http_status: number | null;
  last_error: string | null;
  delivery_attempts: DeliveryAttempt[];
}
