/** Puts events into the outbox, from which workers deliver them. */
import type { Write } from '../../base/pg/index.ts';
import { traceparentNow } from '../../base/tracing/tracing.ts';
import { destinationOf } from '../../base/input/https-url.ts';
import { insertNotification, insertNotifications } from './notification.sql.ts';

export interface EventToStore {
  merchant_id: string;
  /** The notification's id, as it is in the body. */
  event_id: string;
  order_no: string;
  status_version: number;
  /** The text of `statusEvent`. It never changes after this. */
  body: string;
  url: string;
  secret_box: Buffer;
  now: Date;
}

/**
 * The write that puts an event into the outbox, due now. Add it to the transaction of the status change, so that both
 * happen or neither. Address and sealed secret come from the order, so that later changes of the
 * merchant's defaults do not affect it.
 */
export function eventToStore(event: EventToStore): Write {
  return { statement: insertNotification(rowOf(event)), rows: 'all' };
}

/** As `eventToStore`, for many events of one merchant. */
export function eventsToStore(events: readonly EventToStore[]): Write {
  const rows = events.map(rowOf);
  return { statement: insertNotifications(rows), rows: rows.length };
}

export interface EventRow extends EventToStore {
  destination: string;
  /** The span that caused the event: its deliveries belong to that trace. Null where traces are off. */
  traceparent: string | null;
}

const rowOf = (event: EventToStore): EventRow => ({
  ...event,
  destination: destinationOf(new URL(event.url)),
  traceparent: traceparentNow(),
});
