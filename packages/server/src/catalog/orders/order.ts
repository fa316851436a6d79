import { InvariantError } from '../../base/errors.ts';

/**
 * Where a catalog order stands. `review`: its deadline is over while a payment is unresolved. Each but `cancelled` has
 * its stock taken (D-178).
 */
export type CatalogState = 'pending' | 'review' | 'paid' | 'completed' | 'cancelled';

/** A catalog order as stored. Amounts in minor units; `*_ptk` in PTK at 8-decimal fixed point. */
export interface CatalogOrder {
  merchant_id: string;
  order_no: string;
  /** Who buys. */
  user_id: string;
  /** The program that ordered in their name. */
  client_id: string;
  gd_no: string;
  title: string;
  quantity: number;
  /** What the product asks its buyers for, by key (D-184). */
  other_ipu: Record<string, string>;
  currency: string;
  currency_decimals: number;
  /** Quantity times price; what the wholesale price saves of it; the buyer's fee, in the same currency (D-181). */
  total_amount: bigint;
  discount_amount: bigint;
  handling_amount: bigint;
  /** The channels that the product allowed; empty where it allowed all. */
  payment_methods: string[];
  /** The one channel that the order is paid through, and its quote. */
  payment_no: string;
  payment_name: string;
  method_id: string;
  test_mode: boolean;
  payment_currency: string;
  payment_decimals: number;
  payment_subtotal: bigint;
  buyer_fee: bigint;
  merchant_fee_ptk: bigint;
  /** Null where the channel is the merchant's own. */
  settlement_ptk: bigint | null;
  price_e12: bigint;
  gross_settlement_ptk: bigint;
  hold_days: number;
  state: CatalogState;
  state_version: number;
  /** Where what was paid has gone since; null while it stands. */
  reversed: 'refunded' | 'chargeback' | null;
  created_at: Date;
  updated_at: Date;
  expires_at: Date;
  provider_trade_no: string | null;
  paid_at: Date | null;
  /** When a worker is to hand out codes for it. */
  fulfil_at: Date | null;
  completed_at: Date | null;
  delivery_note_box: Buffer | null;
}

/** What can happen to a catalog order. */
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

/** Where each event leads from each state; what is not here cannot happen (D-177, docs/states.md). */
const transitions: Record<CatalogState, Partial<Record<CatalogEvent, CatalogState>>> = {
  pending: { deadline: 'cancelled', deadline_with_attempt: 'review', paid: 'paid' },
  review: { paid: 'paid', unpaid: 'cancelled' },
  paid: { fulfilled: 'completed', refunded: 'cancelled', charged_back: 'cancelled' },
  // What was delivered stays delivered.
  completed: { refunded: 'completed', charged_back: 'completed' },
  cancelled: { paid: 'paid' },
};

const reversals: Partial<Record<CatalogEvent, CatalogOrder['reversed']>> = {
  refunded: 'refunded',
  charged_back: 'chargeback',
};

/** The state that follows, or null where the event changes nothing: an order whose payment went back is over. */
export function transition(
  { state, reversed }: Pick<CatalogOrder, 'state' | 'reversed'>,
  event: CatalogEvent,
): CatalogState | null {
  return reversed === null ? (transitions[state][event] ?? null) : null;
}

/** An order after what happened to it; its version rises by one. */
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
    // Whoever is paid is looked at at once for codes to hand out.
    fulfil_at: event === 'paid' ? now : null,
    completed_at: event === 'fulfilled' ? now : order.completed_at,
  };
}

/** The event of the deadline, or null where it is not due. */
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

/** What `status` means, for people. */
export const statusLabel = (order: Pick<CatalogOrder, 'state'>): string => labels[statusOf(order)];

/** The payment's own status: 0 pending, 1 paid, 2 cancelled (R-364, D-177). */
export const paymentStatusOf = (order: Pick<CatalogOrder, 'state'>): 0 | 1 | 2 => {
  const status = statusOf(order);
  return status === 3 ? 1 : status;
};

/** Whether a payment may begin or go on: the engine itself looks again under the lock. */
export const isPayable = ({ state }: Pick<CatalogOrder, 'state'>): boolean => state === 'pending';

/** What the invoice comes to before any fee, in minor units of the product's currency. */
export const invoiceMinor = (order: Pick<CatalogOrder, 'total_amount' | 'discount_amount'>): bigint =>
  order.total_amount - order.discount_amount;

/** How many words a provider's page has room for: the title, and how many. */
export const lineOf = ({ title, quantity }: Pick<CatalogOrder, 'title' | 'quantity'>): string =>
  quantity === 1 ? title : `${quantity} × ${title}`;

/** The page of an order for its buyer, below the public address. */
export const orderPath = (order_no: string): string => `/orders/${order_no}`;

/** The numbers of catalog orders begin with this, and no others do. */
export const orderPrefix = 'co_';

export const isCatalogOrderNo = (order_no: string): boolean => order_no.startsWith(orderPrefix);
