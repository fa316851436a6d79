import { afterAll, beforeAll, expect, test } from 'vitest';
import { minutes, later } from '../../../src/base/time/clock.ts';
import { type Database, openDatabase, sql } from '../../../src/base/pg/index.ts';
import { insertMerchant } from '../../../src/merchants/merchant.sql.ts';
import { selectBooksWithDue, selectMerchantsWithDue } from '../../../src/payments/engine/due-rows.sql.ts';
import { freshDatabase, type TestDatabase } from '../../support/servers/database.ts';
import { merchant_id, other_merchant_id, sampleMerchant, t0 } from '../../support/desks/samples.ts';

let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await freshDatabase();
  db = openDatabase({ url: database.url, max: 2 });
  for (const id of [merchant_id, other_merchant_id])
    await db.transaction((tx) => insertMerchant(tx, sampleMerchant({ merchant_id: id })));
});

afterAll(async () => {
  await db.close();
  await database.drop();
});

test('D-1185 the merchants whose refunds, disputes, evidence or cases have been due the longest come first', async () => {
  const limit = 1;
  const rows = { table: sql`due_rows` };
  // Stands for each of the tables, whose other columns make no difference.
  await db.query(sql`CREATE TABLE due_rows (merchant_id uuid, check_at timestamptz)`);
  for (const [first, second] of [
    [merchant_id, other_merchant_id],
    [other_merchant_id, merchant_id],
  ] as const) {
    await db.query(sql`DELETE FROM due_rows`);
    for (const [id, waits] of [
      [second, 1],
      [second, 2],
      [first, 1],
      [first, 3],
    ] as const)
      await db.query(sql`INSERT INTO due_rows VALUES (${id}, ${later(t0, -minutes(waits))})`);
    expect(await selectMerchantsWithDue(db, rows, t0, limit)).toEqual([first]);
    expect(await selectBooksWithDue(db, rows, t0, limit)).toEqual([first]);
  }
});
