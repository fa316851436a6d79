/**
 * The types of requests and answers, with the names of the API. Amounts are decimal strings. `amount_minor`
 * never exceeds 2^53 − 1, so the number is exact. Members that a newer service adds are passed through
 * unchanged.
 */

/** The six known statuses. A status of a later version is passed through and never counts as paid. */
export type CollectionStatus =
  | 'pending'
  | 'paid'
  | 'review'
  | 'expired'
  | 'refunded'
  | 'chargeback'
  | (string & {});

/** The answer to a creation. */
export interface CreatedOrder {
  order_no: string;
  external_reference: string;
  /** `''` until a channel is selected. */
  payment_no: string;
  /**
   * The invoice amount with the decimals of its currency. Compare it with `sameAmount`, together with
   * `currency`.
   */
  amount: string;
  amount_minor: number;
  currency: string;
  currency_decimals: number;
  status: CollectionStatus;
  test_mode: boolean;
  /**
   * The address for the buyer’s browser. Its query contains a token, so never log it. It is not proof of
   * payment.
   */
  checkout_url: string;
  return_url?: string;
  /** RFC 3339. */
  expires_at: string;
}

/** A collection order as read and list return it. */
export interface CollectionOrder extends CreatedOrder {
  /** Increases with each status change of this order. Do not compare it between orders. */
  status_version: number;
  /** The confirmed payment, if there is one. Post once per `event_id`. */
  event_id?: string;
  provider_trade_no?: string;
  /** Time when the payment was confirmed, in the channel’s time zone. */
  occurred_at: string | null;
  fee_status: 'unselected' | 'quoted' | 'legacy' | (string & {});
  fee_version: number;
  payment_amount?: string;
  payment_currency?: string;
  buyer_fee?: string;
  merchant_fee?: string;
  /** `*_ptk` members are whole numbers of the eighth decimal, as strings. `BigInt` reads them exactly. */
  settlement_ptk?: string;
  merchant_fee_ptk: string;
  gross_settlement_ptk: string;
}

/** The invoice amount: a decimal string, or minor units for older integrations, but not both. */
export type InvoiceAmount =
  | { amount: string; amount_minor?: never }
  | { amount?: never; amount_minor: number };

/** The request that creates an order. */
export type CreateOrderInput = InvoiceAmount & {
  external_reference: string;
  /** Your key. Store it with your own order before the call, so that every retry uses the same key. */
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

/** At least one of the two filters. With both, both must match. */
export type OrderFilter = { limit?: number } & (
  | { external_reference: string; order_no?: string }
  | { external_reference?: string; order_no: string }
);

/** Orders by the time of their creation. */
export interface OrderRange {
  /** RFC 3339, inclusive. Default: all. */
  created_from?: string | Date;
  /** RFC 3339, exclusive. */
  created_to?: string | Date;
  /** Orders on a page: 1 to 100, default 100. */
  limit?: number;
}

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

/** The order at the time when the notification was generated. */
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

/** The body of a notification. `id` identifies the notification, `data.event_id` the payment. */
export interface Notification {
  id: string;
  type: 'merchant_payment.status_changed';
  api_version: 1;
  created_at: string;
  data: NotificationData;
}

/** One attempt to deliver a notification. Without `finished_at`, it was interrupted or still runs. */
export interface DeliveryAttempt {
  finished_at?: string;
  [member: string]: unknown;
}

/** A notification and its delivery. */
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
