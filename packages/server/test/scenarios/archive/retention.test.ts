import { afterAll, beforeAll, expect, test } from 'vitest';
import { days, later, OffsetClock } from '../../../src/base/time/clock.ts';
import { type Database, openDatabase, sql } from '../../../src/base/pg/index.ts';
import { purgeOldDeliveryAttempts } from '../../../src/notifications/delivery-attempts/purge-delivery-attempts.ts';
import { purgeOldWebhooks } from '../../../src/payments/webhooks/purge-webhooks.ts';
import { freshDatabase, type TestDatabase } from '../../support/servers/database.ts';
import { merchant_id, other_merchant_id, owner_id } from '../../support/desks/samples.ts';

let database: TestDatabase;
let db: Database;
/** Like those of a worker, whose statements are checked on partitioned tables. */
let worker: Database;
const clock = new OffsetClock();
const ago = (n: number): Date => later(clock.now(), -days(n));

beforeAll(async () => {
  database = await freshDatabase();
  db = openDatabase({ url: database.url, max: 1 });
  worker = openDatabase({ url: database.url, max: 1, application_name: 'paydesk worker' });
  for (const id of [merchant_id, other_merchant_id]) {
    await db.query(
      sql`INSERT INTO merchants (merchant_id, name, owner_user_id, status, hold_days, guest_purchase_allowed,
          credit_limit_ptk, logo_url, short_description, description, business_scope, website_url, contact,
          notify_url, notify_enabled, created_at)
        VALUES (${id}::uuid, 'Shop', ${owner_id}::uuid, 'active', 0, true, 0, '', '', '', '', '', '', '', false,
          ${ago(100)})`,
    );
    for (const [attempt, age] of [
      [1, 91],
      [2, 91],
      [3, 89],
    ] as const) {
      await db.query(
        sql`INSERT INTO notification_attempts (merchant_id, event_id, attempt, trigger, started_at)
          VALUES (${id}::uuid, 'ne_1', ${attempt}::int, 'automatic', ${ago(age)})`,
      );
    }
  }
  for (const [event, age, due_at] of [
    ['evt_old', 91, null],
    ['evt_waiting', 91, clock.now()],
    ['evt_new', 89, null],
  ] as const) {
    await db.query(
      sql`INSERT INTO card_webhooks (payment_no, provider_event_id, type, body_box, received_at, due_at, tries)
        VALUES ('ch_card', ${event}, 'checkout.session.completed', ${Buffer.of(1)}, ${ago(age)}, ${due_at}, 0)`,
    );
  }
});

afterAll(async () => {
  await Promise.all([db.close(), worker.close()]);
  await database.drop();
});

test('D-193 webhooks are kept as they came for 90 days, and longer while they wait', async () => {
  expect(await purgeOldWebhooks({ db: worker, clock })).toBe(1);
  expect(await db.query(sql`SELECT provider_event_id AS id FROM card_webhooks ORDER BY 1`)).toEqual([
    { id: 'evt_new' },
    { id: 'evt_waiting' },
  ]);
});

test('D-193 attempts at a delivery are kept for 90 days, of every merchant', async () => {
  expect(await purgeOldDeliveryAttempts({ db: worker, clock }, 1)).toBe(2);
  expect(await purgeOldDeliveryAttempts({ db: worker, clock })).toBe(2);
  expect(await purgeOldDeliveryAttempts({ db: worker, clock })).toBe(0);
  expect(await db.query(sql`SELECT attempt FROM notification_attempts`)).toEqual([
    { attempt: 3 },
    { attempt: 3 },
  ]);
});
