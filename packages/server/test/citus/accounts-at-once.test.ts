import { expect, inject, test } from 'vitest';
import { openDatabase, sql } from '../../src/base/pg/index.ts';
import { serviceRole } from '../../src/embedded/access.ts';
import { eventually, startTestService } from '../support/desks/service.ts';
import { addStaff } from '../support/people/staff.ts';
import { askNode, inDatabase, workersOf } from '../support/servers/citus.ts';
import { freshDatabase } from '../support/servers/database.ts';
import { untilBlocked } from '../support/servers/lock-waits.ts';

/** The people of a cluster lie on every node, where a lock of one of them is a lock of all. */

/** How many transactions the servers of a cluster have ended because they waited for each other. */
async function deadlocksOf(database_url: string): Promise<number> {
  const url = inject('citusUrl') ?? '';
  const name = new URL(database_url).pathname.slice(1);
  let deadlocks = 0;
  for (const node of [url, ...(await workersOf(url))].map((one) => inDatabase(one, name))) {
    // A server process counts for others when it ends, at the latest.
    const serving = `SELECT pid FROM pg_stat_activity WHERE datname = '${name}' AND usename = '${serviceRole}'`;
    await eventually(
      () => askNode(node, serving),
      ({ length }) => length === 0,
    );
    const [row] = await askNode(node, `SELECT deadlocks FROM pg_stat_database WHERE datname = '${name}'`);
    deadlocks += Number(row?.deadlocks);
  }
  return deadlocks;
}

test('D-1094 administrators who create accounts at once never wait for each other in a circle', async () => {
  const database = await freshDatabase();
  const service = await startTestService({ database });
  const staff = [await addStaff(service, 'Ada First'), await addStaff(service, 'Bea Second')];
  const db = openDatabase({ url: database.url, max: 2 });
  const { creations } = await db.transaction(async (tx) => {
    await tx.query(sql`SELECT 1 FROM users FOR UPDATE`);
    const creations = staff.map((one, n) =>
      one.call('POST', '/users', {
        email: `new-${n}@example.com`,
        name: 'New',
        password: 'long enough Xq 7',
      }),
    );
    await untilBlocked(db, tx, creations.length);
    return { creations };
  });
  expect((await Promise.all(creations)).map(({ status }) => status)).toEqual([201, 201]);
  await db.close();
  await service.service.stop();
  expect(await deadlocksOf(database.url)).toBe(0);
});
