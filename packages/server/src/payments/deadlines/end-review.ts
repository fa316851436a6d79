import type { Write } from '../../base/pg/index.ts';
import { type Attempt, endedUnpaid } from '../attempts/index.ts';
import type { Payable, PayableKind } from '../engine/index.ts';

/**
 * The writes that end the review of an order after an answer of the provider, or a decision: it expires once none of its
 * attempts can still be paid (D-003, D-087), because the provider has no session of it or has closed it unpaid
 * . Time alone never ends it.
 *
 * @param attempts all attempts of the order, each in its new state
 */
export const endReview = (
  kind: PayableKind,
  order: Payable,
  attempts: readonly Attempt[],
  now: Date,
): Write[] => (order.phase === 'review' && attempts.every(endedUnpaid) ? kind.markExpired(order, now) : []);
