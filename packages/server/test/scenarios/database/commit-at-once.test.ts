import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type Database,
  openDatabase,
  OutcomeUnknownError,
  sql,
  type Write,
} from '../../../src/base/pg/index.ts';
import { AppError } from '../../../src/base/errors.ts';
import { freshDatabase, type TestDatabase } from '../../support/servers/database.ts';
import { freePort } from '../../support/servers/ports.ts';
import { eventually } from '../../support/desks/service.ts';

let database: TestDatabase;
/** What others do. */
let others: Database;
/** Opened for each test: nothing is prepared on its connections. */
let db: Database;

beforeAll(async () => {
  database = await freshDatabase();
  others = openDatabase({ url: database.url, max: 2 });
  await others.query(
    sql`CREATE TABLE purses (owner text PRIMARY KEY, coins numeric(40,0) NOT NULL CHECK (coins >= 0))`,
  );
});

afterAll(async () => {
  await others.close();
  await database.drop();
});

beforeEach(async () => {
  await others.query(sql`DELETE FROM purses`);
  db = openDatabase({ url: database.url, max: 4 });
});

afterEach(() => db.close());

const names = Array.from({ length: 12 }, (_, i) => `person ${String.fromCharCode(97 + i)}`);

const give = (owner: string, coins = 1n): Write => ({
  statement: sql`INSERT INTO purses VALUES (${owner}, ${coins}::numeric)`,
  rows: 'all',
});
const take = (owner: string, coins: bigint): Write => ({
  statement: sql`UPDATE purses SET coins = coins - ${coins}::numeric
    WHERE owner = ${owner} AND coins >= ${coins}::numeric`,
  rows: 1,
  otherwise: () => new AppError('insufficient_balance'),
});

const owners = async (): Promise<string[]> =>
  (await others.query<{ owner: string }>(sql`SELECT owner FROM purses ORDER BY owner`)).map(
    ({ owner }) => owner,
  );

describe('transactions that only write', () => {
  test('R-145 none fails for another, and each refused one has left nothing', async () => {
    await db.finish([give('person a')]);
    const committed = await Promise.all([
      db.finish([give('person b')]),
      db.finish([give('person c'), take('person a', 2n)]),
      db.finish([give('person d')], [give('person a')]),
      db.finish([give('person e')]),
    ]);
    expect(committed).toEqual([true, false, false, true]);
    expect(await owners()).toEqual(['person a', 'person b', 'person e']);
  });

  test('that cannot be sent do not make others fail', async () => {
    const results = await Promise.allSettled([
      db.finish([give('person a')]),
      db.finish([{ statement: sql`SELECT ${{ coins: 1n }}`, rows: 1 }]),
      db.finish([give('person b')]),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(results[1]).toMatchObject({ reason: expect.any(TypeError) as TypeError });
    expect(await owners()).toEqual(['person a', 'person b']);
  });

  test('whose statements the server has forgotten have not happened, and the next ones commit', async () => {
    await db.close();
    db = openDatabase({ url: database.url, max: 1 });
    expect(await db.finish([give('person z')])).toBe(true);
    await db.query(sql`DEALLOCATE ALL`);
    expect(await db.finish([give('person a')])).toBe(false);
    expect(await db.finish([give('person a')])).toBe(true);
    expect(await owners()).toEqual(['person a', 'person z']);
  });

  test('wait for locks less long than others on their connection', async () => {
    await db.close();
    db = openDatabase({ url: database.url, max: 1, lock_timeout_ms: 7_000 });
    const wait = (): Promise<{ lock_timeout: string }[]> => db.query(sql`SHOW lock_timeout`);
    await db.finish([give('person a')]);
    expect(await wait()).toEqual([{ lock_timeout: '7s' }]);
    expect(await db.finish([take('person a', 2n)])).toBe(false);
    expect(await wait()).toEqual([{ lock_timeout: '7s' }]);
  });

  test('R-196 a transaction that would wait for a lock returns, and the others commit', async () => {
    await Promise.all(names.map((name) => db.finish([give(name, 5n)])));
    const committed = await others.transaction(async (tx) => {
      await tx.query(sql`SELECT 1 FROM purses WHERE owner = ${'person b'} FOR UPDATE`);
      return Promise.all(names.map((name) => db.finish([take(name, 1n)])));
    });
    expect(committed).toEqual(names.map((name) => name !== 'person b'));
    expect(await others.query(sql`SELECT owner FROM purses WHERE coins = 5`)).toEqual([
      { owner: 'person b' },
    ]);
  });

  const hangs: Write = {
    statement: sql`UPDATE purses SET coins = coins + length(pg_sleep(${30})::text) WHERE owner = ${'person a'}`,
    rows: 1,
  };
  const among = (one: Write) =>
    Promise.all(
      [db.finish([take('person b', 1n)]), db.finish([one]), db.finish([take('person c', 1n)])].map((sent) =>
        sent.catch((error: unknown) => error),
      ),
    );

  test('H-25 if the answer to one is lost, its outcome is unknown, and the others commit', async () => {
    await Promise.all(names.map((name) => db.finish([give(name, 5n)])));
    const all = among(hangs);
    await eventually(
      () =>
        others.query(
          sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE wait_event = 'PgSleep' AND datname = current_database()`,
        ),
      (gone) => gone.length === 1,
    );
    expect(await all).toEqual([true, expect.any(OutcomeUnknownError), true]);
    expect(await others.query(sql`SELECT owner FROM purses WHERE coins = 4 ORDER BY owner`)).toEqual([
      { owner: 'person b' },
      { owner: 'person c' },
    ]);
    expect(await db.finish([take('person a', 5n)])).toBe(true);
  });

  test('H-25 of which one takes too long: only this one is unavailable, and it has changed nothing', async () => {
    await db.close();
    db = openDatabase({ url: database.url, max: 4, statement_timeout_ms: 2_000 });
    await Promise.all(names.map((name) => db.finish([give(name, 5n)])));
    expect(await among(hangs)).toEqual([
      true,
      expect.objectContaining({ code: 'service_unavailable' }),
      true,
    ]);
    expect(await others.query(sql`SELECT coins FROM purses WHERE owner = 'person a'`)).toEqual([
      { coins: 5n },
    ]);
  });

  test('H-25 without a connection, all fail with that error', async () => {
    const nowhere = openDatabase({ url: `postgres://nobody@127.0.0.1:${await freePort()}/none`, max: 2 });
    const all = names.map((name) => nowhere.finish([give(name)]));
    for (const one of await Promise.allSettled(all)) {
      expect(one).toMatchObject({ reason: { code: 'service_unavailable' } });
    }
    await nowhere.close();
  });
});
