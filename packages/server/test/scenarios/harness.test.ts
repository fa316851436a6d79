import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { emptyDatabase, freshDatabase } from '../support/database.ts';

async function ask(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<Record<string, unknown>>(statement).finally(() => client.end());
  return rows;
}

const tables = `SELECT count(*)::int AS n FROM information_schema.tables WHERE table_schema = 'public'`;

test('a fresh database has every migration applied, and shares nothing with the next', async () => {
  const [one, other] = await Promise.all([freshDatabase(), freshDatabase()]);
  await ask(one.url, 'CREATE TABLE only_here ()');
  const [[mine], [theirs]] = await Promise.all([ask(one.url, tables), ask(other.url, tables)]);
  expect((theirs as { n: number }).n).toBeGreaterThan(1);
  expect((mine as { n: number }).n).toBe((theirs as { n: number }).n + 1);
  await Promise.all([one.drop(), other.drop()]);
  await expect(ask(one.url, 'SELECT 1')).rejects.toThrow(/does not exist/);
});

test('an empty database has no tables', async () => {
  const database = await emptyDatabase();
  expect(await ask(database.url, tables)).toEqual([{ n: 0 }]);
  await database.drop();
});

test('each project runs the PostgreSQL it names', async () => {
  const [row] = await ask(inject('adminUrl'), `SELECT current_setting('server_version_num')::int AS version`);
  const { version } = row as { version: number };
  if (inject('postgresBin') === null) expect(version).toBeGreaterThanOrEqual(180_000);
  else expect(version).toBeGreaterThanOrEqual(150_000);
});
