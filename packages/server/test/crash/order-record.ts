import type { Json } from './ask.ts';
import type { PaymentRecord } from './payment-record.ts';

/**
 * The course of an order: paid from a wallet, paid by card, started by card but not paid, left alone, or left alone
 * with a near deadline.
 */
export const kinds = ['ptk', 'card', 'abandoned', 'untouched', 'fleeting'] as const;
export type Kind = (typeof kinds)[number];

/** What the merchant's server and the buyer know of one order: their requests and the answers. */
export interface OrderRecord extends PaymentRecord {
  kind: Kind;
  /** The creation request, repeated to the letter until it is answered. */
  request: Json & { idempotency_key: string; external_reference: string };
  /** Who pays from a wallet. */
  buyer_user_id: string | null;
  checkout_token: string;
  /** The latest state that a read has shown. Later reads must not show an earlier one. */
  seen: { status: string; status_version: number };
}

/** Where the order has to end, and after how many status changes. */
export function expectedEnd(record: OrderRecord): { status: string; status_version: number } {
  if (record.kind === 'ptk' || record.paid_at_provider) return { status: 'paid', status_version: 2 };
  return record.kind === 'fleeting'
    ? { status: 'expired', status_version: 2 }
    : { status: 'pending', status_version: 1 };
}
