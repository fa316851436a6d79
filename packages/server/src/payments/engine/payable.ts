import type { Tx, Write } from '../../base/pg/index.ts';
import type { Quote } from '../quotes/index.ts';

/**
 * What can be paid: a collection order or a catalog order, as the payment engine sees it. The engine knows how
 * money moves; the kind of order knows its own states and tells the engine what to write with them.
 */
export interface Payable {
  merchant_id: string;
  order_no: string;
  /** `open` may be paid; `review` and `expired` only by what was already under way; `settled` is over. */
  phase: 'open' | 'review' | 'expired' | 'settled';
  /** Where what was paid has gone since; null while it stands. */
  reversed: 'refunded' | 'chargeback' | null;
  /** The payment that settled it, as its channel names it; null until then. */
  provider_trade_no: string | null;
  expires_at: Date;
  /** The locked price of 1 PTK in the invoice currency, times 10^12. */
  price_e12: bigint;
  gross_settlement_ptk: bigint;
  hold_days: number;
  /** What the buyer reads on the provider's page. */
  title: string;
  /** Where that page sends the buyer back to: a path below the public address. */
  landing: string;
}

/** A payment that was verified at its source. */
export interface Confirmation {
  quote: Quote;
  provider_trade_no: string;
  occurred_at: Date;
  /** The instant as the channel wrote it (D-052). */
  occurred_at_text: string;
}

/**
 * What a kind of order contributes. Every function but `lock` and `fulfillable` is pure and answers with guarded
 * writes, which the engine puts into one statement with its own.
 */
export interface PayableKind<P extends Payable = Payable> {
  /** Locks the order's row; null where there is none. */
  lock(tx: Tx, merchant_id: string, order_no: string): Promise<P | null>;
  /** The move at the deadline, where it is due: to `expired`, or to `review` where an attempt counts (T2, T3). */
  moveAtDeadline(order: P, attemptCounts: boolean, now: Date): Write[] | null;
  /**
   * Whether an expired order can still be fulfilled, now that a payment of it was verified late: false where it has
   * given up what it needs, and that is gone. Locks what it finds, so that `paid` can take it.
   */
  canFulfil(tx: Tx, order: P): Promise<boolean>;
  /** The move to paid (T4, T5, T6, T9). */
  markPaid(order: P, confirmation: Confirmation, now: Date): Write[];
  /** The move from review to expired, once the channel has confirmed that nothing was paid (T7, T8). */
  markExpired(order: P, now: Date): Write[];
  /** The move from paid to refunded: the buyer has all of it back (T10). */
  markRefunded(order: P, now: Date): Write[];
  /** The move from paid to chargeback: all of it is finally lost (T11). */
  markChargedBack(order: P, now: Date): Write[];
  /** A method was confirmed: its channel and quote show on the order (D-043). */
  bindMethod(order: P, quote: Quote): Write[];
  /** The channel refused the first creation: nothing is chosen any more (D-044). */
  unbindMethod(order: P): Write[];
}

/** The kind of an order, by its number. */
export type KindOf = (order_no: string) => PayableKind;
