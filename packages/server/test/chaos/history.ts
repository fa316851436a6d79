/**
 * The records of one run by an observer outside the service: the answers to its HTTP requests, the notifications that
 * it received, and at the end every order and wallet as the APIs show them. Times are milliseconds of one clock.
 */

/** An order as an answer or a notification shows it. */
export interface Seen {
  status: string;
  status_version: number;
  /** The id of the payment; null where the order is not paid. */
  event_id: string | null;
}

/** `open` opens the checkout. */
export type CallKind = 'create' | 'read' | 'open' | 'pay' | 'refund';

/** One request and its answer. */
export interface Call {
  kind: CallKind;
  client: string;
  /** When it was sent, and when its answer was complete or given up. */
  from_ms: number;
  to_ms: number;
  /** The HTTP status; 0: no answer. */
  status: number;
  /** The error code of the answer; empty if there is none. */
  error: string;
  /** Empty where a creation was not answered. */
  order_no: string;
  /** The idempotency key of the order. */
  key: string;
  /** The order as the answer shows it. */
  order?: Seen;
  /** How a payment was to be paid. */
  method?: 'ptk' | 'card';
  /** The status of a refund in its answer. */
  refund?: string;
}

/** The buyer has paid at the card provider, which is outside the service. */
export interface ProviderPayment {
  order_no: string;
  from_ms: number;
}

/** A notification as it arrived. */
export interface Receipt {
  at_ms: number;
  /** Empty if the signature is right; otherwise its error. */
  invalid: string;
  notification_id: string;
  order_no: string;
  /** Tells bodies apart. */
  digest: string;
  order: Seen;
}

/** An order at the end. Amounts are in the smallest unit of PTK. */
export interface FinalOrder {
  order_no: string;
  key: string;
  order: Seen;
  /** Whose wallet paid; null for a card or no payment. */
  buyer: string | null;
  /** Debited from that wallet. */
  charged: bigint;
  /** Credited to the merchant once the order is paid. */
  settled: bigint;
  /** The amount that a full return takes from the merchant; zero if nothing was returned. */
  returned: bigint;
  /** Unfinished items, in words: an attempt, a refund, a notification. */
  open: string[];
}

export interface FinalWallet {
  name: string;
  owner: 'buyer' | 'merchant';
  before: bigint;
  after: bigint;
}

export interface History {
  calls: Call[];
  provider_payments: ProviderPayment[];
  receipts: Receipt[];
  orders: FinalOrder[];
  wallets: FinalWallet[];
}

export const emptyHistory = (): History => ({
  calls: [],
  provider_payments: [],
  receipts: [],
  orders: [],
  wallets: [],
});
