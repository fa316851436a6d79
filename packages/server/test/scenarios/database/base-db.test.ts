import { setTimeout as pause } from 'node:timers/promises';
import { Sql } from 'sql-template-tag';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  connectionsBesidePool,
  type Database,
  openDatabase,
  sql,
  isUniqueViolation,
  sqlState,
  type Tx,
  type Write,
} from '../../../src/base/pg/index.ts';
import { AppError, InvariantError } from '../../../src/base/errors.ts';
import { freshDatabase, type TestDatabase } from '../../support/servers/database.ts';
import { untilBlocked } from '../../support/servers/lock-waits.ts';
import { freePort } from '../../support/servers/ports.ts';

let database: TestDatabase;
let db: Database;
/** The same with a single connection. */
let one: Database;

beforeAll(async () => {
  database = await freshDatabase();
  db = openDatabase({ url: database.url, max: 6 });
  one = openDatabase({ url: database.url, max: 1 });
  await db.query(
    sql`CREATE TABLE purses (owner text PRIMARY KEY, coins numeric(40,0) NOT NULL CHECK (coins >= 0))`,
  );
});

afterAll(async () => {
  await Promise.all([db.close(), one.close()]);
  await database.drop();
});

beforeEach(async () => {
  await db.query(sql`DELETE FROM purses`);
  await db.query(sql`INSERT INTO purses VALUES ('ann', 10), ('bob', 10)`);
});

const coinsOf = async (owner: string): Promise<bigint | undefined> => {
  const [row] = await db.query<{ coins: bigint }>(sql`SELECT coins FROM purses WHERE owner = ${owner}`);
  return row?.coins;
};

const add = (owner: string, coins: bigint): Write => ({
  statement: sql`UPDATE purses SET coins = coins + ${coins}::numeric
    WHERE owner = ${owner} AND coins + ${coins}::numeric >= 0`,
  rows: 1,
});

test('D-022 numeric and int8 come as bigint, times as dates, nothing as a double', async () => {
  const [row] = await db.query(
    sql`SELECT 90071992547409910000000::numeric AS n, 9007199254740993::int8 AS i, 7::int4 AS s,
      '2026-01-02T03:04:05.678Z'::timestamptz AS t, sum(coins) AS total FROM purses`,
  );
  expect(row).toEqual({
    n: 90_071_992_547_409_910_000_000n,
    i: 9_007_199_254_740_993n,
    s: 7,
    t: new Date('2026-01-02T03:04:05.678Z'),
    total: 20n,
  });
});

test('bigint parameters arrive exactly', async () => {
  const coins = 10n ** 39n + 1n;
  await db.query(sql`INSERT INTO purses VALUES ('rich', ${coins})`);
  expect(await coinsOf('rich')).toBe(coins);
});

describe('a transaction', () => {
  test('a transaction commits its work and returns the result', async () => {
    const result = await db.transaction(async (tx) => {
      await tx.write([add('ann', -3n), add('bob', 3n)]);
      return 'done';
    });
    expect([result, await coinsOf('ann'), await coinsOf('bob')]).toEqual(['done', 7n, 13n]);
  });

  test('leaves nothing where its work throws', async () => {
    const trouble = new Error('trouble');
    const failing = db.transaction(async (tx) => {
      await tx.write([add('ann', 5n)]);
      throw trouble;
    });
    await expect(failing).rejects.toBe(trouble);
    expect(await coinsOf('ann')).toBe(10n);
  });

  test('BEGIN goes with the first query: statements share one transaction, sent together or one by one', async () => {
    const [{ id: one }, { id: other }] = await db.transaction(async (tx) => {
      const id = sql`SELECT txid_current()::text AS id`;
      const [[first], [second]] = await Promise.all([
        tx.query<{ id: string }>(id),
        tx.query<{ id: string }>(id),
      ]);
      const [third] = await tx.query<{ id: string }>(id);
      expect(third).toEqual(first);
      if (first === undefined || second === undefined) throw new Error('no rows');
      return [first, second];
    });
    expect(one).toBe(other);
  });

  test('runs the statements that were sent together in their order', async () => {
    const read = sql`SELECT coins FROM purses WHERE owner = 'ann'`;
    const seen = await db.transaction(async (tx) => {
      const [before, , after] = await Promise.all([
        tx.query(read),
        tx.write([add('ann', 1n)]),
        tx.query(read),
      ]);
      return [before, after];
    });
    expect(seen).toEqual([[{ coins: 10n }], [{ coins: 11n }]]);
  });

  test('a transaction with a failed statement does not count as committed, even if its work goes on', async () => {
    const careless = db.transaction(async (tx) => {
      await tx.write([add('ann', 5n)]);
      await tx.query(sql`SELECT 1 / 0`).catch(() => undefined);
      return 'looks fine';
    });
    await expect(careless).rejects.toThrow(InvariantError);
    expect(await coinsOf('ann')).toBe(10n);
  });

  test('that failed gives its connection back clean', async () => {
    const single = openDatabase({ url: database.url, max: 1 });
    await expect(single.transaction((tx) => tx.query(sql`SELECT 1 / 0`))).rejects.toThrow(/division by zero/);
    const several = single.transaction((tx) =>
      Promise.all([tx.query(sql`SELECT 1 / 0`), tx.query(sql`SELECT 1 AS n`), tx.query(sql`SELECT 2 AS n`)]),
    );
    await expect(several).rejects.toThrow(/division by zero/);
    expect(await single.query(sql`SELECT 1 AS n`)).toEqual([{ n: 1 }]);
    expect(await single.transaction((tx) => tx.query(sql`SELECT 2 AS n`))).toEqual([{ n: 2 }]);
    await single.close();
  });

  test('reads and writes only inside: others see nothing before the commit', async () => {
    await db.transaction(async (tx) => {
      await tx.write([add('ann', 5n)]);
      expect(await coinsOf('ann')).toBe(10n);
    });
    expect(await coinsOf('ann')).toBe(15n);
  });

  /** Its answer arrives after the answers to later messages. */
  const roundabout = async (ask: () => Promise<unknown>): Promise<unknown> => {
    const answer = async (): Promise<unknown> => await ask();
    const said = await answer();
    return said;
  };

  test.each([
    ['alone', (tx: Tx, write: Write) => tx.write([write])],
    [
      'with statements behind it',
      (tx: Tx, write: Write) =>
        Promise.all([roundabout(() => tx.write([write])), tx.query(sql`SELECT 1`), tx.query(sql`SELECT 2`)]),
    ],
  ])('caught in a deadlock %s is run again, and both come through', async (_, writeSecond) => {
    // On a busy machine the second may come to its wait only when the first has waited as long as it usually may.
    const patient = openDatabase({ url: database.url, max: 2, long_lock_timeout_ms: 20_000 });
    const runs = { ann: 0, bob: 0 };
    let arrived = 0;
    let meet: () => void = () => undefined;
    const both = new Promise<void>((resolve) => (meet = resolve));
    const cross = (first: 'ann' | 'bob', second: string) =>
      patient.transaction(async (tx) => {
        runs[first]++;
        await tx.write([add(first, 1n)]);
        if (++arrived === 2) meet();
        await both;
        await writeSecond(tx, add(second, 1n));
      });
    await Promise.all([cross('ann', 'bob'), cross('bob', 'ann')]);
    await patient.close();
    expect(runs.ann + runs.bob).toBeGreaterThanOrEqual(3);
    expect([await coinsOf('ann'), await coinsOf('bob')]).toEqual([12n, 12n]);
  });

  test('is not run again for any other failure', async () => {
    let runs = 0;
    const twice = db.transaction(async (tx) => {
      runs++;
      await tx.query(sql`INSERT INTO purses VALUES ('ann', 1)`);
    });
    await expect(twice).rejects.toSatisfy(isUniqueViolation);
    expect(runs).toBe(1);
  });
});

/** The same statement, for an account without money. */
const forNobody = ({ statement }: Write): Write => ({
  statement: new Sql(
    statement.strings,
    statement.values.map((value) => (typeof value === 'string' ? 'nobody' : value)),
  ),
  rows: 0,
});

/** Commits the lists by themselves, or in a transaction if they are given back, as the caller of `finish` does. */
async function commitAlone(on: Database, lists: Write[][]): Promise<void> {
  if (!(await on.finish(...lists))) await on.transaction((tx) => tx.finish(...lists));
}

const insufficient = (): AppError => new AppError('insufficient_balance');

describe.each([
  ['a transaction that wrote before', (...lists: Write[][]) => db.transaction((tx) => tx.finish(...lists))],
  ['a transaction of its own', (...lists: Write[][]) => commitAlone(one, lists)],
  [
    'one message, once the connection knows the statements',
    async (...lists: Write[][]) => {
      await commitAlone(
        one,
        lists.map((list) => list.map(forNobody)),
      ).catch(() => undefined);
      await commitAlone(one, lists);
    },
  ],
] as const)('finishing %s', (_way, finish) => {
  test('commits all lists, which see each other in their order', async () => {
    await finish([add('ann', -10n)], [], [add('ann', 4n), add('bob', 6n)]);
    expect([await coinsOf('ann'), await coinsOf('bob')]).toEqual([4n, 16n]);
    await finish();
  });

  test.each([
    ['first list', [[add('ann', -11n)], [add('bob', 1n)]]],
    ['last list', [[add('bob', 1n)], [add('ann', -11n)]]],
    ['same list', [[add('bob', 1n), add('ann', -11n)]]],
  ] as [string, Write[][]][])('R-145 a guard that does not hold in the %s undoes all', async (_, lists) => {
    const meant = lists.map((list) => list.map((write) => ({ ...write, otherwise: insufficient })));
    await expect(finish(...lists)).rejects.toThrow(InvariantError);
    await expect(finish(...meant)).rejects.toMatchObject({ code: 'insufficient_balance' });
    expect([await coinsOf('ann'), await coinsOf('bob')]).toEqual([10n, 10n]);
  });

  test('a failed statement reports its error and undoes the earlier statements', async () => {
    const twice: Write = { statement: sql`INSERT INTO purses VALUES (${'ann'}, 1)`, rows: 1 };
    await expect(finish([add('bob', 1n)], [twice], [add('bob', 1n)])).rejects.toSatisfy(isUniqueViolation);
    expect(await coinsOf('bob')).toBe(10n);
  });
});

describe('finishing a transaction', () => {
  const inTx = (work: (tx: Tx) => Promise<unknown>) => db.transaction(work);

  test.each([
    ['query', (tx: Tx) => tx.query(sql`SELECT 1`)],
    ['write', (tx: Tx) => tx.write([add('ann', 1n)])],
    ['finish', (tx: Tx) => tx.finish([add('ann', 1n)])],
  ])('nothing may follow: %s', async (_, more) => {
    const goingOn = inTx(async (tx) => {
      await tx.finish([add('bob', 1n)]);
      await more(tx);
    });
    await expect(goingOn).rejects.toThrow(InvariantError);
    expect([await coinsOf('ann'), await coinsOf('bob')]).toEqual([10n, 11n]);
  });

  test('caught in a deadlock is run again', async () => {
    let arrived = 0;
    let meet: () => void = () => undefined;
    const both = new Promise<void>((resolve) => (meet = resolve));
    const cross = (first: string, second: string) =>
      inTx(async (tx) => {
        await tx.write([add(first, 1n)]);
        if (++arrived === 2) meet();
        await both;
        await tx.finish([add(second, 1n)]);
      });
    await Promise.all([cross('ann', 'bob'), cross('bob', 'ann')]);
    expect([await coinsOf('ann'), await coinsOf('bob')]).toEqual([12n, 12n]);
  });
});

describe('guarded writes', () => {
  const inTx = (work: (tx: Tx) => Promise<unknown>) => db.transaction(work);

  test('R-145 a guard that does not hold undoes all of them', async () => {
    const transfer = inTx((tx) => tx.write([add('bob', 11n), add('ann', -11n)]));
    await expect(transfer).rejects.toThrow(InvariantError);
    expect([await coinsOf('ann'), await coinsOf('bob')]).toEqual([10n, 10n]);
  });

  test('the error has the meaning that its write declares', async () => {
    const uncovered = { ...add('ann', -11n), otherwise: () => new AppError('insufficient_balance') };
    await expect(inTx((tx) => tx.write([add('bob', 1n), uncovered]))).rejects.toMatchObject({
      code: 'insufficient_balance',
    });
    expect(await coinsOf('bob')).toBe(10n);
  });

  test.each([
    ['checked here', (writes: Write[]) => inTx((tx) => tx.write(writes))],
    ['checked by the database', (writes: Write[]) => inTx((tx) => tx.finish(writes))],
    ['in one message', (writes: Write[]) => commitAlone(db, [writes])],
  ])(
    '%s: writes without a guard are undone with the rest, and the failed guard is reported',
    async (_, run) => {
      const cid: Write = {
        statement: sql`INSERT INTO purses VALUES (${'cid'}, ${1n}::numeric)`,
        rows: 'all',
      };
      const uncovered = { ...add('bob', -11n), otherwise: () => new AppError('insufficient_balance') };
      for (let times = 0; times < 2; times++) {
        await expect(run([cid, add('ann', 1n), uncovered])).rejects.toMatchObject({
          code: 'insufficient_balance',
        });
      }
      expect([await coinsOf('cid'), await coinsOf('ann'), await coinsOf('bob')]).toEqual([
        undefined,
        10n,
        10n,
      ]);
      await run([cid]);
      expect(await coinsOf('cid')).toBe(1n);
    },
  );

  test('R-145 messages one after another on a connection: each succeeds or fails independently', async () => {
    const taken = { ...add('bob', -6n), otherwise: () => new AppError('insufficient_balance') };
    for (let times = 1; times <= 2; times++) {
      const all = Array.from({ length: 20 }, (_, i) =>
        commitAlone(db, [[add('ann', 1n), ...(i % 2 === 0 ? [] : [taken])]]),
      );
      const failed = (await Promise.allSettled(all)).filter(({ status }) => status === 'rejected');
      // Of those that take from bob the first finds enough.
      expect(failed).toHaveLength(times === 1 ? 9 : 10);
      for (const one of failed) expect(one).toMatchObject({ reason: { code: 'insufficient_balance' } });
    }
    expect([await coinsOf('ann'), await coinsOf('bob')]).toEqual([31n, 4n]);
  });

  test('messages behind one that failed before all it says was prepared', async () => {
    const fresh = openDatabase({ url: database.url, max: 3 });
    // The second list of the first job does not fail, and the server does not reach it.
    const lists = (taken: bigint): Write[][] => [[add('ann', -taken)], [add('bob', 1n), add('ann', 1n)]];
    const all = [11n, 11n, 11n, 1n, 1n, 1n].map((taken) => commitAlone(fresh, lists(taken)));
    const states = (await Promise.allSettled(all)).map(({ status }) => status);
    expect(states).toEqual(['rejected', 'rejected', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled']);
    await commitAlone(fresh, lists(1n));
    await fresh.close();
    expect([await coinsOf('ann'), await coinsOf('bob')]).toEqual([10n, 14n]);
  });

  test('more rows than expected are as wrong as fewer', async () => {
    const all: Write = { statement: sql`UPDATE purses SET coins = coins + 1`, rows: 1 };
    await expect(inTx((tx) => tx.write([all]))).rejects.toThrow(InvariantError);
    await inTx((tx) => tx.write([{ ...all, rows: 2 }]));
    expect([await coinsOf('ann'), await coinsOf('bob')]).toEqual([11n, 11n]);
  });

  test('none at all is none', async () => {
    await inTx((tx) => tx.write([]));
    await db.writeOnce([]);
  });

  test('inserts, updates and deletes travel together', async () => {
    await db.writeOnce([
      {
        statement: sql`INSERT INTO purses VALUES ('cid', ${1n}::numeric), ('dan', ${2n}::numeric)`,
        rows: 'all',
      },
      add('ann', 1n),
      { statement: sql`DELETE FROM purses WHERE owner = ${'bob'}`, rows: 1 },
    ]);
    expect([await coinsOf('cid'), await coinsOf('dan'), await coinsOf('ann'), await coinsOf('bob')]).toEqual([
      1n,
      2n,
      11n,
      undefined,
    ]);
  });

  test('R-114 writeOnce stores all or nothing', async () => {
    const twice = db.writeOnce([
      { statement: sql`INSERT INTO purses VALUES ('cid', 1)`, rows: 'all' },
      { statement: sql`INSERT INTO purses VALUES ('ann', 1)`, rows: 'all' },
    ]);
    await expect(twice).rejects.toSatisfy(isUniqueViolation);
    expect(await coinsOf('cid')).toBeUndefined();
  });

  test('R-146 under any number of concurrent debits a balance never falls below zero', async () => {
    const debits = Array.from({ length: 25 }, () => inTx((tx) => tx.write([add('ann', -1n)])));
    const results = await Promise.allSettled(debits);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    expect(await coinsOf('ann')).toBe(0n);
  });
});

test('D-669 work whose wait for a lock is cancelled is done again, as after a time-out', async () => {
  let waiting = 0;
  let done: Promise<void> | undefined;
  await db.transaction(async (holder) => {
    await holder.query(sql`SELECT 1 FROM purses WHERE owner = 'ann' FOR UPDATE`);
    const added = db.transaction(async (tx) => {
      const [own] = await tx.query<{ pid: number }>(sql`SELECT pg_backend_pid() AS pid`);
      waiting = own?.pid ?? 0;
      await tx.write([add('ann', 5n)]);
    });
    // The first wait ends by its limit: the second one is longer.
    await untilBlocked(db, holder);
    await expect
      .poll(() =>
        db.query(sql`SELECT pg_cancel_backend(${waiting}) WHERE ${waiting} IN (
        SELECT pid FROM pg_locks WHERE NOT granted)`),
      )
      .toHaveLength(1);
    done = added;
  });
  await done;
  expect(await coinsOf('ann')).toBe(15n);
});

describe('H-25 a database that is not there', () => {
  test('is service_unavailable, for every way of asking', async () => {
    const nowhere = openDatabase({ url: `postgres://nobody@127.0.0.1:${await freePort()}/none` });
    const unavailable = { code: 'service_unavailable', status: 503, detail: { retry_after_s: 5 } };
    await expect(nowhere.query(sql`SELECT 1`)).rejects.toMatchObject(unavailable);
    await expect(nowhere.writeOnce([add('ann', 1n)])).rejects.toMatchObject(unavailable);
    await expect(nowhere.transaction(() => Promise.resolve())).rejects.toMatchObject(unavailable);
    await nowhere.close();
  });

  test('a connection lost inside a transaction is unavailable too, and the pool goes on', async () => {
    const lost = db.transaction(async (tx) => {
      const [row] = await tx.query<{ pid: number }>(sql`SELECT pg_backend_pid() AS pid`);
      await db.query(sql`SELECT pg_terminate_backend(${row?.pid}::int)`);
      await tx.query(sql`SELECT 1`);
    });
    await expect(lost).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(await coinsOf('ann')).toBe(10n);
  });

  test('a statement that is wrong is not dressed up as that', async () => {
    const wrong = db.query(sql`SELECT nonsense`);
    await expect(wrong).rejects.toSatisfy((error) => sqlState(error) === '42703');
  });
});

test('D-760 the error of a lost idle connection does not carry the connection', async () => {
  const lost: Error[] = [];
  const idle = openDatabase({ url: database.url, max: 1, onError: (error) => lost.push(error) });
  const [row] = await idle.query<{ pid: number }>(sql`SELECT pg_backend_pid() AS pid`);
  await db.query(sql`SELECT pg_terminate_backend(${row?.pid ?? 0})`);
  await expect.poll(() => lost.length).toBeGreaterThan(0);
  await idle.close();
  for (const error of lost) expect(error).not.toHaveProperty('client');
});

test('D-1104 a transaction without limits goes on after its work was elsewhere for long', async () => {
  const patient = openDatabase({ url: database.url, max: 1, idle_limit_ms: 1_000 });
  const work = async (tx: Tx): Promise<string> => {
    await tx.write([add('ann', -3n)]);
    await pause(2_000);
    await tx.write([add('bob', 3n)]);
    return 'done';
  };
  expect(await patient.transaction(work, { unlimited: true })).toBe('done');
  expect([await coinsOf('ann'), await coinsOf('bob')]).toEqual([7n, 13n]);
  await patient.close();
});

test('H-25 a process never has more connections than its total, for any load', async () => {
  const application_name = 'counted';
  const counted = openDatabase({ url: database.url, max: 3, application_name });
  const select = sql`SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = ${application_name}`;
  await counted.listen('one', () => undefined);
  await counted.listen('two', () => undefined);
  const nap = sql`SELECT pg_sleep(0.02)`;
  let isBusy = true;
  const again = async (ask: () => Promise<unknown>): Promise<void> => {
    while (isBusy) await ask();
  };
  const work = Promise.all([
    again(() => counted.transaction((tx) => tx.query(nap), { unlimited: true })),
    ...[1, 2, 3, 4].map(() => again(() => counted.query(nap))),
    again(() => counted.checkLookups()),
  ]);
  const look = async (): Promise<number> => (await db.query<{ n: number }>(select))[0]?.n ?? 0;
  const most = 3 + connectionsBesidePool;
  await expect.poll(look).toBeGreaterThanOrEqual(most);
  const seen: number[] = [];
  for (let looks = 0; looks < 20; looks++) seen.push(await look());
  isBusy = false;
  await work;
  expect(Math.max(...seen)).toBe(most);
  // Its place is free again.
  expect(await Promise.all([1, 2, 3].map(() => counted.query(nap)))).toHaveLength(3);
  await counted.close();
});

describe('listening', () => {
  /** Waits, at most five seconds, until a list of received messages has an entry. */
  async function heard(list: string[], entry: string): Promise<void> {
    await expect.poll(() => list).toContain(entry);
  }

  test('a listener wakes at each notification, and again after its connection was lost', async () => {
    const list: string[] = [];
    const stop = await db.listen('a_channel', (payload) => list.push(payload));
    expect(list).toEqual(['']);
    await db.query(sql`SELECT pg_notify('a_channel', 'one')`);
    await heard(list, 'one');

    list.length = 0;
    await db.query(sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND query = 'LISTEN "a_channel"'`);
    await heard(list, '');
    await db.query(sql`SELECT pg_notify('a_channel', 'two')`);
    await heard(list, 'two');

    await stop();
    list.length = 0;
    await db.query(sql`SELECT pg_notify('a_channel', 'three')`);
    const listening = sql`SELECT 1 FROM pg_stat_activity
      WHERE datname = current_database() AND query = 'LISTEN "a_channel"'`;
    await expect.poll(() => db.query(listening)).toEqual([]);
    expect(list).toEqual([]);
  });

  test('that never began leaves nothing behind', async () => {
    const nowhere = openDatabase({ url: `postgres://nobody@127.0.0.1:${await freePort()}/none` });
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    await expect(nowhere.listen('a_channel', () => undefined)).rejects.toThrow(/ECONNREFUSED/);
    expect(timers()).toBeLessThanOrEqual(before);
    await nowhere.close();
  });
});
