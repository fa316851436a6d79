/** Inserts notifications (table `notifications`). */
import { type Sql, sql } from '../../base/pg/index.ts';
import type { EventToStore } from './outbox.ts';

export function insertNotification(event: EventToStore, destination: string): Sql {
  return sql`
    INSERT INTO notifications (merchant_id, event_id, order_no, status_version, body, url, destination, secret_box,
      delivery_status, attempts, manual, next_attempt_at, created_at)
    VALUES (${event.merchant_id}, ${event.event_id}, ${event.order_no}, ${event.status_version}, ${event.body},
      ${event.url}, ${destination}, ${event.secret_box}, 'pending', 0, false, ${event.now}, ${event.now})`;
}

/** Inserts many events with one statement, whose text does not depend on their number. */
export function insertNotifications(events: readonly (EventToStore & { destination: string })[]): Sql {
  const column = <K extends keyof (typeof events)[number]>(name: K) => events.map((event) => event[name]);
  return sql`
    INSERT INTO notifications (merchant_id, event_id, order_no, status_version, body, url, destination, secret_box,
      delivery_status, attempts, manual, next_attempt_at, created_at)
    SELECT merchant_id, event_id, order_no, status_version, body, url, destination, secret_box,
      'pending', 0, false, now, now
    FROM unnest(${column('merchant_id')}::uuid[], ${column('event_id')}::text[], ${column('order_no')}::text[],
      ${column('status_version')}::integer[], ${column('body')}::text[], ${column('url')}::text[],
      ${column('destination')}::text[], ${column('secret_box')}::bytea[], ${column('now')}::timestamptz[])
      AS e (merchant_id, event_id, order_no, status_version, body, url, destination, secret_box, now)`;
}
