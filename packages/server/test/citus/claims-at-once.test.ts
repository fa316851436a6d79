import { expect, inject, test } from 'vitest';
import { openDatabase, sql } from '../../src/base/pg/index.ts';
import { claimNotice } from '../../src/identity/mail/notice.sql.ts';
import { askNode, inDatabase, workersOf } from '../support/servers/citus.ts';
import { freshDatabase } from '../support/servers/database.ts';
import { overtaken } from '../support/servers/lock-waits.ts';

/** Every node of a cluster has the queue of mails, and runs each claim of a worker on its own copy. */

test('D-1170 a claim that waits for another change takes the same row on every node', async () => {
  const database = await freshDatabase();
  const db = openDatabase({ url: database.url, max: 3 });
  const [now, next] = [new Date(), new Date(Date.now() + 60_000)];
  const queue = (id: string, due_s: number) => sql`
    INSERT INTO account_notices (notice_id, user_id, kind, detail, locale, due_at, tries)
    VALUES (${id}, '0190c1a0-0000-7000-8000-00000000aaaa', 'password_changed', '{}', 'en',
      ${new Date(now.getTime() + due_s * 1_000)}, 0)`;
  await db.query(queue('0190c1a0-0000-7000-8000-000000000001', -10));
  const claimed = await overtaken(
    db,
    db,
    async (tx) => {
      // The table is locked, and a mail that was to be sent later is due first.
      await tx.query(queue('0190c1a0-0000-7000-8000-000000000002', 60));
      await tx.query(sql`UPDATE account_notices SET due_at = ${new Date(now.getTime() - 20_000)}
        WHERE notice_id = '0190c1a0-0000-7000-8000-000000000002'`);
    },
    () => claimNotice(db, now, next),
  );
  expect(claimed?.tries).toBe(1);
  const url = inject('citusUrl') ?? '';
  const name = new URL(database.url).pathname.slice(1);
  for (const node of [url, ...(await workersOf(url))]) {
    const rows = await askNode(
      inDatabase(node, name),
      'SELECT notice_id, tries FROM account_notices ORDER BY notice_id',
    );
    expect(rows.filter(({ tries }) => tries === 1)).toEqual([{ notice_id: claimed?.notice_id, tries: 1 }]);
  }
  await db.close();
  await database.drop();
});
