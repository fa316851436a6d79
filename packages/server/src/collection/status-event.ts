import type { Write } from '../base/db.ts';
import type { IdSource } from '../base/ids.ts';
import { formatMinor } from '../base/money.ts';
import { newNotificationId, type OrderSnapshot, statusEvent } from '../notifications/event.ts';
import { eventToStore } from '../notifications/outbox.ts';
import type { CollectionOrder } from './order.ts';

/**
 * The notification of an order's present status, to be stored with the change that brought it about; nothing where
 * the order has no notifications.
 */
export function announce(order: CollectionOrder, ids: IdSource, now: Date): Write[] {
  const { notify_secret_box } = order;
  if (notify_secret_box === null) return [];
  const event_id = newNotificationId(ids, now);
  return [
    eventToStore({
      merchant_id: order.merchant_id,
      event_id,
      order_no: order.order_no,
      status_version: order.status_version,
      body: statusEvent({ id: event_id, created_at: now, data: snapshotOf(order) }),
      url: order.notify_url,
      secret_box: notify_secret_box,
      now,
    }),
  ];
}

function snapshotOf(order: CollectionOrder): OrderSnapshot {
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
