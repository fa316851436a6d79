import type { Write } from '../../base/pg/index.ts';
import { destinationOf } from '../addresses/index.ts';
import { insertNotification, insertNotifications } from './notification.sql.ts';

export interface EventToStore {
  merchant_id: string;
  /** The notification's id, as it stands in the body. */
  event_id: string;
  order_no: string;
  status_version: number;
  /** What `statusEvent` wrote: from here on these bytes never change. */
  body: string;
  url: string;
  secret_box: Buffer;
  now: Date;
}

/**
 * The write that puts an event into the outbox, due at once. It belongs into the transaction of the status change, so
 * that both happen or neither; address and sealed secret are the order's own, so later changes of the
 * merchant's defaults do not reach it.
 */
export function eventToStore(event: EventToStore): Write {
  return { statement: insertNotification(event, destinationOf(new URL(event.url))), rows: 'all' };
}

/** The same for many events of one merchant, in one write. */
export function eventsToStore(events: readonly EventToStore[]): Write {
  const rows = events.map((event) => ({ ...event, destination: destinationOf(new URL(event.url)) }));
  return { statement: insertNotifications(rows), rows: rows.length };
}
