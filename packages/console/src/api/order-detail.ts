/** The detail of an order in the one shape that both consoles show. */
import type { OrderDetail as Detail } from './admin.ts';
import type { components } from './schema.d.ts';

/** The order's own members. Those that are optional come only where they apply, or only to administrators. */
export interface OrderMembers {
  order_no: string;
  external_reference: string;
  payment_no?: string;
  amount: string;
  currency: string;
  status: string;
  status_version: number;
  test_mode: boolean;
  expires_at: string;
  created_at: string;
  occurred_at?: string | null;
  event_id?: string;
  provider_trade_no?: string;
  return_url?: string;
  description?: string;
  idempotency_key?: string;
  fee_status: string;
  requested_payment_no?: string;
  payment_currency?: string;
  payment_amount?: string;
  buyer_fee?: string;
  merchant_fee?: string;
  merchant_fee_ptk: string;
  gross_settlement_ptk: string;
  settlement_ptk?: string;
  notify_mode?: string;
  notify_url?: string;
  ptk_price?: string | null;
  hold_days?: number;
}

export interface QuoteMembers {
  method_id: string;
  provider: string;
  owner: string;
  test_mode: boolean;
  /** Whether the order is locked to this quote; only its merchant is told. */
  locked?: boolean;
  payment_no: string;
  currency: string;
  subtotal: string;
  buyer_fee: string;
  payment_amount: string;
  merchant_fee: string;
  merchant_fee_ptk: string;
  merchant_fee_parts: { fixed: string; percent: string; of: string; cap: string | null };
}

export interface AttemptMembers {
  attempt_id: string;
  seq: number;
  state: string;
  payment_no: string;
  provider: string;
  test_mode: boolean;
  amount: string;
  currency: string;
  provider_trade_no: string | null;
  created_at: string;
  paid_at: string | null;
  closed_at: string | null;
}

/** An event of an order, in words. */
export interface Moment {
  title: string;
  /** By the service's clock. */
  at: string;
  about?: string;
  /** By the provider's clock, which can be off. */
  provider_at?: string;
}

/** The parts of an order that both consoles show. */
export interface OrderStory {
  order: OrderMembers;
  quotes: readonly QuoteMembers[];
  attempts: readonly AttemptMembers[];
  hold: Detail['money']['hold'];
  complaints: readonly { status: string }[];
  /** The sum of all movements of this order in the merchant's wallet; only its merchant gets it. */
  result_ptk?: string;
  /** Oldest first. */
  moments: readonly Moment[];
  notifications: readonly components['schemas']['DeliveryRecord'][];
  /** The whole answer, to be copied. */
  raw: unknown;
}
