import type { Queryable, Tx, Write } from '../../base/pg/index.ts';
import type { OrderRecovery } from '../../channels/card/index.ts';
import type { Quote } from '../quotes/index.ts';

/**
 * An order of any kind, as the payment engine sees it. The engine moves the money, so catalog sales are settled, held and
 * refunded like collections (D-189). The kind of order knows its own states and gives the engine the writes that change them.
 */
export interface Payable {
  merchant_id: string;
  order_no: string;
  /** `open` can be paid. `review` and `expired` can be paid only by an attempt that exists. `settled` was paid. */
  phase: 'open' | 'review' | 'expired' | 'settled';
  /** How the payment was taken back; null while it stands. */
  reversed: 'refunded' | 'chargeback' | null;
  /** The channel's number of the payment that settled it; null until then. */
  provider_trade_no: string | null;
  expires_at: Date;
  /** The locked price of 1 PTK in the invoice currency, times 10^12. */
  price_e12: bigint;
  gross_settlement_ptk: bigint;
  hold_days: number;
  /** The person who ordered; null if anyone may pay. */
  buyer_user_id: string | null;
  /** The person whose wallet gets the proceeds (P21); null if they are the merchant's. */
  wallet_user_id: string | null;
  /** What the provider keeps of the order for a restored database; null if it keeps nothing. */
  recovery: OrderRecovery | null;
  /** Shown on the provider's page. */
  title: string;
  /** Path below the public address, to which the provider's page sends the buyer back. */
  landing: string;
  /** Where the provider sends a buyer who cancels there. */
  canceled_landing: string;
}

/** A payment that was verified at the provider. */
export interface Confirmation {
  quote: Quote;
  provider_trade_no: string;
  occurred_at: Date;
  /** The time as the channel wrote it (D-052). */
  occurred_at_text: string;
}

/**
 * The functions of one kind of order. All but `lock`, `lockAll`, `findMerchant` and `canFulfil` are pure and return guarded
 * writes, which the engine puts into one statement with its own writes.
 */
export interface PayableKind<P extends Payable = Payable> {
  /** Locks the order's row; null if there is none. */
  lock(tx: Tx, merchant_id: string, order_no: string): Promise<P | null>;
  /** Locks the rows of several orders of one merchant, in the order of their numbers. */
  lockAll(tx: Tx, merchant_id: string, order_nos: readonly string[]): Promise<void>;
  /** The merchant of an order that only its number names; null if there is none. For administrators and workers. */
  findMerchant(db: Queryable, order_no: string): Promise<string | null>;
  /** At the deadline: to `expired`, or to `review` if an attempt counts (T2, T3). Null if no move is due. */
  moveAtDeadline(order: P, attemptCounts: boolean, now: Date): Write[] | null;
  /**
   * Whether an expired order can still be fulfilled after a late payment: false if it released its stock and the
   * stock is gone (D-177). Locks the stock that it finds, so that `markPaid` can take it.
   */
  canFulfil(tx: Tx, order: P): Promise<boolean>;
  /** To paid (T4, T5, T6, T9). */
  markPaid(order: P, confirmation: Confirmation, now: Date): Write[];
  /** From review to expired, once the channel has confirmed that nothing was paid (T7, T8). */
  markExpired(order: P, now: Date): Write[];
  /** From paid to refunded: the buyer has the whole payment back (T10, R-191). */
  markRefunded(order: P, now: Date): Write[];
  /** From paid to chargeback: the whole payment is lost (T11, R-191). */
  markChargedBack(order: P, now: Date): Write[];
  /** The buyer has confirmed a method: shows its channel and quote on the order (R-126, D-043). */
  bindMethod(order: P, quote: Quote): Write[];
  /** The channel refused the first request: removes the method from the order (D-044). */
  unbindMethod(order: P): Write[];
}

/** Finds the kind of an order by its number. */
export type KindOf = (order_no: string) => PayableKind;
