import { canonicalAmount } from './decimal.ts';
import type { CollectionStatus } from './types.ts';

/** What a payment is checked against: the merchant's own business order. */
export interface Expected {
  external_reference: string;
  amount: string;
  currency: string;
}

export type Difference = 'external_reference' | 'amount' | 'currency' | 'test_mode' | 'status' | 'event_id';

/** An order as queried, or the `data` of a verified notification: posting treats both alike. */
export interface OrderState extends Expected {
  status: CollectionStatus;
  status_version: number;
  test_mode: boolean;
  event_id?: string;
}

/** What the merchant has stored about this one collection order. */
export interface StoredState {
  status_version: number;
  /** The payment event already posted, or null. */
  posted_event_id: string | null;
}

export type PostingDecision =
  | { action: 'post'; event_id: string }
  | { action: 'record' }
  | { action: 'ignore' }
  | { action: 'mismatch'; differences: Difference[] };

/** Whether the payment is confirmed. Only `paid` is: neither an unknown status nor a settlement figure. */
export function isPaid(order: { status: CollectionStatus }): boolean {
  return order.status === 'paid';
}

/** Where an order disagrees with what was expected; amounts are compared as numbers, text for text otherwise. */
export function differencesOf(expected: Expected, order: Expected): Difference[] {
  const differences: Difference[] = [];
  if (expected.external_reference.trim() !== order.external_reference) differences.push('external_reference');
  const amount = canonicalAmount(expected.amount);
  if (amount === undefined || amount !== canonicalAmount(order.amount)) differences.push('amount');
  if (expected.currency !== order.currency) differences.push('currency');
  return differences;
}

/**
 * Decides what one sight of an order means for the merchant's books; pure, so that notifications, queries and
 * reconciliation can share it and repeat it at will. `stored` is undefined for an order not seen before.
 *
 * - `post`: book the payment and fulfil, once for this `event_id`, in one transaction with storing the version
 * - `record`: only store the new status and version
 * - `ignore`: a repetition, or older than what is stored
 * - `mismatch`: it does not belong to this business order; store nothing, let a person look
 *
 * `accept_test_mode` (default false) lets payments of test channels through.
 */
export function decidePosting(
  stored: StoredState | undefined,
  order: OrderState,
  expected: Expected,
  options: { accept_test_mode?: boolean } = {},
): PostingDecision {
  const differences = differencesOf(expected, order);
  if (order.test_mode && options.accept_test_mode !== true) differences.push('test_mode');
  if (differences.length > 0) return { action: 'mismatch', differences };
  if (stored !== undefined && order.status_version < stored.status_version) return { action: 'ignore' };
  if (isPaid(order)) {
    // Without an event there is no key to post under; a second event for one order is not ours to post either.
    if (order.event_id === undefined) return { action: 'mismatch', differences: ['event_id'] };
    const posted = stored?.posted_event_id ?? null;
    if (posted === null) return { action: 'post', event_id: order.event_id };
    if (posted !== order.event_id) return { action: 'mismatch', differences: ['event_id'] };
  }
  return order.status_version === stored?.status_version ? { action: 'ignore' } : { action: 'record' };
}
