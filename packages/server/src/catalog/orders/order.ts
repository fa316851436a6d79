/** The states of a catalog order and the moves between them, without any effect. */
import { InvariantError } from '../../base/errors.ts';

/**
 * The states of a catalog order. `review`: the deadline has passed, a payment is unresolved. An order holds its stock
 * in every state except `cancelled` (D-178).
 */
export type CatalogState = 'pending' | 'review' | 'paid' | 'completed' | 'cancelled';

/** A catalog order as stored. Amounts in minor units; `*_ptk` in PTK at 8-decimal fixed point. */
export interface CatalogOrder {
  merchant_id: string;
  order_no: string;
  /** The buyer. */
  user_id: string;
  /** The client that ordered for the buyer. */
  client_id: string;
  gd_no: string;
  title: string;
  quantity: number;
  /** The buyer's inputs by key (D-184). */
  other_ipu: Record<string, string>;
  currency: string;
  currency_decimals: number;
  /** Quantity times price, the wholesale discount, and the buyer's fee, all in `currency` (D-181). */
  total_amount: bigint;
  discount_amount: bigint;
  handling_amount: bigint;
  /** The channels that the product allowed; empty if it allowed all. */
  payment_methods: string[];
  /** The channel of the order, and its quote. */
  payment_no: string;
  payment_name: string;
  method_id: string;
  test_mode: boolean;
  payment_currency: string;
  payment_decimals: number;
  payment_subtotal: bigint;
  buyer_fee: bigint;
  merchant_fee_ptk: bigint;
  /** Null if the channel is the merchant's own. */
  settlement_ptk: bigint | null;
  price_e12: bigint;
  gross_settlement_ptk: bigint;
  hold_days: number;
  state: CatalogState;
  state_version: number;
  /** How the payment was reversed; null if it was not. */
  reversed: 'refunded' | 'chargeback' | null;
  created_at: Date;
  updated_at: Date;
  expires_at: Date;
  provider_trade_no: string | null;
  paid_at: Date | null;
  /** When a worker next tries to assign codes; null if no try is due. */
  fulfil_at: Date | null;
  completed_at: Date | null;
  delivery_note_box: Buffer | null;
  /** Whether a restore had lost the order. Its buyer may have the goods already, so only a person delivers it (D-311). */
  made_again: boolean;
}

/** The events that change a catalog order. */
export type CatalogEvent =
  /** The deadline has passed and no channel attempt counts. */
  | 'deadline'
  /** The deadline has passed while a channel attempt counts. */
  | 'deadline_with_attempt'
  | 'paid'
  /** The channel has confirmed that nothing was paid. */
  | 'unpaid'
  | 'fulfilled'
  | 'refunded'
  | 'charged_back';

/** The next state for each state and event. All other moves are forbidden (D-177, docs/states.md). */
const transitions: Record<CatalogState, Partial<Record<CatalogEvent, CatalogState>>> = {
  pending: { deadline: 'cancelled', deadline_with_attempt: 'review', paid: 'paid' },
  review: { paid: 'paid', unpaid: 'cancelled' },
  paid: { fulfilled: 'completed', refunded: 'cancelled', charged_back: 'cancelled' },
  // A delivered order stays completed when its payment is reversed.
  completed: { refunded: 'completed', charged_back: 'completed' },
  cancelled: { paid: 'paid' },
};

const reversals: Partial<Record<CatalogEvent, CatalogOrder['reversed']>> = {
  refunded: 'refunded',
  charged_back: 'chargeback',
};

/** Returns the next state, or null if the event is not allowed. No event is allowed after a reversal. */
export function transition(
  { state, reversed }: Pick<CatalogOrder, 'state' | 'reversed'>,
  event: CatalogEvent,
): CatalogState | null {
  return reversed === null ? (transitions[state][event] ?? null) : null;
}

/** Returns the order after an event. Its version rises by one. */
export function moved(order: CatalogOrder, event: CatalogEvent, now: Date): CatalogOrder {
  const state = transition(order, event);
  if (state === null) {
    throw new InvariantError(
      `${event} does not move a catalog order from ${order.reversed ?? ''} ${order.state}`,
    );
  }
  return {
    ...order,
    state,
    state_version: order.state_version + 1,
    reversed: reversals[event] ?? null,
    updated_at: now,
    // A paid order is due for codes at once.
    fulfil_at: event === 'paid' && !order.made_again ? now : null,
    completed_at: event === 'fulfilled' ? now : order.completed_at,
  };
}

/** Returns the event of the deadline, or null if it is not due. */
export function deadlineEvent(
  order: Pick<CatalogOrder, 'state' | 'expires_at'>,
  attemptCounts: boolean,
  now: Date,
): CatalogEvent | null {
  if (order.state !== 'pending' || now < order.expires_at) return null;
  return attemptCounts ? 'deadline_with_attempt' : 'deadline';
}

/** The contract's status: 0 pending payment, 1 paid and in processing, 2 cancelled, 3 completed. */
export const statusOf = ({ state }: Pick<CatalogOrder, 'state'>): 0 | 1 | 2 | 3 => statuses[state];

const statuses = { pending: 0, review: 0, paid: 1, cancelled: 2, completed: 3 } as const;

const labels = ['Pending payment', 'Paid, in processing', 'Cancelled', 'Completed'] as const;

/** The English label of `status`. */
export const statusLabel = (order: Pick<CatalogOrder, 'state'>): string => labels[statusOf(order)];

/** The payment's own status: 0 pending, 1 paid, 2 cancelled (R-364, D-177). */
export const paymentStatusOf = (order: Pick<CatalogOrder, 'state'>): 0 | 1 | 2 => {
  const status = statusOf(order);
  return status === 3 ? 1 : status;
};

/** Whether a payment may start or continue. The engine checks again under the lock. */
export const isPayable = ({ state }: Pick<CatalogOrder, 'state'>): boolean => state === 'pending';

/** The invoiced amount before any fee, in minor units of the product's currency. */
export const invoiceMinor = (order: Pick<CatalogOrder, 'total_amount' | 'discount_amount'>): bigint =>
  order.total_amount - order.discount_amount;

/** The line on the provider's page: the title, with the quantity if it is more than one. */
export const lineOf = ({ title, quantity }: Pick<CatalogOrder, 'title' | 'quantity'>): string =>
  quantity === 1 ? title : `${quantity} × ${title}`;

/** The path of an order's page for its buyer, below the public address. */
export const orderPath = (order_no: string): string => `/orders/${order_no}`;

/** The prefix of the numbers of catalog orders, and of no other orders. */
export const orderPrefix = 'co_';

export const isCatalogOrderNo = (order_no: string): boolean => order_no.startsWith(orderPrefix);
