import { type Sql, sql } from '../base/db.ts';
import type { EventToStore } from './outbox.ts';

export function insertNotification(event: EventToStore, destination: string): Sql {
  return sql`
    INSERT INTO notifications (merchant_id, event_id, order_no, status_version, body, url, destination, secret_box,
      delivery_status, attempts, manual, next_attempt_at, created_at)
    VALUES (${event.merchant_id}, ${event.event_id}, ${event.order_no}, ${event.status_version}, ${event.body},
      ${event.url}, ${destination}, ${event.secret_box}, 'pending', 0, false, ${event.now}, ${event.now})`;
}
