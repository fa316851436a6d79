import type { PaymentRecord } from './payment-record.ts';
import type { Product } from './shelf.ts';

/** The course of a purchase: paid from a wallet, paid by card, started by card but not paid, or left alone. */
export const purchaseKinds = ['ptk', 'card', 'abandoned', 'untouched'] as const;
export type PurchaseKind = (typeof purchaseKinds)[number];

/** What a buyer's program knows of one catalog purchase: its requests and the answers. */
export interface PurchaseRecord extends PaymentRecord {
  kind: PurchaseKind;
  product: Product;
  /**
   * The creation request. It has no key, so each repetition may create an order. The reference identifies it.
   */
  request: { gd_no: string; quantity: number; payment_no: string; other_ipu: { reference: string } };
  buyer_user_id: string;
  /** Creations without an answer. Each may have created an order whose number the buyer does not know. */
  lost_creations: number;
  /** Where it was refused for want of stock: how many there were known to be when it was asked for, at least. */
  refused_of: number | null;
  /** The latest status that a read has shown. */
  seen: number;
  /** The number of its card payment, once it is known. */
  trade_no: string;
  /** The merchant has delivered it by hand. */
  delivered: boolean;
}

/** The contract's status of a catalog order. */
export const cancelled = 2;
const paid = 1;
const completed = 3;

/** Whether a status means that the order is paid. */
export const isPaidStatus = (status: number): boolean => status === paid || status === completed;

/** Where the order that was acknowledged has to end. */
export function expectedStatus({ kind, product, delivered, paid_at_provider }: PurchaseRecord): number {
  if (kind !== 'ptk' && !paid_at_provider) return cancelled;
  return product.delivery === 'code' || delivered ? completed : paid;
}
