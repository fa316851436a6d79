import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { Sql } from 'sql-template-tag';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { days, hours, later, minutes, type Clock } from '../../../src/base/time/clock.ts';
import {
  type Database,
  migrate,
  migrationsDir,
  openDatabase,
  type Queryable,
  type Row,
  sql,
  type Tx,
} from '../../../src/base/pg/index.ts';
import { keepOrderSums, rebuildOrderSums } from '../../../src/collection/figures/keep-sums.ts';
import type { DaySums } from '../../../src/collection/figures/order-sums.sql.ts';
import { readPlatformDays } from '../../../src/collection/figures/platform-figures.ts';
import { insertOrder } from '../../../src/collection/orders/order.sql.ts';
import type { CollectionOrder } from '../../../src/collection/orders/index.ts';
import { readOneSnapshot } from '../../../src/ledger/verification/index.ts';
import { insertMerchant } from '../../../src/merchants/merchant.sql.ts';
import { checkBooks, verifyBooks } from '../../../src/payments/facts/index.ts';
import { platformBook } from '../../../src/base/ids.ts';
import { emptyDatabase, freshDatabase, type TestDatabase } from '../../support/servers/database.ts';
import { untilBlocked } from '../../support/servers/lock-waits.ts';
import { merchant_id, other_merchant_id, sampleMerchant, sampleOrder } from '../../support/desks/samples.ts';

let database: TestDatabase;
let db: Database;
/** The clocks of Europe, of America and of Australia changed less than thirty days ago. */
const now = new Date('2026-04-10T12:05:00Z');
const clock: Clock = { now: () => now, real: () => now };

beforeAll(async () => {
  database = await freshDatabase();
  db = openDatabase({ url: database.url, max: 3 });
  for (const id of [merchant_id, other_merchant_id])
    await db.transaction((tx) => insertMerchant(tx, sampleMerchant({ merchant_id: id })));
});

afterAll(async () => {
  await db.close();
  await database.drop();
});

const paidAt = (n: number, occurred_at: Date): Partial<CollectionOrder> => ({
  ...{ status: 'paid', occurred_at, event_id: `pe_${n}` },
  ...{ payment_no: 'ch_card', provider_trade_no: `trade_${n}` },
});

const sorted = (rows: readonly Row[]) =>
  rows
    .map((row) =>
      JSON.stringify(row, (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)),
    )
    .sort();

/** The sums of all orders of a day in a zone, computed only from the orders. */
const straight = (time_zone: string): Promise<DaySums[]> =>
  db.query<DaySums>(
    sql`SELECT to_char(t.at AT TIME ZONE ${time_zone}, 'YYYY-MM-DD') AS day, currency, currency_decimals,
        count(*) FILTER (WHERE t.what = 'created') AS created,
        count(*) FILTER (WHERE t.what = 'created' AND status = 'paid') AS created_paid,
        count(*) FILTER (WHERE t.what = 'paid') AS paid,
        coalesce(sum(amount_minor) FILTER (WHERE t.what = 'paid'), 0) AS paid_minor
      FROM collection_orders
        CROSS JOIN LATERAL (VALUES ('created', created_at), ('paid', occurred_at)) AS t (what, at)
      WHERE NOT test_mode AND t.at >= ${later(now, -days(33))} AND (t.what = 'created' OR status = 'paid')
      GROUP BY 1, 2, 3`,
  );

const faults = async () =>
  (await verifyBooks(db)).findings
    .filter(({ kind }) => kind === 'order_sums_differ')
    .map(({ book, subject }) => [book, subject]);

test('D-638 the overview is exact in zones of half and three quarters of an hour, and on days of 23 and 25 hours', async () => {
  // At the first instant of each quarter of an hour, or the last one before it: both sides of each midnight of these zones.
  const orders = Array.from({ length: 33 * 96 }, (_, n) => {
    const created_at = new Date(later(now, -minutes(15 * n + 5)).getTime() - (n % 2));
    const no = `mp_${String(n).padStart(26, '0')}`;
    return sampleOrder({
      ...{ order_no: no, idempotency_key: no, created_at, test_mode: n % 11 === 0 },
      merchant_id: n % 3 === 0 ? other_merchant_id : merchant_id,
      ...(n % 5 === 0 ? { currency: 'JPY', currency_decimals: 0 } : {}),
      // Together more than a float holds exactly.
      amount_minor: n % 7 === 0 ? 9_007_199_254_740_991n - BigInt(n) : BigInt(n + 1),
      ...(n % 4 === 0 ? { status: 'expired' } : paidAt(n, later(created_at, minutes(n % 40)))),
    });
  });
  await db.transaction(async (tx) => {
    for (const order of orders) await tx.write([insertOrder(order)]);
  });
  const zones = [
    ...['UTC', 'Asia/Kathmandu', 'Asia/Kolkata', 'Pacific/Chatham', 'Australia/Lord_Howe'],
    ...['Europe/Berlin', 'America/New_York', 'America/St_Johns', 'Pacific/Kiritimati'],
  ];
  const expectExact = async (): Promise<void> => {
    for (const zone of zones) {
      const found = await readPlatformDays(db, now, zone);
      const ofDays = new Map<string, Row>();
      for (const row of found) {
        const key = `${row.day} ${row.currency}`;
        expect(ofDays.has(key), key).toBe(false);
        ofDays.set(key, row);
      }
      expect(sorted(found), zone).toEqual(sorted(await straight(zone)));
    }
  };
  while ((await keepOrderSums({ db, clock })) > 0);
  await expectExact();
  // Orders that change after their sums were made are read one by one, and their sums are taken off.
  await db.query(
    sql`UPDATE collection_orders SET status = 'refunded', status_version = status_version + 1 WHERE status = 'paid' AND right(order_no, 1) IN ('3', '7')`,
  );
  await expectExact();
  await keepOrderSums({ db, clock });
  await expectExact();
  expect(await faults()).toEqual([]);
});

test('D-638 two transactions that change sums of one quarter of an hour at once lose nothing', async () => {
  const quarter = later(now, -days(60));
  let arrived = 0;
  let go: () => void = () => undefined;
  const both = new Promise<void>((resolve) => (go = resolve));
  const add = (id: string, created: bigint): Promise<void> =>
    db.transaction(async (tx) => {
      await readOneSnapshot(tx, 'read write');
      await tx.query(sql`SELECT count(*) FROM platform_sums`);
      if (++arrived === 2) go();
      await both;
      await tx.query(sql`INSERT INTO order_sums (merchant_id, quarter, currency, currency_decimals, created, created_paid, paid,
        paid_minor) VALUES (${id}, ${quarter}, 'EUR', 2, ${created}, 0, 0, 0)`);
    });
  await Promise.all([add(merchant_id, 2n), add(other_merchant_id, 3n)]);
  const sums = () =>
    db.query<{ created: bigint }>(
      sql`SELECT created FROM platform_sums WHERE quarter = ${quarter} AND currency = 'EUR'`,
    );
  expect(await sums()).toEqual([{ created: 5n }]);
  await db.query(sql`UPDATE order_sums SET created = created + 4, currency = 'CHF'
    WHERE quarter = ${quarter} AND merchant_id = ${merchant_id}`);
  expect(await sums()).toEqual([{ created: 3n }]);
  await db.query(sql`DELETE FROM order_sums WHERE quarter = ${quarter}`);
  expect(await sums()).toEqual([{ created: 0n }]);
});

test('D-639 a check finds a sum of all merchants that was changed, removed or added, and the sums can be computed again', async () => {
  const again = { merchant_ids: [platformBook], subjects: ['order sums'] };
  const other = { merchant_ids: [merchant_id], subjects: ['order sums'] };
  expect(await faults()).toEqual([]);
  for (const damage of [
    sql`UPDATE platform_sums SET paid_minor = paid_minor + 1
      WHERE quarter = (SELECT min(quarter) FROM platform_sums WHERE paid > 0)`,
    sql`DELETE FROM platform_sums WHERE quarter = (SELECT min(quarter) FROM platform_sums WHERE paid > 0)`,
    sql`INSERT INTO platform_sums VALUES (${later(now, -days(365))}, 'USD', 2, 0, 0, 1, 1)`,
  ]) {
    const undone = new Error('undone');
    const damaged = db.transaction(async (tx) => {
      await tx.query(damage);
      expect((await checkBooks(tx, again)).findings).toMatchObject([{ book: 'platform' }]);
      expect((await checkBooks(tx, other)).findings).toEqual([]);
      throw undone;
    });
    await expect(damaged).rejects.toBe(undone);
  }
  await db.query(sql`DELETE FROM platform_sums WHERE paid > 0`);
  expect(await faults()).toEqual([['platform', 'order sums']]);
  await rebuildOrderSums({ db, clock });
  expect(await faults()).toEqual([]);
});

test('D-663 sums are computed again although a worker changes them meanwhile', async () => {
  const quarter = later(now, -days(61));
  const add = (tx: Queryable, id: string): Promise<unknown> =>
    tx.query(sql`INSERT INTO order_sums (merchant_id, quarter, currency, currency_decimals, created, created_paid, paid,
      paid_minor) VALUES (${id}, ${quarter}, 'EUR', 2, 5, 0, 0, 0)`);
  await add(db, merchant_id);
  await db.query(sql`DELETE FROM platform_sums WHERE quarter = ${quarter}`);
  const worker = openDatabase({ url: database.url, max: 1 });
  let added: Promise<unknown> = Promise.resolve();
  /** Each time after the old sums are gone, a worker adds to them: it waits for the new ones, or it has done so before. */
  const meanwhile: Database = {
    ...db,
    transaction: (work) =>
      db.transaction((tx) =>
        work({
          ...tx,
          query: async (statement: Sql) => {
            const rows = await tx.query(statement);
            if (!statement.sql.startsWith('DELETE FROM platform_sums')) return rows;
            added = worker.query(
              sql`DELETE FROM order_sums WHERE merchant_id = ${other_merchant_id} AND quarter = ${quarter}`,
            );
            added = added.then(() => add(worker, other_merchant_id));
            await Promise.race([added, untilBlocked(db, tx)]);
            return rows;
          },
        } as Tx),
      ),
  };
  try {
    await rebuildOrderSums({ db: meanwhile, clock });
    await added;
  } finally {
    await worker.close();
  }
  expect((await faults()).filter(([book]) => book === 'platform')).toEqual([]);
  await db.query(sql`DELETE FROM order_sums WHERE quarter = ${quarter}`);
});

test('D-663 all sums are computed again, although another worker was faster with some of them', async () => {
  const no = `mp_${'7'.repeat(26)}`;
  const order = {
    order_no: no,
    idempotency_key: no,
    created_at: later(now, -hours(3)),
    status: 'expired',
  } as const;
  await db.transaction((tx) => tx.write([insertOrder(sampleOrder(order))]));
  let turns = 0;
  const overtaken: Database = {
    ...db,
    transaction: (work, options) =>
      turns++ === 0
        ? Promise.reject(Object.assign(new pg.DatabaseError('taken', 0, 'error'), { code: '40001' }))
        : db.transaction(work, options),
  };
  await rebuildOrderSums({ db: overtaken, clock });
  const left = sql`SELECT DISTINCT merchant_id FROM collection_orders EXCEPT SELECT merchant_id FROM order_sum_marks`;
  expect(await db.query(left)).toEqual([]);
});

test('D-638 sums that a release before kept are added up when the schema changes', async () => {
  const older = await emptyDatabase();
  const there = openDatabase({ url: older.url, max: 1 });
  try {
    const dir = await mkdtemp(join(tmpdir(), 'migrations-'));
    for (const name of (await readdir(migrationsDir)).filter((one) => one < '0109'))
      await cp(join(migrationsDir, name), join(dir, name));
    await migrate(older.url, { dir });
    await rm(dir, { recursive: true });
    const at = later(now, -hours(3));
    for (const [id, currency, created] of [
      [merchant_id, 'USD', 2n],
      [other_merchant_id, 'USD', 3n],
      [merchant_id, 'EUR', 7n],
    ])
      await there.query(sql`INSERT INTO order_sums (merchant_id, quarter, currency, currency_decimals, created, created_paid, paid,
        paid_minor) VALUES (${id}, ${at}, ${currency}, 2, ${created}, 1, 1, 10)`);
    await migrate(older.url);
    expect(
      await there.query(sql`SELECT currency, created, paid, paid_minor FROM platform_sums ORDER BY 1`),
    ).toEqual([
      { currency: 'EUR', created: 7n, paid: 1n, paid_minor: 10n },
      { currency: 'USD', created: 5n, paid: 2n, paid_minor: 20n },
    ]);
  } finally {
    await there.close();
    await older.drop();
  }
});
