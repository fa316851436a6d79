/** Decides what a merchant does with the state of an order: post, record, ignore, or report a mismatch. */
import { canonicalAmount } from './decimal.ts';
import type { CollectionStatus } from './types.ts';

/** The merchant’s own order, which a payment is compared with. */
export interface Expected {
  external_reference: string;
  amount: string;
  currency: string;
}

export type Difference = 'external_reference' | 'amount' | 'currency' | 'test_mode' | 'status' | 'event_id';

/** An order from a query, or the `data` of a verified notification. Both are treated the same. */
export interface OrderState extends Expected {
  status: CollectionStatus;
  status_version: number;
  test_mode: boolean;
  event_id?: string;
}

/** What the merchant has stored about this collection order. Its version is compared with no other order's. */
export interface StoredState {
  status_version: number;
  /** The payment event that was posted, or null. */
  posted_event_id: string | null;
}

export type PostingDecision =
  | { action: 'post'; event_id: string }
  | { action: 'record' }
  | { action: 'ignore' }
  | { action: 'mismatch'; differences: Difference[] };

/**
 * Whether the payment is confirmed. Only the status `paid` confirms it; a status of a later version does not.
 */
export function isPaid(order: { status: CollectionStatus }): boolean {
  return order.status === 'paid';
}

/** The reference as the service stores it: without ECMAScript white space and U+0085 at its ends (D-021, D-923). */
export const trimmedReference = (text: string): string =>
  text.replace(/^[\s\u0085]+/, '').replace(/[\s\u0085]+$/, '');

/**
 * The differences between an order and the expectation. Amounts are compared as numbers, other members as
 * strings.
 */
export function differencesOf(expected: Expected, order: Expected): Difference[] {
  const differences: Difference[] = [];
  if (trimmedReference(expected.external_reference) !== order.external_reference)
    differences.push('external_reference');
  const amount = canonicalAmount(expected.amount);
  if (amount === undefined || amount !== canonicalAmount(order.amount)) differences.push('amount');
  if (expected.currency !== order.currency) differences.push('currency');
  return differences;
}

/**
 * Decides what to do with the current state of an order. It is pure, so notifications, queries and
 * reconciliation can all use it repeatedly. `stored` is undefined for a new order.
 *
 * - `post`: book the payment and fulfil the order, once per `event_id`, and store the version in the same
 * transaction
 * - `record`: only store the new status and version
 * - `ignore`: a repetition, or older than the stored state
 * - `mismatch`: the order does not match; store nothing, and let a person decide
 *
 * `accept_test_mode` (default false) accepts payments of test channels.
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
    // Without an event there is no key for the posting. A second event for the same order must not be posted
    // either.
    if (order.event_id === undefined) return { action: 'mismatch', differences: ['event_id'] };
    const posted = stored?.posted_event_id ?? null;
    if (posted === null) return { action: 'post', event_id: order.event_id };
    if (posted !== order.event_id) return { action: 'mismatch', differences: ['event_id'] };
  }
  return order.status_version === stored?.status_version ? { action: 'ignore' } : { action: 'record' };
}
