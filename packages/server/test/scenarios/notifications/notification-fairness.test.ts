import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import {
  createDeliverer,
  type Deliverer,
  type DelivererDeps,
} from '../../../src/notifications/delivery/delivery-loop.ts';
import type { Database } from '../../../src/base/pg/index.ts';
import { hours } from '../../../src/base/time/clock.ts';
import { deliverDue, type Outbox, openOutbox, type StoredEvent } from '../../support/notifications/outbox.ts';
import { openReceiver, type Receiver } from '../../support/servers/receiver.ts';
import { type Authority, testAuthority } from '../../support/servers/tls.ts';

let authority: Authority;
let outbox: Outbox;
/** Answers, and hangs. */
let healthy: Receiver;
let hanging: Receiver;
let deliverer: Deliverer | undefined;

beforeAll(async () => {
  authority = await testAuthority();
});

beforeEach(async () => {
  [healthy, hanging, outbox] = await Promise.all([
    openReceiver(authority),
    openReceiver(authority),
    openOutbox(authority.cert),
  ]);
  hanging.answerWith('hang');
  return async () => {
    await Promise.all([healthy.close(), hanging.close()]);
    await deliverer?.stop();
    deliverer = undefined;
    await outbox.close();
  };
});

const small = { total: 16, per_merchant: 8, receiver_start: 4 };

function begin(changes: Partial<DelivererDeps> = {}): Deliverer {
  deliverer = createDeliverer({ ...outbox.deps, limits: small, ...changes });
  deliverer.start();
  return deliverer;
}

const store = (merchant_id: string, url: string, count: number): Promise<StoredEvent[]> =>
  Promise.all(Array.from({ length: count }, () => outbox.store({ merchant_id, url })));

/** An attempt that hangs never ends, so work that waits for it never starts. */
const endless = { attempt_ms: hours(1), lease_ms: hours(2) };

describe('R-281 the loop of a worker', () => {
  test('a worker finds new events by itself', async () => {
    begin();
    const merchant_id = await outbox.merchant();
    await store(merchant_id, healthy.url(), 1);
    await healthy.until(1);
  });

  test('a merchant whose receiver hangs does not delay another', async () => {
    const [slow, quick] = [await outbox.merchant(), await outbox.merchant()];
    await store(slow, hanging.url(), 60);
    begin(endless);
    await hanging.until(small.receiver_start);
    await store(quick, healthy.url(), 20);
    await healthy.until(20);
    expect(hanging.received).toHaveLength(small.receiver_start);
  });

  test('a receiver that hangs does not delay another of the same merchant', async () => {
    const merchant_id = await outbox.merchant();
    await store(merchant_id, hanging.url(), 60);
    begin(endless);
    await hanging.until(small.receiver_start);
    await store(merchant_id, healthy.url(), 20);
    await healthy.until(20);
  });

  test('D-1160 very many slow receivers of a merchant do not delay another of the same merchant', async () => {
    const slow = await openReceiver(authority, { names: ['*.slow.example.com'] });
    onTestFinished(() => slow.close());
    slow.answerWith(async () => {
      await pause(200);
      return { status: 200 };
    });
    const merchant_id = await outbox.merchant();
    const urls = Array.from({ length: 100 }, (_, i) => slow.url('/hook', `r${i}.slow.example.com`));
    const toEach = () => Promise.all(urls.map((url) => outbox.store({ merchant_id, url })));
    const known = await toEach();
    begin({ limits: { ...small, slow_ms: 50 }, resolver: () => Promise.resolve(['127.0.0.1']) });
    const delivered = async (event: StoredEvent) => (await outbox.row(event)).delivery_status === 'delivered';
    for (const event of known) await expect.poll(() => delivered(event), { timeout: 60_000 }).toBe(true);
    await toEach();
    await toEach();
    await store(merchant_id, healthy.url(), 1);
    await healthy.until(1);
    expect(slow.received.length).toBeLessThan(100 + 40);
  });

  test('a merchant with a long backlog does not delay another’s first', async () => {
    const [busy, other] = [await outbox.merchant(), await outbox.merchant()];
    let goOn!: () => void;
    const stored = new Promise<void>((resolve) => (goOn = resolve));
    healthy.answerWith(async () => {
      if (healthy.received.length > 20) await stored;
      return { status: 200 };
    });
    await store(busy, healthy.url('/busy'), 400);
    const worker = begin();
    await healthy.until(21);
    await store(other, healthy.url('/other'), 1);
    // A fast machine delivers the backlog between two polls.
    worker.wake();
    goOn();
    await healthy.until(401);
    const position = healthy.received.findIndex(({ path }) => path === '/other');
    expect(position).toBeLessThan(350);
  });

  test('many events for one receiver are all delivered, each once', async () => {
    const merchant_id = await outbox.merchant();
    const events = await store(merchant_id, healthy.url(), 300);
    begin();
    await healthy.until(300);
    expect(new Set(healthy.received.map(({ headers }) => headers['x-service-event-id'])).size).toBe(300);
    await deliverer?.stop();
    for (const event of events) {
      expect(await outbox.row(event)).toMatchObject({ delivery_status: 'delivered', attempts: 1 });
    }
  });

  test('D-721 no more is sent while many results wait to be stored', async () => {
    let goOn!: () => void;
    const held = new Promise<void>((resolve) => (goOn = resolve));
    let looks = 0;
    const query: Database['query'] = async (statement) => {
      if (statement.text.includes('WITH ended')) await held;
      return outbox.db.query(statement);
    };
    const merchants = await Promise.all([outbox.merchant(), outbox.merchant()]);
    await Promise.all(merchants.map((merchant_id, i) => store(merchant_id, healthy.url(`/${i}`), 100)));
    begin({ db: { ...outbox.db, query }, poll_ms: 10, onLooked: () => looks++ });
    await healthy.until(2 * small.total);
    const before = looks;
    await expect.poll(() => looks).toBeGreaterThan(before + 10);
    const sent = healthy.received.length;
    goOn();
    expect(sent).toBeLessThanOrEqual(3 * small.total);
    await healthy.until(200);
  });

  test('D-761 a merchant whose results cannot be stored does not delay another', async () => {
    const [stuck, other] = [await outbox.merchant(), await outbox.merchant()];
    let goOn!: () => void;
    const held = new Promise<void>((resolve) => (goOn = resolve));
    const query: Database['query'] = async (statement) => {
      if (statement.text.includes('WITH ended') && statement.values.includes(stuck)) await held;
      return outbox.db.query(statement);
    };
    const sent = (path: string): number => healthy.received.filter((one) => one.path === path).length;
    await store(stuck, healthy.url('/stuck'), 100);
    begin({ db: { ...outbox.db, query }, poll_ms: 10 });
    try {
      await expect.poll(() => sent('/stuck'), { timeout: 60_000 }).toBeGreaterThanOrEqual(small.per_merchant);
      const events = await store(other, healthy.url('/other'), 100);
      const pending = async (): Promise<number> => {
        const rows = await Promise.all(events.map((event) => outbox.row(event)));
        return rows.filter((row) => row.delivery_status !== 'delivered').length;
      };
      await expect.poll(pending, { timeout: 60_000 }).toBe(0);
      expect(sent('/stuck')).toBeLessThanOrEqual(2 * small.per_merchant);
    } finally {
      goOn();
    }
    await healthy.until(200);
  });

  test('goes on when the database was away', async () => {
    let down = true;
    const query: Database['query'] = (statement) =>
      down ? Promise.reject(new Error('away')) : outbox.db.query(statement);
    const merchant_id = await outbox.merchant();
    begin({ db: { ...outbox.db, query }, poll_ms: 20 });
    await store(merchant_id, healthy.url(), 1);
    await expect.poll(() => outbox.logged()).toContain('due notifications cannot be read');
    down = false;
    await healthy.until(1);
  });
});

describe('H-24 stopping', () => {
  test('a stopping worker finishes attempts under way and starts no others', async () => {
    const merchant_id = await outbox.merchant();
    let answer!: () => void;
    const asked = new Promise<void>((resolve) => (answer = resolve));
    healthy.answerWith(async () => {
      await asked;
      return { status: 200 };
    });
    const events = await store(merchant_id, healthy.url(), 40);
    const worker = begin();
    await healthy.until(small.receiver_start);
    const stopped = worker.stop();
    answer();
    await stopped;
    const rows = await Promise.all(events.map((event) => outbox.row(event)));
    expect(rows.filter((row) => row.delivery_status === 'delivered')).toHaveLength(healthy.received.length);
    expect(healthy.received.length).toBeLessThan(40);
    for (const row of rows.filter(({ delivery_status }) => delivery_status === 'pending')) {
      expect(row).toMatchObject({ attempts: 0, lease_until: null });
    }
    await expect.poll(() => healthy.open).toBe(0);
  });

  test('a stopping worker gives back events that were claimed and not sent', async () => {
    const merchant_id = await outbox.merchant();
    const [event] = await store(merchant_id, healthy.url(), 1);
    // Stops between the committed claim and the attempt.
    const stopped = new Promise<void>((resolve, reject) => {
      const transaction: Database['transaction'] = async (work) => {
        const result = await outbox.db.transaction(work);
        worker.stop().then(resolve, reject);
        return result;
      };
      const worker = createDeliverer({ ...outbox.deps, db: { ...outbox.db, transaction } });
      worker.start();
    });
    await stopped;
    expect(healthy.received).toEqual([]);
    expect(await outbox.row(event as StoredEvent)).toMatchObject({
      delivery_status: 'pending',
      attempts: 0,
      lease_until: null,
    });
    expect(await outbox.attempts(event as StoredEvent)).toEqual([]);
    expect(await deliverDue(outbox.deps, { limit: 10 })).toBe(1);
  });
});

test('a pass beside the running loop sends nothing twice', async () => {
  const merchant_id = await outbox.merchant();
  await store(merchant_id, healthy.url(), 60);
  const worker = begin();
  await Promise.all([worker.runOnce(), worker.runOnce(), deliverDue(outbox.deps, { limit: 100 })]);
  await healthy.until(60);
  await worker.stop();
  expect(healthy.received).toHaveLength(60);
});

test('a pass makes at most the requested number of attempts', async () => {
  const merchant_id = await outbox.merchant();
  await store(merchant_id, healthy.url(), 30);
  expect(await deliverDue(outbox.deps, { limit: 12 })).toBe(12);
  expect(healthy.received).toHaveLength(12);
});
