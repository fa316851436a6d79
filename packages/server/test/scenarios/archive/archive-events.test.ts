import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase, sql } from '../../../src/base/pg/index.ts';
import { insertMerchant } from '../../../src/merchants/merchant.sql.ts';
import { selectOrderOfEvent } from '../../../src/notifications/delivery-records/index.ts';
import { freshDatabase, type TestDatabase } from '../../support/servers/database.ts';
import { merchant_id, other_merchant_id, sampleMerchant } from '../../support/desks/samples.ts';

let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await freshDatabase();
  db = openDatabase({ url: database.url, max: 1 });
});

afterAll(async () => {
  await db.close();
  await database.drop();
});

const ulid = (nth: number): string => String(nth).padStart(26, '0');

test('D-533 the look-up reads the archived orders of all merchants that are nearest, also if one merchant has many', async () => {
  for (const id of [merchant_id, other_merchant_id]) {
    await db.transaction((tx) => insertMerchant(tx, sampleMerchant({ merchant_id: id })));
  }
  // Of each merchant ten orders, by turns: the even ones are of the first.
  for (let nth = 1; nth <= 20; nth++) {
    await db.query(sql`INSERT INTO archived_orders (merchant_id, order_no, batch_no, events, confirmed, order_digest)
      VALUES (${nth % 2 === 0 ? merchant_id : other_merchant_id}, ${`mp_${ulid(nth)}`}, 1,
        ${JSON.stringify([[`ne_${ulid(nth)}`, 0, 'paid', '', false, 1, 200]])}::jsonb, true, '')`);
  }
  const found = (nth: number, all: number, of_each: number) =>
    selectOrderOfEvent(db, null, `ne_${ulid(nth)}`, { all, of_each });
  for (let nth = 1; nth <= 20; nth++) {
    expect(await found(nth, 2, 2)).toEqual({ order_no: `mp_${ulid(nth)}` });
  }
  expect(await selectOrderOfEvent(db, merchant_id, `ne_${ulid(7)}`)).toBeNull();
});
