import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Database, openDatabase, sql } from '../../../src/base/pg/index.ts';
import { freshDatabase, type TestDatabase } from '../../support/servers/database.ts';
import { type FaultyLink, openFaultyLink } from '../../support/servers/faulty-link.ts';
import { eventually } from '../../support/desks/service.ts';

/** Several servers in DATABASE_URL: each process finds the one that takes writes (H-25). Both ways lead to one server. */

let database: TestDatabase;
let administration: Database;
let first: FaultyLink;
let second: FaultyLink;
let db: Database;

beforeAll(async () => {
  database = await freshDatabase();
  administration = openDatabase({ url: database.url, max: 1 });
  await administration.query(sql`CREATE TABLE notes (n int)`);
});

afterAll(async () => {
  await administration.close();
  await database.drop();
});

beforeEach(async () => {
  [first, second] = await Promise.all([openFaultyLink(database.url), openFaultyLink(database.url)]);
  const { host } = new URL(second.url);
  db = openDatabase({
    url: `${first.url.replace(/(127\.0\.0\.1:\d+)/, `$1,${host}`)}?target_session_attrs=read-write`,
    max: 3,
    connect_ms: 6_000,
    statement_timeout_ms: 2_500,
    lookup_timeout_ms: 1_500,
    heartbeat_ms: 300,
  });
});

afterEach(async () => {
  await db.close();
  await Promise.all([first.close(), second.close()]);
});

const write = (): Promise<unknown> => db.query(sql`INSERT INTO notes VALUES (1)`).then(() => 'written');
const look = (): Promise<unknown> => db.lookups.query(sql`SELECT 1 AS n`).then(() => 'seen');
const outcome = (ask: () => Promise<unknown>): Promise<unknown> =>
  ask().catch((error: unknown) => (error as { code: string }).code);

/** What every way of asking comes to, in time. */
const allWork = (): Promise<unknown> =>
  eventually(
    () => Promise.all([write, look].map(outcome)),
    (outcomes) => outcomes.join() === 'written,seen',
  );

describe('H-25 of several servers', () => {
  test('one that refuses connections is passed over at once', async () => {
    first.cut();
    expect(await Promise.all([write(), look()])).toEqual(['written', 'seen']);
    expect([first.opened() > 0, second.opened() > 0]).toEqual([true, true]);
  });

  test('one that dies while it is used is left: requests fail for a moment, and listening goes on', async () => {
    let wakes = 0;
    await db.listen('a_channel', () => wakes++);
    await allWork();
    expect([wakes, second.opened()]).toEqual([1, 0]);
    first.silence('to the database', 'from the database');
    await allWork();
    expect(second.opened()).toBeGreaterThan(0);
    await eventually(
      () => Promise.resolve(wakes),
      (count) => count > 1,
    );
  });

  test('D-505 many callers at once pass a silent one over, also those that had to wait for their turn', async () => {
    const { host } = new URL(second.url);
    const url = first.url.replace(/(127\.0\.0\.1:\d+)/, `$1,${host}`);
    const crowded = openDatabase({ url, max: 10, connect_ms: 12_000 });
    first.silence('to the database', 'from the database');
    const ask = (): Promise<unknown> => crowded.query(sql`SELECT 1 AS n`).then(() => 'seen');
    try {
      const outcomes = await Promise.all(Array.from({ length: 10 }, () => outcome(ask)));
      expect(outcomes).toEqual(outcomes.map(() => 'seen'));
      expect(first.opened()).toBeLessThanOrEqual(3);
    } finally {
      await crowded.close();
    }
  });

  test('one that takes no writes is refused, until it does', async () => {
    const setReadOnly = async (to: 'on' | 'off'): Promise<unknown> =>
      administration.query(
        to === 'on'
          ? sql`DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on', current_database()); END $$`
          : sql`DO $$ BEGIN EXECUTE format('ALTER DATABASE %I RESET default_transaction_read_only', current_database()); END $$`,
      );
    await setReadOnly('on');
    expect(await Promise.all([write, look].map(outcome))).toEqual([
      'service_unavailable',
      'service_unavailable',
    ]);
    expect([first.opened() > 0, second.opened() > 0]).toEqual([true, true]);
    await setReadOnly('off');
    await allWork();
  });

  test('one that has stopped taking writes is left when it refuses one', async () => {
    expect(await write()).toBe('written');
    await db.query(sql`SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY`);
    expect(await outcome(write)).toBe('service_unavailable');
    expect(await write()).toBe('written');
    expect(second.opened()).toBe(1);
  });
});
