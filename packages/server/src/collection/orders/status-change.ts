/** The moves between the states of a collection order, without any effect. */
import { InvariantError } from '../../base/errors.ts';
import type { CollectionOrder, OrderStatus } from './order.ts';

/** The events that change an order's status. */
export type OrderEvent =
  /** The deadline has passed and no channel attempt counts. */
  | 'deadline'
  /** The deadline has passed while a channel attempt counts. */
  | 'deadline_with_attempt'
  | 'paid'
  /** The channel has confirmed that nothing was paid. */
  | 'unpaid'
  | 'refunded'
  | 'charged_back';

/**
 * The next state for each of the six states and each event. All other moves are forbidden (docs/states.md). A verified payment moves
 * `pending`, `review` and `expired` to `paid`. At the deadline an order with an attempt goes
 * to `review` (R-179, D-088), which ends in `expired` if nothing was paid (R-184, R-185, D-003). So `pending` and `review`
 * are open, and `expired` may still become `paid`. Only `paid` can be refunded or charged back (R-191, D-077).
 */
const transitions: Record<OrderStatus, Partial<Record<OrderEvent, OrderStatus>>> = {
  pending: { deadline: 'expired', deadline_with_attempt: 'review', paid: 'paid' },
  review: { paid: 'paid', unpaid: 'expired' },
  expired: { paid: 'paid' },
  paid: { refunded: 'refunded', charged_back: 'chargeback' },
  refunded: {},
  chargeback: {},
};

/** Returns the next state, or null if the event is not allowed in this state. */
export function transition(status: OrderStatus, event: OrderEvent): OrderStatus | null {
  return transitions[status][event] ?? null;
}

/**
 * Returns the order after a change of status. Its version rises by exactly one (R-030, D-047), within this order only
 * . Nothing else changes: the payment keeps its event, trade number and time, and the deadline
 * stays.
 */
export function moved(order: CollectionOrder, event: OrderEvent): CollectionOrder {
  const status = transition(order.status, event);
  if (status === null) throw new InvariantError(`${event} does not move an order from ${order.status}`);
  return { ...order, status, status_version: order.status_version + 1 };
}

/**
 * Returns the event of the deadline, or null if it is not due: it only compares `now` with `expires_at`. Only a
 * pending order has one, so time alone never ends review.
 */
export function deadlineEvent(
  order: Pick<CollectionOrder, 'status' | 'expires_at'>,
  attemptCounts: boolean,
  now: Date,
): OrderEvent | null {
  if (order.status !== 'pending' || now < order.expires_at) return null;
  return attemptCounts ? 'deadline_with_attempt' : 'deadline';
}
