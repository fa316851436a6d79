import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createChannels } from '../../../src/channels/index.ts';
import { createCurrencies } from '../../../src/currencies/index.ts';
import { createFindMerchant } from '../../../src/merchants/index.ts';
import { createFindClient } from '../../../src/oauth/clients/index.ts';
import { type Database, openDatabase, type Row, type Sql, sql } from '../../../src/base/pg/index.ts';
import { liveCache, type LiveCache, poll_ms } from '../../../src/base/caches/live-cache.ts';
import { poll_ms as clockPoll_ms } from '../../../src/base/clocks/test-clock.ts';
import { freshDatabase, type TestDatabase } from '../../support/servers/database.ts';

interface Instance {
  db: Database;
  cache: LiveCache;
  rate: (currency: string) => Promise<bigint>;
  /** How often the database was asked. */
  loads: () => number;
}

let database: TestDatabase;
let instances: Instance[] = [];

async function readRate(db: Database, currency: string): Promise<bigint> {
  const [row] = await db.query<{ price_e12: bigint }>(
    sql`SELECT price_e12 FROM rates WHERE currency = ${currency}`,
  );
  if (row === undefined) throw new Error('no rate');
  return row.price_e12;
}

async function instance(max?: number): Promise<Instance> {
  const db = openDatabase({ url: database.url, max: 4 });
  const cache = await liveCache(db);
  let loads = 0;
  const load = (currency: string): Promise<bigint> => {
    loads++;
    return readRate(db, currency);
  };
  const made = { db, cache, rate: cache.keyed(load, max), loads: () => loads };
  instances.push(made);
  return made;
}

/** Sets a rate as an administrator does: the change and its announcement in one transaction. */
const setRate = ({ db, cache }: Instance, currency: string, price_e12: bigint): Promise<void> =>
  db.transaction(async (tx) => {
    await tx.query(sql`INSERT INTO rates (currency, price_e12) VALUES (${currency}, ${price_e12})
      ON CONFLICT (currency) DO UPDATE SET price_e12 = excluded.price_e12`);
    await cache.announce(tx);
  });

/** Until a reading shows a value. A busy machine takes the time that it takes. */
const comesToShow = (read: () => Promise<bigint>, value: bigint): Promise<void> =>
  expect.poll(read).toBe(value);

beforeEach(async () => {
  database = await freshDatabase();
});

afterEach(async () => {
  for (const { cache, db } of instances) {
    await cache.stop();
    await db.close();
  }
  instances = [];
  await database.drop();
});

test('D-169 a change in one process is seen in another', async () => {
  const [one, other] = [await instance(), await instance()];
  await setRate(one, 'USD', 1n);
  await comesToShow(() => other.rate('USD').catch(() => 0n), 1n);
  for (const price of [2n, 3n, 4n]) {
    await setRate(one, 'USD', price);
    await comesToShow(() => other.rate('USD'), price);
  }
});

test('D-169 a process looks twice within the second in which it must know', () => {
  for (const pause_ms of [poll_ms, clockPoll_ms]) expect(2 * pause_ms).toBeLessThanOrEqual(1_000);
});

test('D-1229 a change that comes while a setting is read for the first time is not missed', async () => {
  const [one, other] = [await instance(), await instance()];
  let changes = 0;
  await one.cache.onChange(() => Promise.resolve(void changes++));
  let rates: number | undefined;
  let isFirst = true;
  await one.cache.onChange(async () => {
    const [row] = await one.db.query<{ count: number }>(sql`SELECT count(*)::int AS count FROM rates`);
    if (isFirst) {
      isFirst = false;
      const before = changes;
      await setRate(other, 'USD', 1n);
      await expect.poll(() => changes).toBeGreaterThan(before);
    }
    rates = row?.count;
  });
  await expect.poll(() => rates).toBe(1);
});

test('D-169 the process that clears its cache after its commit answers with the change', async () => {
  const one = await instance();
  await setRate(one, 'USD', 1n);
  one.cache.clear();
  expect(await one.rate('USD')).toBe(1n);
  await setRate(one, 'USD', 2n);
  one.cache.clear();
  expect(await one.rate('USD')).toBe(2n);
});

test('D-169 without the notification, polling still tells', async () => {
  const one = await instance();
  await setRate(one, 'USD', 1n);
  await comesToShow(() => one.rate('USD').catch(() => 0n), 1n);
  await one.db.writeOnce([
    { statement: sql`UPDATE rates SET price_e12 = 2`, rows: 1 },
    { statement: sql`UPDATE config_version SET version = version + 1`, rows: 1 },
  ]);
  await comesToShow(() => one.rate('USD'), 2n);
});

test('a loaded value is cached, one query serves all concurrent readers, and failures are not cached', async () => {
  const one = await instance();
  await Promise.all([
    expect(one.rate('USD')).rejects.toThrow('no rate'),
    expect(one.rate('USD')).rejects.toThrow(),
  ]);
  expect(one.loads()).toBe(1);
  await one.db.query(sql`INSERT INTO rates (currency, price_e12) VALUES ('USD', 1), ('EUR', 2)`);
  const prices = await Promise.all([one.rate('USD'), one.rate('USD'), one.rate('EUR')]);
  expect([prices, one.loads()]).toEqual([[1n, 1n, 2n], 3]);
  expect([await one.rate('USD'), one.loads()]).toEqual([1n, 3]);
});

test('it never holds more entries than it may', async () => {
  const one = await instance(2);
  await one.db.query(sql`INSERT INTO rates (currency, price_e12) VALUES ('A', 1), ('B', 2), ('C', 3)`);
  for (const currency of ['A', 'B', 'C', 'C']) await one.rate(currency);
  expect(one.loads()).toBe(3);
  await one.rate('A');
  expect(one.loads()).toBe(4);
});

test('nothing cached is trusted while the database cannot be asked whether it changed', async () => {
  const one = await instance();
  await one.db.query(sql`INSERT INTO rates (currency, price_e12) VALUES ('USD', 1)`);
  expect(await one.rate('USD')).toBe(1n);
  await one.db.query(sql`ALTER TABLE config_version RENAME TO elsewhere`);
  await one.db.query(sql`UPDATE rates SET price_e12 = 2`);
  await expect.poll(() => one.rate('USD')).toBe(2n);
  const asked = one.loads();
  await one.rate('USD');
  expect(one.loads()).toBe(asked + 1);
});

test('D-1279 an answer that a process reads late, because it stood still, makes nothing trusted that has changed since', async () => {
  const db = openDatabase({ url: database.url, max: 4 });
  let held: Promise<void> | null = null;
  let isHeld = false;
  let looks = 0;
  const query = async <R extends Row>(asked: Sql): Promise<R[]> => {
    const rows = await db.lookups.query<R>(asked);
    if (!asked.text.includes('config_version')) return rows;
    looks++;
    isHeld = held !== null;
    await held;
    return rows;
  };
  const cache = await liveCache({ ...db, lookups: { query } });
  onTestFinished(async () => {
    vi.restoreAllMocks();
    await cache.stop();
    await db.close();
  });
  const other = await instance();
  const rate = cache.keyed((currency: string) => readRate(db, currency));
  await setRate(other, 'USD', 1n);
  await comesToShow(() => rate('USD').catch(() => 0n), 1n);
  // It has seen this change by then, and keeps what it reads.
  const before = looks;
  await expect.poll(() => looks).toBeGreaterThan(before + 1);
  expect(await rate('USD')).toBe(1n);
  let answer: () => void = () => undefined;
  held = new Promise((resolve) => (answer = resolve));
  await expect.poll(() => isHeld).toBe(true);
  await setRate(other, 'USD', 2n);
  // It goes on two seconds later, and reads first what it was told before the change.
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + 2_000);
  held = null;
  answer();
  await setImmediate();
  expect(await rate('USD')).toBe(2n);
});

test('D-409 configuration is read, and its changes are seen, while others have every connection of the pool', async () => {
  const db = openDatabase({ url: database.url, max: 1 });
  const cache = await liveCache(db);
  const other = await instance();
  try {
    const channels = createChannels(db, cache);
    const currencies = createCurrencies(db, cache);
    const id = '00000000-0000-7000-8000-000000000000';
    const reloads: number[] = [];
    await cache.onChange(() => Promise.resolve(void reloads.push(reloads.length)));
    await db.transaction(async (tx) => {
      // The only connection is taken from here on.
      await tx.query(sql`SELECT`);
      const found = [
        await channels.of(id),
        await channels.find('ch_none'),
        await channels.byWebhookKey('none'),
        await currencies.currency('XXX'),
        await currencies.rate('XXX'),
        await createFindMerchant(db, cache)(id),
        await createFindClient(db, cache)('cl_none'),
      ];
      expect(found).toHaveLength(7);
      await setRate(other, 'USD', 5n);
      await expect.poll(() => reloads.length).toBeGreaterThan(1);
    });
  } finally {
    await cache.stop();
    await db.close();
  }
});
