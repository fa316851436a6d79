import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sealed } from '../../../src/base/sealed-columns.ts';
import { type Clock, days, hours, later, minutes, seconds } from '../../../src/base/time/clock.ts';
import { type Database, sql } from '../../../src/base/pg/index.ts';
import { AppError } from '../../../src/base/errors.ts';
import { claimDueDeliveries } from '../../../src/notifications/delivery/claim.ts';
import { openDelivery } from '../../../src/notifications/delivery/start-deliveries.ts';
import { eventToStore } from '../../../src/notifications/events/outbox.ts';
import { destinationOf } from '../../../src/base/input/https-url.ts';
import type { EventToReplay } from '../../../src/notifications/delivery-records/replay.sql.ts';
import { listDeliveries } from '../../../src/notifications/delivery-records/records.ts';
import { replay } from '../../../src/notifications/delivery-records/replay.ts';
import {
  deliverDue,
  boxKey,
  type Outbox,
  openOutbox,
  type StoredEvent,
} from '../../support/notifications/outbox.ts';
import { openReceiver, type Received, type Receiver } from '../../support/servers/receiver.ts';
import { startSource } from '../../support/run/source-process.ts';
import { temporaryDirectory } from '../../support/run/temporary.ts';
import { type Authority, testAuthority } from '../../support/servers/tls.ts';

let authority: Authority;
let outbox: Outbox;
let receiver: Receiver;
let merchant_id: string;

beforeAll(async () => {
  authority = await testAuthority();
});

beforeEach(async () => {
  receiver = await openReceiver(authority);
  outbox = await openOutbox(authority.cert);
  merchant_id = await outbox.merchant();
  return async () => {
    await receiver.close();
    await outbox.close();
  };
});

const run = (): Promise<number> => deliverDue(outbox.deps, { limit: 1_000 });
const store = (): Promise<StoredEvent> => outbox.store({ merchant_id, url: receiver.url() });

const replayNow = (event: EventToReplay): ReturnType<typeof replay> =>
  outbox.db.transaction((tx) => replay(tx, event, outbox.clock.now()));

/** Moves the test clock to an instant; real time goes on. */
function moveTo(at: Date): void {
  outbox.clock.setOffset(at.getTime() - outbox.clock.real().getTime());
}

/** The same process later, for leases. */
const realLater = (ms: number): Clock => ({
  now: () => outbox.clock.now(),
  real: () => later(outbox.clock.real(), ms),
});

/** Begins the attempt of an event and goes no further, as a worker that dies does. */
async function abandon(event: StoredEvent): Promise<void> {
  const portions = [{ destination: destinationOf(new URL(receiver.url())), most: 1 }];
  const options = { merchant_id, portions, due_by: outbox.clock.now(), lease_ms: seconds(30) };
  const claims = await claimDueDeliveries(outbox.db, outbox.clock, options);
  expect(claims).toMatchObject([{ event_id: event.event_id }]);
}

/** Fails automatic attempts until none is left. */
async function exhaust(event: StoredEvent): Promise<void> {
  receiver.answerWith({ status: 500 });
  for (;;) {
    await run();
    const { next_attempt_at } = await outbox.row(event);
    if (next_attempt_at === null) return;
    moveTo(next_attempt_at);
  }
}

describe('the schedule', () => {
  test('R-277 ten automatic attempts after 1, 5, 15, 30 min, 1, 2, 4, 6, 8 h, never earlier, then failed', async () => {
    const delays = [60, 300, 900, 1_800, 3_600, 7_200, 14_400, 21_600, 28_800];
    receiver.answerWith({ status: 500 });
    const event = await store();
    for (const [i, delay_s] of delays.entries()) {
      expect(await run()).toBe(1);
      const { attempts, delivery_status, next_attempt_at } = await outbox.row(event);
      expect({ attempts, delivery_status }).toEqual({ attempts: i + 1, delivery_status: 'pending' });
      const ended = (await outbox.attempts(event)).at(-1)?.finished_at ?? new Date(0);
      expect(next_attempt_at).toEqual(later(ended, seconds(delay_s)));
      moveTo(later(next_attempt_at ?? ended, -seconds(10)));
      expect(await run()).toBe(0);
      moveTo(next_attempt_at ?? ended);
    }
    expect(await run()).toBe(1);
    expect(await outbox.row(event)).toMatchObject({
      delivery_status: 'failed',
      attempts: 10,
      next_attempt_at: null,
      last_http_status: 500,
      last_error: 'http_error',
    });
    moveTo(later(outbox.clock.now(), days(2)));
    expect(await run()).toBe(0);
    expect(receiver.received).toHaveLength(10);
  });

  test('R-271 R-272 every attempt sends the same id and bytes with a fresh timestamp of real time', async () => {
    const event = await store();
    await exhaust(event);
    const offset_s = outbox.clock.offset_ms / 1_000;
    expect(offset_s).toBeGreaterThan(hours(21) / 1_000);
    for (const { headers, body } of receiver.received) {
      expect(headers['x-service-event-id']).toBe(event.event_id);
      expect(body).toEqual(Buffer.from(event.body));
      expect(Math.abs(Number(headers['x-service-timestamp']) - Date.now() / 1_000)).toBeLessThan(60);
    }
  });

  test('R-274 a later attempt that is acknowledged ends it', async () => {
    receiver.answerWith((request: Received) => ({
      status: receiver.received.indexOf(request) < 2 ? 500 : 204,
    }));
    const event = await store();
    await exhaustOnce();
    expect(await outbox.row(event)).toMatchObject({
      delivery_status: 'delivered',
      attempts: 3,
      last_http_status: 204,
      last_error: null,
    });

    async function exhaustOnce(): Promise<void> {
      for (const delay_ms of [0, minutes(1) + 1, minutes(5) + 1]) {
        moveTo(later(outbox.clock.now(), delay_ms));
        await run();
      }
    }
  });

  test('R-280 D-151 a later event of the same order does not wait for an earlier one', async () => {
    receiver.answerWith(({ path }) => ({ status: path === '/1' ? 500 : 200 }));
    const first = await outbox.store({ merchant_id, url: receiver.url('/1') });
    await run();
    const { order_no } = first;
    const second = await outbox.store({ merchant_id, url: receiver.url('/2'), order_no, status_version: 2 });
    await run();
    expect(await outbox.row(first)).toMatchObject({ delivery_status: 'pending' });
    expect(await outbox.row(second)).toMatchObject({ delivery_status: 'delivered' });
  });

  test('R-260 an event is stored with its transaction or not at all', async () => {
    const event = { merchant_id, event_id: 'ne_x', order_no: 'mp_x', status_version: 1, body: '{}' };
    const write = eventToStore({
      ...event,
      url: receiver.url(),
      secret_box: outbox.deps.box.seal('s', sealed.notificationSecret.row(event)),
      now: outbox.clock.now(),
    });
    const undone = outbox.db.transaction(async (tx) => {
      await tx.write([write]);
      throw new Error('the status change failed');
    });
    await expect(undone).rejects.toThrow('the status change failed');
    expect(await run()).toBe(0);
    expect(receiver.received).toEqual([]);
  });
});

describe('interrupted attempts', () => {
  test('R-278 D-143 the event is resumed when the lease ends, and not before', async () => {
    const event = await store();
    await abandon(event);
    expect(await run()).toBe(0);
    expect(await outbox.row(event)).toMatchObject({ delivery_status: 'pending', attempts: 1 });
    await deliverDue({ ...outbox.deps, clock: realLater(seconds(31)) }, { limit: 10 });
    expect(await outbox.row(event)).toMatchObject({ delivery_status: 'delivered', attempts: 2 });
    expect(await outbox.attempts(event)).toMatchObject([
      { attempt: 1, finished_at: null, http_status: null, error: 'interrupted', duration_ms: null },
      { attempt: 2, http_status: 200, error: null },
    ]);
  });

  test('D-143 moving the test clock does not end a lease', async () => {
    const event = await store();
    await abandon(event);
    moveTo(later(outbox.clock.now(), days(1)));
    expect(await run()).toBe(0);
  });

  test('D-143 an interrupted attempt counts toward the ten', async () => {
    receiver.answerWith({ status: 500 });
    const event = await store();
    await abandon(event);
    await deliverDue({ ...outbox.deps, clock: realLater(seconds(31)) }, { limit: 10 });
    await exhaust(event);
    expect(await outbox.row(event)).toMatchObject({ attempts: 10 });
    expect(receiver.received).toHaveLength(9);
  });

  test('D-143 the tenth, when interrupted, was the last', async () => {
    const event = await store();
    await outbox.db.query(sql`UPDATE notifications SET attempts = 9 WHERE merchant_id = ${merchant_id}`);
    await abandon(event);
    expect(await deliverDue({ ...outbox.deps, clock: realLater(seconds(31)) }, { limit: 10 })).toBe(0);
    expect(await outbox.row(event)).toMatchObject({
      delivery_status: 'failed',
      attempts: 10,
      next_attempt_at: null,
      lease_until: null,
      last_error: 'interrupted',
    });
    expect(receiver.received).toEqual([]);
  });

  test('D-144 a replay that is interrupted is over, and can be repeated', async () => {
    const event = await store();
    await exhaust(event);
    await replayNow(event);
    await abandon(event);
    await deliverDue({ ...outbox.deps, clock: realLater(seconds(31)) }, { limit: 10 });
    expect(await outbox.row(event)).toMatchObject({ delivery_status: 'failed', attempts: 11, manual: false });
    expect(await replayNow(event)).toBe('requeued');
  });

  test('R-278 a worker process killed while the receiver thinks', async () => {
    const files = await temporaryDirectory('delivery');
    const ca = join(files.path, 'ca.pem');
    await writeFile(ca, authority.cert);
    const event = await store();
    receiver.answerWith(() => (receiver.received.length === 1 ? 'hang' : { status: 200 }));
    const source = fileURLToPath(new URL('../../support/notifications/delivery-worker.ts', import.meta.url));
    const worker = startSource(source, [outbox.url, boxKey.toString('base64'), ca]);
    await Promise.race([
      receiver.until(1),
      worker.exited.then(() => Promise.reject(new Error(worker.errors()))),
    ]);
    await worker.kill('SIGKILL');
    expect(await outbox.row(event)).toMatchObject({ delivery_status: 'pending', attempts: 1 });
    await deliverDue({ ...outbox.deps, clock: realLater(seconds(31)) }, { limit: 10 });
    expect(await outbox.row(event)).toMatchObject({ delivery_status: 'delivered', attempts: 2 });
    await files.remove();
  });

  test('R-279 a result that comes after another worker took over changes nothing', async () => {
    let answerFirst!: () => void;
    const first = new Promise<void>((resolve) => (answerFirst = resolve));
    receiver.answerWith(async () => {
      if (receiver.received.length > 1) return { status: 200 };
      await first;
      return { status: 500 };
    });
    const event = await store();
    const slow = run();
    await receiver.until(1);
    await deliverDue({ ...outbox.deps, clock: realLater(seconds(31)) }, { limit: 10 });
    answerFirst();
    await slow;
    expect(await outbox.row(event)).toMatchObject({
      delivery_status: 'delivered',
      attempts: 2,
      last_http_status: 200,
    });
    expect(await outbox.attempts(event)).toMatchObject([{ finished_at: null }, { http_status: 200 }]);
  });

  test('a result survives that the database is gone when it comes', async () => {
    let down = 0;
    const db = {
      ...outbox.db,
      query: ((statement) =>
        down > 0 && down--
          ? Promise.reject(new AppError('service_unavailable'))
          : outbox.db.query(statement)) as Database['query'],
    };
    receiver.answerWith(() => {
      down = 2;
      return { status: 200 };
    });
    const event = await store();
    const delivery = openDelivery({ ...outbox.deps, db });
    const { attempts } = await delivery.start(merchant_id, 1, outbox.clock.now());
    await Promise.all(attempts);
    await delivery.close();
    expect(down).toBe(0);
    expect(await outbox.row(event)).toMatchObject({ delivery_status: 'delivered', attempts: 1 });
  });
});

test('R-279 workers side by side send each event once', async () => {
  const events = await Promise.all(Array.from({ length: 120 }, store));
  const passes = await Promise.all([run(), run(), run()]);
  expect(passes.reduce((sum, made) => sum + made)).toBe(events.length);
  expect(receiver.received.map(({ headers }) => headers['x-service-event-id']).sort()).toEqual(
    events.map(({ event_id }) => event_id).sort(),
  );
});

describe('replay', () => {
  test('R-283 D-144 grants one attempt with the same bytes, which counts on and can be asked for again', async () => {
    const event = await store();
    await exhaust(event);
    expect(await replayNow(event)).toBe('requeued');
    expect(await outbox.row(event)).toMatchObject({ delivery_status: 'pending', manual: true, attempts: 10 });
    expect(await run()).toBe(1);
    expect(await outbox.row(event)).toMatchObject({
      delivery_status: 'failed',
      manual: false,
      attempts: 11,
      next_attempt_at: null,
    });
    receiver.answerWith({ status: 200 });
    expect(await replayNow(event)).toBe('requeued');
    expect(await run()).toBe(1);
    expect(await outbox.row(event)).toMatchObject({ delivery_status: 'delivered', attempts: 12 });
    expect((await outbox.attempts(event)).map(({ trigger }) => trigger)).toEqual([
      ...Array.from({ length: 10 }, () => 'automatic'),
      ...['manual', 'manual'],
    ]);
    expect(new Set(receiver.received.map(({ body }) => body.toString()))).toEqual(new Set([event.body]));
  });

  test('R-284 D-145 does not change a pending or a delivered event', async () => {
    const event = await store();
    expect(await replayNow(event)).toBe('unchanged');
    expect(await outbox.row(event)).toMatchObject({ manual: false });
    await run();
    expect(await replayNow(event)).toBe('unchanged');
    expect(await run()).toBe(0);
    expect(receiver.received).toHaveLength(1);
  });

  test('D-145 two concurrent replays cause one attempt', async () => {
    const event = await store();
    await exhaust(event);
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => replayNow(event)));
    expect(outcomes.sort()).toEqual(['requeued', ...Array.from({ length: 4 }, () => 'unchanged')]);
    await run();
    expect(receiver.received).toHaveLength(11);
  });

  test('R-287 D-146 knows only events of that order of that merchant', async () => {
    const event = await store();
    const other = await store();
    for (const wrong of [
      { merchant_id: await outbox.merchant() },
      { order_no: other.order_no },
      { event_id: 'ne_none' },
    ]) {
      expect(await replayNow({ ...event, ...wrong })).toBe('unknown');
    }
  });
});

describe('delivery records', () => {
  test('R-290 R-294 D-147 D-148 D-149 show all nine members and the attempts', async () => {
    receiver.answerWith({ status: 503 });
    const event = await store();
    await run();
    const [attempt] = await outbox.attempts(event);
    const [record, ...others] = await listDeliveries(outbox.db, merchant_id, event.order_no, 20);
    expect(others).toEqual([]);
    expect(record).toEqual({
      event_id: event.event_id,
      status_version: 1,
      event: JSON.parse(event.body) as unknown,
      delivery_status: 'pending',
      attempts: 1,
      next_attempt_at: (await outbox.row(event)).next_attempt_at?.toISOString(),
      last_http_status: 503,
      last_error: 'http_error',
      delivery_attempts: [
        {
          attempt: 1,
          trigger: 'automatic',
          started_at: attempt?.started_at.toISOString(),
          finished_at: attempt?.finished_at?.toISOString(),
          http_status: 503,
          error: 'http_error',
          duration_ms: attempt?.duration_ms,
        },
      ],
    });
    expect(Object.keys(record?.event as object)).toEqual(Object.keys(JSON.parse(event.body) as object));
    expect(JSON.stringify(record)).not.toContain(event.secret);
  });

  test('R-290 a fresh event and a delivered one have nulls where there is nothing', async () => {
    const event = await store();
    const [fresh] = await listDeliveries(outbox.db, merchant_id, event.order_no, 20);
    expect(fresh).toMatchObject({
      attempts: 0,
      last_http_status: null,
      last_error: null,
      delivery_attempts: [],
    });
    expect(fresh?.next_attempt_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    await run();
    const [delivered] = await listDeliveries(outbox.db, merchant_id, event.order_no, 20);
    expect(delivered).toMatchObject({
      delivery_status: 'delivered',
      next_attempt_at: null,
      last_error: null,
    });
    expect(delivered?.delivery_attempts[0]).not.toHaveProperty('error');
  });

  test('R-292 D-148 an attempt that has not ended has no finished_at', async () => {
    const event = await store();
    await abandon(event);
    const [record] = await listDeliveries(outbox.db, merchant_id, event.order_no, 20);
    expect(record?.delivery_attempts.map((attempt) => Object.keys(attempt))).toEqual([
      ['attempt', 'trigger', 'started_at'],
    ]);
  });

  test('R-291 R-292 attempts keep counting, the latest twenty are listed, oldest first', async () => {
    const event = await store();
    await exhaust(event);
    for (let i = 0; i < 12; i++) {
      await replayNow(event);
      await run();
    }
    const [record] = await listDeliveries(outbox.db, merchant_id, event.order_no, 20);
    expect(record).toMatchObject({ delivery_status: 'failed', attempts: 22 });
    expect(record?.delivery_attempts.map(({ attempt }) => attempt)).toEqual(
      Array.from({ length: 20 }, (_, i) => i + 3),
    );
  });

  test('R-289 R-295 newest status version first, up to the limit, and only of this order', async () => {
    const { order_no } = await store();
    for (const status_version of [3, 2]) {
      await outbox.store({ merchant_id, url: receiver.url(), order_no, status_version });
    }
    await store();
    const versions = async (limit: number): Promise<number[]> =>
      (await listDeliveries(outbox.db, merchant_id, order_no, limit)).map(
        ({ status_version }) => status_version,
      );
    expect(await versions(20)).toEqual([3, 2, 1]);
    expect(await versions(2)).toEqual([3, 2]);
    expect(await listDeliveries(outbox.db, merchant_id, 'mp_none', 20)).toEqual([]);
    expect(await listDeliveries(outbox.db, await outbox.merchant(), order_no, 20)).toEqual([]);
  });
});
