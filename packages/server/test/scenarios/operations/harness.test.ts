import { expect, inject, test } from 'vitest';
import { askDatabase, emptyDatabase, freshDatabase } from '../../support/servers/database.ts';

const tables = `SELECT count(*)::int AS n FROM information_schema.tables WHERE table_schema = 'public'`;

test('a fresh database has every migration applied, and shares nothing with the next', async () => {
  const [one, other] = await Promise.all([freshDatabase(), freshDatabase()]);
  await askDatabase(one.url, 'CREATE TABLE only_here ()');
  const [[mine], [theirs]] = await Promise.all([
    askDatabase(one.url, tables),
    askDatabase(other.url, tables),
  ]);
  expect((theirs as { n: number }).n).toBeGreaterThan(1);
  expect((mine as { n: number }).n).toBe((theirs as { n: number }).n + 1);
  await Promise.all([one.drop(), other.drop()]);
  await expect(askDatabase(one.url, 'SELECT 1')).rejects.toThrow(/does not exist/);
});

test('an empty database has no tables', async () => {
  const database = await emptyDatabase();
  expect(await askDatabase(database.url, tables)).toEqual([{ n: 0 }]);
  await database.drop();
});

test('each project runs the PostgreSQL it names', async () => {
  const [row] = await askDatabase(
    inject('adminUrl'),
    `SELECT current_setting('server_version_num')::int AS version`,
  );
  const { version } = row as { version: number };
  if (inject('postgresBin') === null) expect(version).toBeGreaterThanOrEqual(180_000);
  else expect(version).toBeGreaterThanOrEqual(150_000);
});
