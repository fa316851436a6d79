import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Database, openDatabase, sql, type OwnedWrites, type Write } from '../../src/base/pg/index.ts';
import { AppError } from '../../src/base/errors.ts';
import { freshDatabase, type TestDatabase } from '../support/database.ts';
import { freePort } from '../support/ports.ts';
import { eventually } from '../support/service.ts';

let database: TestDatabase;
/** The actions of others. */
let others: Database;
/** Opened anew for each test: nothing is prepared on its connections. */
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

/** Lists of writes as parts, each of the first one's owner. */
const partsOf = (...lists: Write[][]): OwnedWrites[] =>
  lists.map((writes) => ({
    owner: String(writes[0]?.statement.values.find((value) => typeof value === 'string')),
    writes,
  }));

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

/** The balance of each owner, and the number of transactions that wrote them. */
async function purses(): Promise<{ owners: string[]; transactions: number }> {
  const rows = await others.query<{ owner: string; xmin: string }>(
    sql`SELECT owner, xmin::text AS xmin FROM purses ORDER BY owner`,
  );
  return { owners: rows.map(({ owner }) => owner), transactions: new Set(rows.map(({ xmin }) => xmin)).size };
}

describe('transactions of writes alone', () => {
  test('that come together commit together, all of them', async () => {
    await Promise.all(names.map((name) => db.finish(...partsOf([give(name)]))));
    const { owners, transactions } = await purses();
    expect(owners).toEqual(names);
    expect(transactions).toBeLessThan(names.length / 2);
  });

  test('that come one after the other commit one after the other', async () => {
    for (const name of names) await db.finish(...partsOf([give(name)]));
    expect(await purses()).toEqual({ owners: names, transactions: names.length });
  });

  test('R-145 none fails for another, and each refused one is given back', async () => {
    await db.finish(...partsOf([give('person a')]));
    const committed = await Promise.all([
      db.finish(...partsOf([give('person b')])),
      db.finish(...partsOf([give('person c'), take('person a', 2n)])),
      db.finish(...partsOf([give('person e')])),
    ]);
    expect(committed).toEqual([true, false, true]);
    expect((await purses()).owners).toEqual(['person a', 'person b', 'person e']);
  });

  test('R-145 a job that is refused twice in one group returns together with its whole group', async () => {
    await db.finish(...partsOf([give('person a')]));
    const committed = await Promise.all([
      db.finish(...partsOf([give('person b')])),
      db.finish(...partsOf([give('person d')], [give('person a')])),
      db.finish(...partsOf([give('person f', -1n)])),
    ]);
    expect(committed).toEqual([false, false, false]);
    expect((await purses()).owners).toEqual(['person a']);
  });

  test('that cannot be sent fail alone', async () => {
    const results = await Promise.allSettled([
      db.finish(...partsOf([give('person a')])),
      db.finish(...partsOf([{ statement: sql`SELECT ${{ coins: 1n }}`, rows: 1 }])),
      db.finish(...partsOf([give('person b')])),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(results[1]).toMatchObject({ reason: expect.any(TypeError) as TypeError });
    expect(await purses()).toEqual({ owners: ['person a', 'person b'], transactions: 1 });
  });

  test('whose statements the server has forgotten commit all the same, and together', async () => {
    await db.close();
    db = openDatabase({ url: database.url, max: 1 });
    await db.finish(...partsOf([give('person z')]));
    for (let times = 0; times < 2; times++) {
      await others.query(sql`DELETE FROM purses`);
      if (times === 0) await db.query(sql`DEALLOCATE ALL`);
      await Promise.all(names.slice(0, 3).map((name) => db.finish(...partsOf([give(name)]))));
      expect(await purses()).toEqual({ owners: names.slice(0, 3), transactions: 1 });
    }
  });

  test('wait for locks less long than others on their connection', async () => {
    await db.close();
    db = openDatabase({ url: database.url, max: 1, lock_timeout_ms: 7_000 });
    const wait = (): Promise<{ lock_timeout: string }[]> => db.query(sql`SHOW lock_timeout`);
    await db.finish(...partsOf([give('person a')]));
    expect(await wait()).toEqual([{ lock_timeout: '7s' }]);
    expect(await db.finish(...partsOf([take('person a', 2n)]))).toBe(false);
    expect(await wait()).toEqual([{ lock_timeout: '7s' }]);
  });

  test('R-196 a job that would wait for a lock returns, and the others commit', async () => {
    await Promise.all(names.map((name) => db.finish(...partsOf([give(name, 5n)]))));
    const committed = await others.transaction(async (tx) => {
      await tx.query(sql`SELECT 1 FROM purses WHERE owner = ${'person b'} FOR UPDATE`);
      return Promise.all(names.map((name) => db.finish(...partsOf([take(name, 1n)]))));
    });
    expect(committed).toEqual(names.map((name) => name !== 'person b'));
    expect(await others.query(sql`SELECT owner FROM purses WHERE coins = 5`)).toEqual([
      { owner: 'person b' },
    ]);
  });

  test('H-25 whose connection is lost are unavailable, and nothing of them has happened', async () => {
    await Promise.all(names.map((name) => db.finish(...partsOf([give(name, 5n)]))));
    const hangs: Write = {
      statement: sql`UPDATE purses SET coins = coins + length(pg_sleep(${30})::text) WHERE owner = ${'person a'}`,
      rows: 1,
    };
    const all = [
      db.finish(...partsOf([take('person b', 1n)])),
      db.finish(...partsOf([hangs])),
      db.finish(...partsOf([take('person c', 1n)])),
    ].map((one) => one.then(() => 'done').catch((error: unknown) => (error as AppError).code));
    await eventually(
      () =>
        others.query(
          sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE wait_event = 'PgSleep' AND datname = current_database()`,
        ),
      (gone) => gone.length === 1,
    );
    expect(await Promise.all(all)).toEqual(Array.from({ length: 3 }, () => 'service_unavailable'));
    const changed = await others.query(sql`SELECT owner FROM purses WHERE coins <> 5`);
    expect(changed).toEqual([]);
    await db.finish(...partsOf([take('person a', 5n)]));
  });

  test('H-25 without a connection, all jobs fail with that error', async () => {
    const nowhere = openDatabase({ url: `postgres://nobody@127.0.0.1:${await freePort()}/none`, max: 2 });
    const all = names.map((name) => nowhere.finish(...partsOf([give(name)])));
    for (const one of await Promise.allSettled(all)) {
      expect(one).toMatchObject({ reason: { code: 'service_unavailable' } });
    }
    await nowhere.close();
  });
});
