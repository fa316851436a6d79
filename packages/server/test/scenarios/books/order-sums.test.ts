import { afterAll, beforeAll, expect, test } from 'vitest';
import { hours, later, minutes, type Clock } from '../../../src/base/time/clock.ts';
import { type Database, openDatabase, raw, sql } from '../../../src/base/pg/index.ts';
import { keepOrderSums, rebuildOrderSums } from '../../../src/collection/figures/keep-sums.ts';
import {
  type DaySums,
  selectDays,
  selectPlatformDays,
} from '../../../src/collection/figures/order-sums.sql.ts';
import { readPlatformDays } from '../../../src/collection/figures/platform-figures.ts';
import { insertOrder, updateOrder } from '../../../src/collection/orders/order.sql.ts';
import type { CollectionOrder } from '../../../src/collection/orders/index.ts';
import { insertMerchant } from '../../../src/merchants/merchant.sql.ts';
import { verifyBooks } from '../../../src/payments/facts/index.ts';
import { freshDatabase, type TestDatabase } from '../../support/servers/database.ts';
import { randomOf } from '../../support/run/random.ts';
import {
  merchant_id,
  other_merchant_id,
  sampleMerchant,
  sampleOrder,
  t0,
} from '../../support/desks/samples.ts';

let database: TestDatabase;
let db: Database;
let now = t0;
const clock: Clock = { now: () => now, real: () => now };
/** In this zone a day begins at a quarter to the hour. */
const zone = { since: later(t0, -hours(24)), time_zone: 'Asia/Kathmandu' };

beforeAll(async () => {
  database = await freshDatabase();
  db = openDatabase({ url: database.url, max: 3 });
  await db.transaction((tx) => insertMerchant(tx, sampleMerchant()));
});

afterAll(async () => {
  await db.close();
  await database.drop();
});

let made = 0;

async function create(change: Partial<CollectionOrder>): Promise<CollectionOrder> {
  const no = `mp_${String(++made).padStart(26, '0')}`;
  const order = sampleOrder({ order_no: no, idempotency_key: no, created_at: now, ...change });
  await db.transaction((tx) => tx.write([insertOrder(order)]));
  return order;
}

async function become(before: CollectionOrder, change: Partial<CollectionOrder>): Promise<CollectionOrder> {
  const after = { ...before, ...change, status_version: before.status_version + 1 };
  await db.transaction((tx) => tx.write([updateOrder(before, after)]));
  return after;
}

const paidAt = (order: CollectionOrder, occurred_at: Date): Partial<CollectionOrder> => ({
  ...{ status: 'paid', occurred_at, event_id: `pe_${order.order_no}` },
  ...{ payment_no: 'ch_card', provider_trade_no: order.order_no },
});

const sorted = (days: readonly DaySums[]) =>
  days
    .map((day) =>
      JSON.stringify(day, (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)),
    )
    .sort();

async function keptUntil(): Promise<Date | undefined> {
  const [mark] = await db.query<{ kept_until: Date }>(
    sql`SELECT kept_until FROM order_sum_marks WHERE merchant_id = ${merchant_id}`,
  );
  return mark?.kept_until;
}

/** What is read with the kept sums is what all orders add up to. */
async function expectExact(): Promise<void> {
  const span = { ...zone, until: later(now, hours(24)) };
  const added = sorted(await selectDays(db, merchant_id, { ...span, is_kept: false }));
  expect(sorted(await selectDays(db, merchant_id, { ...span, is_kept: true }))).toEqual(added);
  expect(sorted(await selectPlatformDays(db, { ...span, is_kept: true }, []))).toEqual(added);
}

test.each([1, 2, 3])(
  'D-397 figures are exact whenever orders end, return and are summed: story %i',
  async (seed) => {
    const random = randomOf(seed);
    const chance = (below: number): number => random.between(0, below - 1);
    const open: CollectionOrder[] = [];
    const ended: CollectionOrder[] = [];
    const steps = [
      async () => {
        const currency = chance(3) === 0 ? { currency: 'JPY', currency_decimals: 0 } : {};
        open.push(
          await create({ ...currency, amount_minor: BigInt(1 + chance(9_999)), test_mode: chance(5) === 0 }),
        );
      },
      async () => {
        const order = open.shift();
        // A provider's clock may differ, in both directions.
        if (order !== undefined)
          ended.push(await become(order, paidAt(order, later(now, minutes(chance(200) - 100)))));
      },
      async () => {
        const order = open.shift();
        if (order !== undefined) ended.push(await become(order, { status: 'expired' }));
      },
      async () => {
        const order = ended.splice(chance(ended.length), 1)[0];
        if (order?.status === 'expired') ended.push(await become(order, paidAt(order, now)));
        if (order?.status === 'paid')
          await become(order, { status: chance(2) === 0 ? 'refunded' : 'chargeback' });
      },
      async () => {
        // From an older system.
        const created_at = later(now, -hours(chance(20)));
        await create({ created_at, ...paidAt(sampleOrder({ order_no: `old_${made}` }), created_at) });
      },
      () => {
        now = later(now, minutes(1 + chance(120)));
        return Promise.resolve();
      },
      () => keepOrderSums({ db, clock }),
    ];
    for (let i = 0; i < 60; i++) {
      await steps[chance(steps.length)]?.();
      if (i % 3 === 0) await expectExact();
    }
    const { findings } = await verifyBooks(db);
    expect(findings.filter(({ kind }) => kind === 'order_sums_differ')).toEqual([]);
    for (const order of open) await become(order, { status: 'expired' });
  },
);

test('D-397 sums go up to the hour before now, or to the first pending order; two workers may keep them', async () => {
  now = later(now, hours(300));
  while ((await keepOrderSums({ db, clock })) > 0);
  const quarter = (at: Date): Date => new Date(at.getTime() - (at.getTime() % minutes(15)));
  expect(await keptUntil()).toEqual(quarter(later(now, -hours(1))));
  const pending = await create({});
  const since = now;
  now = later(now, hours(9));
  await Promise.all([keepOrderSums({ db, clock }), keepOrderSums({ db, clock })]);
  expect(await keptUntil()).toEqual(quarter(since));
  await expectExact();
  await become(pending, paidAt(pending, now));
  await keepOrderSums({ db, clock });
  expect(await keptUntil()).toEqual(quarter(later(now, -hours(1))));
  await expectExact();
});

test('D-397 an order that was imported pending keeps no sums back, as it can only expire', async () => {
  const imported = await create({
    fee_status: 'legacy',
    fee_version: 0,
    expires_at: later(now, hours(9_000)),
  });
  now = later(now, hours(9));
  await keepOrderSums({ db, clock });
  const kept_until = await keptUntil();
  expect(kept_until && kept_until > imported.created_at).toBe(true);
  await expectExact();
  await become(imported, { status: 'expired' });
  await expectExact();
  const { findings } = await verifyBooks(db);
  expect(findings.filter(({ kind }) => kind === 'order_sums_differ')).toEqual([]);
});

test('D-1113 sums that were kept while the clock was ahead hide no order that comes once it is right', async () => {
  await create({ status: 'expired' });
  const right = now;
  now = later(right, hours(5));
  while ((await keepOrderSums({ db, clock })) > 0);
  now = right;
  const order = await create({});
  await keepOrderSums({ db, clock });
  await expectExact();
  await become(order, paidAt(order, now));
  for (let i = 0; i < 3; i++) {
    now = later(now, hours(4));
    while ((await keepOrderSums({ db, clock })) > 0);
    await expectExact();
  }
  const { findings } = await verifyBooks(db);
  expect(findings.filter(({ kind }) => kind === 'order_sums_differ')).toEqual([]);
});

test('D-542 sums that another server counted, or this one before it was set back, are not used until they are computed again', async () => {
  for (const damage of [
    sql`counted_by = 'another'`,
    sql`snapshot = '9000000000000000000:9000000000000000000:'`,
  ]) {
    await rebuildOrderSums({ db, clock });
    // What is there is of other orders.
    await db.query(sql`UPDATE order_sums SET created = created + 1 WHERE merchant_id = ${merchant_id}`);
    await db.query(sql`UPDATE order_sum_marks SET ${damage} WHERE merchant_id = ${merchant_id}`);
    await expectExact();
    while ((await keepOrderSums({ db, clock })) > 0);
    await expectExact();
    const { findings } = await verifyBooks(db);
    expect(findings.filter(({ kind }) => kind === 'order_sums_differ')).toEqual([]);
  }
});

test('D-397 a check finds a sum that was changed, removed or added, and the sums can be computed again', async () => {
  const kinds = async () => (await verifyBooks(db)).findings.map(({ kind, subject }) => [kind, subject]);
  const clean = await kinds();
  const damages = [
    sql`UPDATE order_sums SET paid_minor = paid_minor + 1
      WHERE merchant_id = ${merchant_id} AND paid > 0
        AND quarter = (SELECT min(quarter) FROM order_sums WHERE merchant_id = ${merchant_id} AND paid > 0)`,
    sql`DELETE FROM order_sums WHERE merchant_id = ${merchant_id}
        AND quarter = (SELECT min(quarter) FROM order_sums WHERE merchant_id = ${merchant_id})`,
    sql`INSERT INTO order_sums VALUES (${merchant_id}, ${later(t0, -hours(24 * 365))}, 'USD', 2, 1, 0, 0, 0)`,
  ];
  for (const damage of damages) {
    await db.query(damage);
    expect(await kinds()).toEqual([...clean, ['order_sums_differ', 'order sums']]);
    await rebuildOrderSums({ db, clock });
    expect(await kinds()).toEqual(clean);
    await expectExact();
  }
});

test('D-1118 sums that take longer than a statement may are made on a connection without a limit', async () => {
  await create({ status: 'expired' });
  now = later(now, hours(3));
  await db.query(
    sql`CREATE FUNCTION slowly() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(1.2); RETURN NEW; END'`,
  );
  await db.query(
    sql`CREATE TRIGGER slowly BEFORE INSERT ON order_sums FOR EACH ROW EXECUTE FUNCTION slowly()`,
  );
  const hasty = openDatabase({ url: database.url, max: 2, statement_timeout_ms: 300 });
  await keepOrderSums({ db: hasty, clock });
  await hasty.close();
  expect((await keptUntil())?.getTime()).toBeGreaterThan(later(now, -hours(2)).getTime());
  await db.query(sql`DROP TRIGGER slowly ON order_sums`);
  await expectExact();
});

test('D-1118 the sums of all merchants together may take longer than a statement may, too', async () => {
  await db.query(
    sql`CREATE FUNCTION slowly_deleted() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(1.2); RETURN NULL; END'`,
  );
  await db.query(
    sql`CREATE TRIGGER slowly BEFORE DELETE ON platform_sums FOR EACH STATEMENT EXECUTE FUNCTION slowly_deleted()`,
  );
  const hasty = openDatabase({ url: database.url, max: 2, statement_timeout_ms: 300 });
  await rebuildOrderSums({ db: hasty, clock });
  await hasty.close();
  await db.query(sql`DROP TRIGGER slowly ON platform_sums`);
  await expectExact();
});

test('D-573 the overview reads merchants whose sums are not kept so far by themselves, and all others together', async () => {
  await db.transaction((tx) => insertMerchant(tx, sampleMerchant({ merchant_id: other_merchant_id })));
  for (const id of [merchant_id, other_merchant_id]) {
    await create({ merchant_id: id, status: 'expired', created_at: later(now, -hours(5)) });
  }
  await rebuildOrderSums({ db, clock });
  const days = async (id: string) =>
    selectDays(db, id, { since: later(now, -hours(24 * 33)), until: now, time_zone: 'UTC', is_kept: false });
  const read = async (): Promise<{ found: DaySums[]; statements: number }> => {
    let statements = 0;
    const query: Database['query'] = (statement) => {
      statements++;
      return db.query(statement);
    };
    const found = await readPlatformDays(
      Object.create(db, { query: { value: query } }) as Database,
      now,
      'UTC',
    );
    return { found, statements };
  };
  expect(await read()).toMatchObject({ statements: 2 });
  await db.query(sql`DELETE FROM order_sum_marks WHERE merchant_id = ${other_merchant_id}`);
  const { found, statements } = await read();
  expect(statements).toBe(3);
  expect(sorted(found)).toEqual(sorted([...(await days(merchant_id)), ...(await days(other_merchant_id))]));
});

test('D-1180 a merchant whose sums cannot be kept holds up no other', async () => {
  await db.query(sql`DELETE FROM order_sum_marks`);
  await db.query(
    sql`ALTER TABLE order_sum_marks ADD CONSTRAINT refused CHECK (merchant_id <> ${raw(`'${merchant_id}'`)})`,
  );
  await expect(keepOrderSums({ db, clock })).rejects.toThrow('refused');
  await db.query(sql`ALTER TABLE order_sum_marks DROP CONSTRAINT refused`);
  const marks = await db.query(sql`SELECT merchant_id FROM order_sum_marks`);
  expect(marks).toEqual([{ merchant_id: other_merchant_id }]);
});
