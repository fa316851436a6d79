import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { GuardError } from '../../src/base/errors.ts';
import {
  copyDistributed,
  type Database,
  distribute,
  openDatabase,
  plannedPlacements,
  sql,
  type Write,
} from '../../src/base/pg/index.ts';
import { askDatabase, freshDatabase, type TestDatabase } from '../support/database.ts';

/** How writes run on distributed tables, on a server that takes itself for one: it has the engine's table of tables. */
let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await freshDatabase();
  await askDatabase(database.url, 'CREATE TABLE kept (id int PRIMARY KEY, n int NOT NULL)');
  await askDatabase(database.url, 'CREATE VIEW kept_ids AS SELECT id FROM kept');
  await askDatabase(
    database.url,
    `CREATE TABLE pg_dist_partition AS SELECT 'h' AS partmethod, 'kept'::regclass AS logicalrelid`,
  );
  db = openDatabase({ url: database.url, max: 4 });
  await db.query(sql`SELECT 1`);
});
afterAll(async () => {
  await db.close();
  await database.drop();
});
beforeEach(() => askDatabase(database.url, 'DELETE FROM kept'));

const insert = (id: number): Write => ({
  statement: sql`INSERT INTO kept (id, n) VALUES (${id}::int, 0)`,
  rows: 'all',
});
const raise = (id: number): Write => ({
  statement: sql`UPDATE kept SET n = n + 1 WHERE id = ${id}::int`,
  rows: 1,
  row: `kept ${id}`,
});
/** Takes one, or the row if nothing would be left. */
const take = (id: number): Write => ({
  statement: sql`UPDATE kept SET n = n - 1 WHERE id = ${id}::int AND n > 1`,
  or: sql`DELETE FROM kept WHERE id = ${id}::int AND n = 1`,
  rows: 1,
});
const kept = () => askDatabase<{ id: number; n: number }>(database.url, 'SELECT id, n FROM kept ORDER BY id');

/** Each way to write, and what it does when a guard does not hold. */
const ways: [string, (...lists: Write[][]) => Promise<unknown>, 'throws' | 'answers false'][] = [
  [
    'write',
    (...lists) =>
      db.transaction(async (tx) => {
        for (const writes of lists) await tx.write(writes);
      }),
    'throws',
  ],
  ['finish in a transaction', (...lists) => db.transaction((tx) => tx.finish(...lists)), 'throws'],
  ['finish alone', (...lists) => db.finish(...lists), 'answers false'],
];

describe('D-337 on distributed tables each write is a statement of its own, and all of them commit or none', () => {
  test('a connection tells that its tables are distributed', async () => {
    expect(db.isDistributed).toBe(true);
    expect(await db.transaction((tx) => Promise.resolve(tx.isDistributed))).toBe(true);
  });

  test.each(ways)('%s keeps all writes', async (_, run) => {
    await run([insert(1), insert(2)], [raise(1)]);
    expect(await kept()).toEqual([
      { id: 1, n: 1 },
      { id: 2, n: 0 },
    ]);
  });

  test.each(ways)('%s keeps nothing if a guard does not hold', async (_, run, outcome) => {
    const outcomeOf = run([insert(1)], [insert(2), raise(3)]);
    if (outcome === 'throws') await expect(outcomeOf).rejects.toThrow(GuardError);
    else expect(await outcomeOf).toBe(false);
    expect(await kept()).toEqual([]);
  });

  test.each(ways)('%s runs a second statement only where the first does not apply', async (_, run) => {
    await run([insert(1)], [raise(1)], [raise(1)], [take(1)]);
    expect(await kept()).toEqual([{ id: 1, n: 1 }]);
    await run([insert(2), take(1)]);
    expect(await kept()).toEqual([{ id: 2, n: 0 }]);
  });

  test.each(ways)('%s keeps nothing if a key is taken', async (_, run, outcome) => {
    await db.writeOnce([insert(2)]);
    const outcomeOf = run([insert(1), raise(1)], [insert(2)]);
    if (outcome === 'throws') await expect(outcomeOf).rejects.toThrow(/duplicate key/);
    else expect(await outcomeOf).toBe(false);
    expect(await kept()).toEqual([{ id: 2, n: 0 }]);
  });

  test('several writes without guards are one transaction', async () => {
    await db.writeOnce([insert(1), insert(2)]);
    await expect(db.writeOnce([insert(3), insert(2)])).rejects.toThrow(/duplicate key/);
    expect((await kept()).map(({ id }) => id)).toEqual([1, 2]);
  });

  test('the limit of waits for locks goes with each transaction to the servers that it comes to', async () => {
    const [row] = await db.transaction((tx) =>
      tx.query<{ limit: string; passed: string }>(
        sql`SELECT current_setting('lock_timeout') AS limit, current_setting('citus.propagate_set_commands') AS passed`,
      ),
    );
    expect(row).toEqual({ limit: '100ms', passed: 'local' });
  });
});

test('D-337 a check reads copies of distributed tables on one server, and leaves nothing behind', async () => {
  await db.writeOnce([insert(1), insert(2)]);
  const persistence = sql`SELECT relname::text AS name, relpersistence::text AS kind FROM pg_class
    WHERE oid IN ('kept'::regclass, 'kept_ids'::regclass) ORDER BY 1`;
  await db.transaction(async (tx) => {
    await copyDistributed(tx);
    expect(await tx.query(persistence)).toEqual([
      { name: 'kept', kind: 't' },
      { name: 'kept_ids', kind: 't' },
    ]);
    expect(await tx.query(sql`SELECT id FROM kept_ids ORDER BY id`)).toEqual([{ id: 1 }, { id: 2 }]);
  });
  expect(await db.query(persistence)).toEqual([
    { name: 'kept', kind: 'p' },
    { name: 'kept_ids', kind: 'p' },
  ]);
});

test('D-336 a database without the engine cannot be distributed, and says why', async () => {
  const refusal = /This database has no Citus: run CREATE EXTENSION citus on every node/;
  await expect(plannedPlacements(database.url)).rejects.toThrow(refusal);
  await expect(distribute(database.url, { shards: 4, say: () => undefined })).rejects.toThrow(refusal);
});
