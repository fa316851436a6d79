import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { GuardError } from '../../../src/base/errors.ts';
import {
  copyDistributed,
  type Database,
  distribute,
  openDatabase,
  plannedPlacements,
  settledCommits,
  sql,
  type Write,
} from '../../../src/base/pg/index.ts';
import { shrinkBalances } from '../../../src/ledger/books/ledger.sql.ts';
import { askDatabase, freshDatabase, type TestDatabase } from '../../support/servers/database.ts';

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
  // What the engine answers, one look after the other: the transactions that are prepared on its servers.
  await askDatabase(database.url, 'CREATE TABLE looks (n int PRIMARY KEY, prepared text NOT NULL)');
  await askDatabase(
    database.url,
    `CREATE FUNCTION run_command_on_all_nodes(text) RETURNS TABLE (result text) LANGUAGE sql AS $$
      WITH next AS (DELETE FROM looks WHERE n = (SELECT min(n) FROM looks) RETURNING prepared)
      SELECT coalesce((SELECT prepared FROM next), '') $$`,
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

describe('D-337 on distributed tables each write is a separate statement, and all of them commit or none', () => {
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

  test.each(ways)('%s takes from several balances what they cover, or nothing', async (_, run, outcome) => {
    const book = '01890a5d-ac96-774b-bcce-b302099a8057';
    const balances = () =>
      askDatabase<{ ref: string; balance: string }>(
        database.url,
        'SELECT ref, balance FROM ledger_balances ORDER BY ref',
      );
    await askDatabase(database.url, `DELETE FROM ledger_balances`);
    await askDatabase(
      database.url,
      `INSERT INTO ledger_balances SELECT '${book}', 'm:held', ref, 'PTK', balance
        FROM (VALUES ('a', 10), ('b', 2), ('c', 4)) AS v (ref, balance)`,
    );
    const take = (takings: { ref: string; amount: bigint }[]): Write => ({
      ...shrinkBalances(book, 'm:held', takings),
    });
    // Half of the first, and more than there is of the second.
    const refused = run([
      take([
        { ref: 'a', amount: 5n },
        { ref: 'b', amount: 3n },
      ]),
    ]);
    if (outcome === 'throws') await expect(refused).rejects.toThrow(GuardError);
    else expect(await refused).toBe(false);
    expect((await balances()).map(({ balance }) => Number(balance))).toEqual([10, 2, 4]);
    // Half of the first, and all of the second.
    await run([
      take([
        { ref: 'a', amount: 5n },
        { ref: 'b', amount: 2n },
      ]),
    ]);
    expect((await balances()).map(({ ref, balance }) => [ref, Number(balance)])).toEqual([
      ['a', 5],
      ['c', 4],
    ]);
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

test('D-425 what was prepared when a check began is awaited, and nothing that came later', async () => {
  await askDatabase(database.url, `INSERT INTO looks VALUES (1, 'a b'), (2, 'b c'), (3, 'c d'), (4, 'e')`);
  expect(await db.transaction(settledCommits)).toBe(true);
  expect(await askDatabase(database.url, 'SELECT n FROM looks')).toEqual([{ n: 4 }]);
  await askDatabase(database.url, 'DELETE FROM looks');
});

test.each(['mark_withdrawal_decided', 'mark_case_resolved'])(
  'D-425 a decision may name its transaction itself: %s keeps it',
  async (marks) => {
    await askDatabase(
      database.url,
      'CREATE TABLE decided (id int, decided_at timestamptz, resolved_at timestamptz, sealed_xact bigint)',
    );
    await askDatabase(
      database.url,
      `CREATE TRIGGER marks BEFORE UPDATE ON decided FOR EACH ROW EXECUTE FUNCTION ${marks}()`,
    );
    await askDatabase(database.url, 'INSERT INTO decided VALUES (1, NULL, NULL, 3), (2, NULL, NULL, 3)');
    const decide = `UPDATE decided SET decided_at = '2026-01-01Z', resolved_at = '2026-01-01Z'`;
    await askDatabase(database.url, `${decide}, sealed_xact = 4 WHERE id = 1`);
    await askDatabase(database.url, `${decide} WHERE id = 2`);
    const rows = await askDatabase<{ is_named: boolean; is_counted: boolean }>(
      database.url,
      'SELECT sealed_xact = 4 AS is_named, sealed_xact > 4 AS is_counted FROM decided ORDER BY id',
    );
    await askDatabase(database.url, 'DROP TABLE decided');
    expect(rows).toEqual([
      { is_named: true, is_counted: false },
      { is_named: false, is_counted: true },
    ]);
  },
);

test('D-336 a database without the engine cannot be distributed, and says why', async () => {
  const refusal = /This database has no Citus: run CREATE EXTENSION citus on every node/;
  await expect(plannedPlacements(database.url, () => undefined)).rejects.toThrow(refusal);
  await expect(distribute(database.url, { shards: 4, say: () => undefined })).rejects.toThrow(refusal);
});
