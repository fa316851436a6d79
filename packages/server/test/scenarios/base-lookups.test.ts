import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase, sql } from '../../src/base/db.ts';
import { freshDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await freshDatabase();
  db = openDatabase({ url: database.url, max: 2 });
});

afterAll(async () => {
  await db.close();
  await database.drop();
});

const echo = (n: number) => db.lookups.query<{ n: number }>(sql`SELECT ${n}::int AS n`);

test('everyone gets the answer to their own question, however many ask at once', async () => {
  const answers = await Promise.all(Array.from({ length: 500 }, (_, n) => echo(n)));
  expect(answers.map(([row]) => row?.n)).toEqual(Array.from({ length: 500 }, (_, n) => n));
});

test('a question that fails spoils no other on the same connection', async () => {
  const asked = Array.from({ length: 40 }, (_, n) =>
    n % 4 === 0 ? db.lookups.query(sql`SELECT 1 / ${0}::int`) : echo(n),
  );
  const answers = await Promise.allSettled(asked);
  expect(answers.map(({ status }) => status)).toEqual(
    answers.map((_, n) => (n % 4 === 0 ? 'rejected' : 'fulfilled')),
  );
});

test('few connections serve all of them', async () => {
  await Promise.all(Array.from({ length: 50 }, (_, n) => echo(n)));
  const [row] = await db.query<{ connections: number }>(
    sql`SELECT count(*)::int AS connections FROM pg_stat_activity WHERE datname = current_database()`,
  );
  // Two for look-ups, and the one that asks.
  expect(row?.connections).toBe(3);
});

test('H-25 what was under way on a lost connection is asked once more on a new one', async () => {
  await Promise.all([echo(1), echo(2)]);
  const underWay = Promise.all([
    db.lookups.query(sql`SELECT pg_sleep(0.2)`),
    db.lookups.query(sql`SELECT pg_sleep(0.2)`),
  ]);
  underWay.catch(() => undefined);
  await db.query(sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()`);
  await underWay;
  expect(await Promise.all([echo(1), echo(2), echo(3)])).toEqual([[{ n: 1 }], [{ n: 2 }], [{ n: 3 }]]);
});

test('H-25 where there is no database it is 503', async () => {
  const nowhere = openDatabase({ url: 'postgres://127.0.0.1:1/paydesk' });
  const failure = await nowhere.lookups.query(sql`SELECT 1`).catch((error: unknown) => error);
  await nowhere.close();
  expect(failure).toMatchObject({ code: 'service_unavailable' });
});
