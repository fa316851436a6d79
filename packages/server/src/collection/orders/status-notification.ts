/** Builds the notification that is stored with each change of an order's status. */
import type { Write } from '../../base/pg/index.ts';
import {
  newNotificationId,
  type ReportedOrder,
  statusEvent,
  eventsToStore,
  eventToStore,
  type EventToStore,
} from '../../notifications/events/index.ts';
import type { IdSource } from '../../base/ids.ts';
import { formatMinor } from '../../base/money.ts';
import type { CollectionOrder } from './order.ts';

/**
 * Returns the write of the notification of an order's current status, also for a new order. Store it
 * in the same transaction as the change of status. Empty if the order has no notification target.
 */
export function announce(order: CollectionOrder, ids: IdSource, now: Date): Write[] {
  const event = eventOf(order, ids, now);
  return event === null ? [] : [eventToStore(event)];
}

/** Like `announce`, for several orders of one merchant in one write. */
export function announceAll(orders: readonly CollectionOrder[], ids: IdSource, now: Date): Write[] {
  const events = orders.flatMap((order) => eventOf(order, ids, now) ?? []);
  return events.length === 0 ? [] : [eventsToStore(events)];
}

/** The event has its own id and time; the id and the time of the payment are in the snapshot. */
function eventOf(order: CollectionOrder, ids: IdSource, now: Date): EventToStore | null {
  const { notify_secret_box } = order;
  if (notify_secret_box === null) return null;
  const event_id = newNotificationId(ids, now);
  return {
    merchant_id: order.merchant_id,
    event_id,
    order_no: order.order_no,
    status_version: order.status_version,
    body: statusEvent({ id: event_id, created_at: now, data: snapshotOf(order) }),
    url: order.notify_url,
    secret_box: notify_secret_box,
    now,
  };
}

/**
 * The order at this change of its status, as its notification shows it. The payment's event, trade number and
 * time appear only once it is confirmed (R-263, D-005, D-150).
 */
export function snapshotOf(order: CollectionOrder): CollectionOrder & ReportedOrder {
  const { event_id, provider_trade_no, occurred_at_text } = order;
  return {
    ...order,
    amount: formatMinor(order.amount_minor, order.currency_decimals),
    confirmation:
      event_id === null
        ? null
        : { event_id, provider_trade_no: provider_trade_no ?? '', occurred_at: occurred_at_text ?? '' },
  };
}
