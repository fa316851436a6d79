import { InvariantError } from '../../base/errors.ts';

/** The six states of a collection order; others may come in data of a newer version and are kept as they are. */
export type OrderStatus = 'pending' | 'paid' | 'review' | 'expired' | 'refunded' | 'chargeback';

export type NotifyMode = 'unspecified' | 'disabled' | 'default' | 'explicit';

/** A collection order as stored. Amounts in minor units; `*_ptk` in PTK at 8-decimal fixed point. */
export interface CollectionOrder {
  merchant_id: string;
  order_no: string;
  idempotency_key: string;
  external_reference: string;
  description: string;
  /** The channel that the merchant asked for; empty where the buyer chooses. */
  requested_payment_no: string;
  amount_minor: bigint;
  currency: string;
  currency_decimals: number;
  created_at: Date;
  expires_in: number;
  expires_at: Date;
  return_url: string;
  notify_mode: NotifyMode;
  /** The address and sealed secret in force for this order; empty where nothing is sent. */
  notify_url: string;
  notify_secret_box: Buffer | null;
  /** Keyed digest of an explicit secret, to compare a retry with (D-027). */
  notify_secret_digest: Buffer | null;
  /** The key that the checkout token derives from (D-116). */
  token_key_id: string;
  status: OrderStatus;
  status_version: number;
  price_e12: bigint;
  gross_settlement_ptk: bigint;
  hold_days: number;
  fee_status: 'unselected' | 'quoted' | 'legacy';
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
}

/** What can happen to an order. */
export type OrderEvent =
  /** The deadline has passed and no channel attempt counts. */
  | 'deadline'
  /** The deadline has passed while a channel attempt counts. */
  | 'deadline_with_attempt'
  | 'paid'
  /** The channel has confirmed that nothing was paid. */
  | 'unpaid'
  | 'refunded'
  | 'charged_back';

/** Where each event leads from each state; what is not here cannot happen (docs/states.md). */
const transitions: Record<OrderStatus, Partial<Record<OrderEvent, OrderStatus>>> = {
  pending: { deadline: 'expired', deadline_with_attempt: 'review', paid: 'paid' },
  review: { paid: 'paid', unpaid: 'expired' },
  expired: { paid: 'paid' },
  paid: { refunded: 'refunded', charged_back: 'chargeback' },
  refunded: {},
  chargeback: {},
};

/** The state that follows, or null where the event changes nothing in this state (R-188, section on forbidden moves). */
export function transition(status: OrderStatus, event: OrderEvent): OrderStatus | null {
  return transitions[status][event] ?? null;
}

/** An order after a change of status: the version rises by exactly one (D-047). */
export function moved(order: CollectionOrder, event: OrderEvent): CollectionOrder {
  const status = transition(order.status, event);
  if (status === null) throw new InvariantError(`${event} does not move an order from ${order.status}`);
  return { ...order, status, status_version: order.status_version + 1 };
}

/** The event of the deadline, or null where it is not due: a comparison of one clock with a fixed end. */
export function deadlineEvent(
  order: Pick<CollectionOrder, 'status' | 'expires_at'>,
  attemptCounts: boolean,
  now: Date,
): OrderEvent | null {
  if (order.status !== 'pending' || now < order.expires_at) return null;
  return attemptCounts ? 'deadline_with_attempt' : 'deadline';
}
