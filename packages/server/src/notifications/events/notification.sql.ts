/** Inserts notifications (table `notifications`). No statement changes the `body` of a stored one. */
import { type Sql, sql } from '../../base/pg/index.ts';
import type { EventRow } from './outbox.ts';

export function insertNotification(event: EventRow): Sql {
  return sql`
    INSERT INTO notifications (merchant_id, event_id, order_no, status_version, body, url, destination, secret_box,
      delivery_status, attempts, manual, next_attempt_at, created_at, traceparent)
    VALUES (${event.merchant_id}, ${event.event_id}, ${event.order_no}, ${event.status_version}, ${event.body},
      ${event.url}, ${event.destination}, ${event.secret_box}, 'pending', 0, false, ${event.now}, ${event.now},
      ${event.traceparent})`;
}

/** Inserts many events with one statement, whose text does not depend on their number. */
export function insertNotifications(events: readonly EventRow[]): Sql {
  const column = <K extends keyof (typeof events)[number]>(name: K) => events.map((event) => event[name]);
  return sql`
    INSERT INTO notifications (merchant_id, event_id, order_no, status_version, body, url, destination, secret_box,
      delivery_status, attempts, manual, next_attempt_at, created_at, traceparent)
    SELECT merchant_id, event_id, order_no, status_version, body, url, destination, secret_box,
      'pending', 0, false, now, now, traceparent
    FROM unnest(${column('merchant_id')}::uuid[], ${column('event_id')}::text[], ${column('order_no')}::text[],
      ${column('status_version')}::integer[], ${column('body')}::text[], ${column('url')}::text[],
      ${column('destination')}::text[], ${column('secret_box')}::bytea[], ${column('now')}::timestamptz[],
      ${column('traceparent')}::text[])
      AS e (merchant_id, event_id, order_no, status_version, body, url, destination, secret_box, now, traceparent)`;
}
