import { randomBytes, randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import { sealed } from '../../../src/base/sealed-columns.ts';
import { OffsetClock } from '../../../src/base/time/clock.ts';
import { type Database, openDatabase, sql } from '../../../src/base/pg/index.ts';
import { systemIds } from '../../../src/base/ids.ts';
import { createLog } from '../../../src/base/log.ts';
import { secretBox } from '../../../src/base/secret-box.ts';
import { runPass } from '../../../src/notifications/delivery/delivery-pass.ts';
import { type DeliveryDeps, openDelivery } from '../../../src/notifications/delivery/start-deliveries.ts';
import { newNotificationId, statusEvent } from '../../../src/notifications/events/event.ts';
import { eventToStore } from '../../../src/notifications/events/outbox.ts';
import { patient } from '../run/patience.ts';
import { freshDatabase, type TestDatabase } from '../servers/database.ts';

/** A database with merchants and their notifications, and the dependencies of delivery. */
export interface Outbox {
  db: Database;
  /** Where to connect to it, for other processes. */
  url: string;
  clock: OffsetClock;
  deps: DeliveryDeps;
  /** The log as one text. */
  logged(): string;
  merchant(): Promise<string>;
  /** Stores an event as a status change would; by default each belongs to an order of its own. */
  store(event: { merchant_id: string; url: string } & Partial<StoredEvent>): Promise<StoredEvent>;
  row(event: StoredEvent): Promise<NotificationRow>;
  attempts(event: StoredEvent): Promise<AttemptRow[]>;
  close(): Promise<void>;
}

export interface StoredEvent {
  merchant_id: string;
  event_id: string;
  order_no: string;
  status_version: number;
  body: string;
  secret: string;
}

export interface NotificationRow extends Record<string, unknown> {
  delivery_status: string;
  attempts: number;
  manual: boolean;
  next_attempt_at: Date | null;
  lease_until: Date | null;
  last_http_status: number | null;
  last_error: string | null;
  body: string;
}

export interface AttemptRow extends Record<string, unknown> {
  attempt: number;
  trigger: string;
  started_at: Date;
  finished_at: Date | null;
  http_status: number | null;
  error: string | null;
  duration_ms: number | null;
}

/** Names that only this test knows. */
export type Names = Record<string, string[]>;

/** The key that `seal`s here, for workers in other processes. */
export const boxKey = randomBytes(32);

/**
 * @param ca the receivers' authority
 * @param names the addresses of names; other names do not resolve
 * @param database instead of a fresh one
 */
export async function openOutbox(
  ca: string,
  {
    names = {},
    database: given,
    ...changes
  }: Partial<DeliveryDeps> & { names?: Names; database?: TestDatabase } = {},
): Promise<Outbox> {
  const database = given ?? (await freshDatabase());
  const db = openDatabase({ url: database.url, ...patient });
  const clock = new OffsetClock();
  const ids = systemIds();
  const box = secretBox([boxKey]);
  const lines: string[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  const deps: DeliveryDeps = {
    db,
    clock,
    box,
    ids,
    log: createLog('debug', stream),
    allow_cidrs: ['127.0.0.0/8'],
    ca,
    resolver: (name) =>
      names[name] === undefined ? Promise.reject(new Error('ENOTFOUND')) : Promise.resolve(names[name]),
    ...changes,
  };

  return {
    db,
    url: database.url,
    clock,
    deps,
    logged: () => lines.join(''),
    async merchant() {
      const merchant_id = randomUUID();
      await db.query(sql`
        INSERT INTO merchants (merchant_id, name, owner_user_id, status, hold_days, guest_purchase_allowed,
          credit_limit_ptk, logo_url, short_description, description, business_scope, website_url, contact, notify_url,
          notify_enabled, created_at)
        VALUES (${merchant_id}, 'Shop', ${randomUUID()}, 'active', 0, true, 0, '', '', '', '', '', '', '', false,
          ${clock.now()})`);
      return merchant_id;
    },
    async store({ merchant_id, url, ...given }) {
      const now = clock.now();
      const event_id = newNotificationId(ids, now);
      const order_no = given.order_no ?? `mp_${ids.ulid(now)}`;
      const status_version = given.status_version ?? 1;
      const secret = given.secret ?? ids.secret(32);
      const body = statusEvent({
        id: event_id,
        created_at: now,
        data: {
          order_no,
          external_reference: 'Bestellung – „1“ €',
          payment_no: '',
          amount: '10.00',
          amount_minor: 1_000n,
          currency: 'USD',
          currency_decimals: 2,
          status: 'pending',
          status_version,
          test_mode: false,
          expires_at: now,
          confirmation: null,
        },
      });
      const event = { merchant_id, event_id, order_no, status_version, body, secret, ...given };
      await db.writeOnce([
        eventToStore({
          ...event,
          url,
          secret_box: box.seal(secret, sealed.notificationSecret.row(event)),
          now,
        }),
      ]);
      return event;
    },
    async row({ merchant_id, event_id }) {
      const [row] = await db.query<NotificationRow>(sql`
        SELECT * FROM notifications WHERE merchant_id = ${merchant_id} AND event_id = ${event_id}`);
      if (row === undefined) throw new Error('no such notification');
      return row;
    },
    attempts: ({ merchant_id, event_id }) =>
      db.query<AttemptRow>(sql`
        SELECT attempt, trigger, started_at, finished_at, http_status, error, duration_ms FROM notification_attempts
        WHERE merchant_id = ${merchant_id} AND event_id = ${event_id} ORDER BY attempt`),
    async close() {
      await db.close();
      await database.drop();
    },
  };
}

/** Makes an attempt for each due event, at most `limit`, with connections of its own; returns how many. */
export async function deliverDue(deps: DeliveryDeps, options: { limit: number }): Promise<number> {
  const delivery = openDelivery(deps);
  try {
    return await runPass(delivery, deps, options);
  } finally {
    await delivery.close();
  }
}
