import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase, sql, type Row } from '../../../src/base/pg/index.ts';
import { freshDatabase, type TestDatabase } from '../../support/servers/database.ts';

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

test('every caller gets the answer to their own query, with any number of concurrent callers', async () => {
  const answers = await Promise.all(Array.from({ length: 500 }, (_, n) => echo(n)));
  expect(answers.map(([row]) => row?.n)).toEqual(Array.from({ length: 500 }, (_, n) => n));
});

/** One in four fails: in the database, or because the driver cannot read the answer. */
test.each([
  ['that the database refuses', (n: number) => sql`SELECT 12 / ${n % 4}::int AS n`],
  ['whose answer cannot be read', (n: number) => sql`SELECT ${n % 4 === 0 ? '0.5' : '4'}::numeric AS n`],
])('a question %s spoils no other on the same connection', async (_, question) => {
  // Both connections have prepared it; otherwise each query would be sent alone.
  for (let i = 0; i < 4; i++) {
    await db.lookups.query(question(1));
    await echo(i);
  }
  const asked = Array.from({ length: 40 }, (_, n) => db.lookups.query(question(n)));
  const others = await Promise.all(Array.from({ length: 40 }, (_, n) => echo(n)));
  expect(others.map(([row]) => row?.n)).toEqual(Array.from({ length: 40 }, (_, n) => n));
  const answers = await Promise.allSettled(asked);
  expect(answers.map(({ status }) => status)).toEqual(
    answers.map((_, n) => (n % 4 === 0 ? 'rejected' : 'fulfilled')),
  );
});

test('rows equal those of the driver: several, none, null columns, every type', async () => {
  const questions = [
    sql`SELECT n, NULL::text AS nothing FROM generate_series(1, ${3}::bigint) AS n`,
    sql`SELECT 1 AS n WHERE ${false}::boolean`,
    sql`SELECT ${'é\n'}::text AS t, ${new Date(0)}::timestamptz AS at, ${'{"a":[1]}'}::jsonb AS j, ${['x']}::text[] AS list,
      ${true}::boolean AS yes, ${Buffer.from('ab')}::bytea AS bytes, ${12n}::numeric AS big, ${null}::int AS no`,
  ];
  const expected: Row[][] = [];
  for (const question of questions) expected.push(await db.query(question));
  for (let i = 0; i < 4; i++) {
    const rows = await Promise.all(questions.map((question) => db.lookups.query(question)));
    expect(rows).toEqual(expected);
  }
});

test('few connections serve all of them', async () => {
  await Promise.all(Array.from({ length: 50 }, (_, n) => echo(n)));
  const [row] = await db.query<{ connections: number }>(
    sql`SELECT count(*)::int AS connections FROM pg_stat_activity
      WHERE datname = current_database() AND backend_type = 'client backend'`,
  );
  // Two for look-ups, and the one that asks.
  expect(row?.connections).toBe(3);
});

test('H-25 queries on a lost connection are sent once more on a new one', async () => {
  const wait = (seconds: number) => db.lookups.query(sql`SELECT pg_sleep(${seconds}::float8)`);
  // Known to both connections, so that the two go as one message.
  for (let i = 0; i < 4; i++) await wait(0);
  const underWay = Promise.all([wait(0.2), wait(0.2)]);
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
