import { afterAll, beforeAll, expect, test } from 'vitest';
import { days, hours, later, minutes, type Clock } from '../../../src/base/time/clock.ts';
import { merchantNo } from '../../../src/base/ids.ts';
import { type Database, openDatabase, raw, sql, type Sql } from '../../../src/base/pg/index.ts';
import {
  progressSums,
  selectEndings,
  selectMerchantOutcomes,
  selectProgress,
} from '../../../src/collection/figures/progress-sums.sql.ts';
import {
  keepOrderSums,
  keepProgressSums,
  rebuildOrderSums,
} from '../../../src/collection/figures/keep-sums.ts';
import { readHistoricalOrder } from '../../../src/collection/importing/historical-order.ts';
import { lockSums } from '../../../src/collection/figures/sum-marks.sql.ts';
import { orderSums } from '../../../src/collection/figures/order-sums.sql.ts';
import { createOpeningNotes } from '../../../src/collection/openings/index.ts';
import { insertOrder, updateOrder } from '../../../src/collection/orders/order.sql.ts';
import type { CollectionOrder } from '../../../src/collection/orders/index.ts';
import { insertMerchant } from '../../../src/merchants/merchant.sql.ts';
import { insertAttempt, updateAttempt } from '../../../src/payments/attempts/attempt.sql.ts';
import type { Attempt } from '../../../src/payments/attempts/attempt.ts';
import { verifyBooks } from '../../../src/payments/facts/index.ts';
import { freshDatabase, type TestDatabase } from '../../support/servers/database.ts';
import { randomOf } from '../../support/run/random.ts';
import {
  merchant_id,
  other_merchant_id,
  sampleAttempt,
  sampleMerchant,
  sampleOrder,
  t0,
} from '../../support/desks/samples.ts';

let database: TestDatabase;
let db: Database;
let now = t0;
const clock: Clock = { now: () => now, real: () => now };
const merchants = [merchant_id, other_merchant_id];

beforeAll(async () => {
  database = await freshDatabase();
  db = openDatabase({ url: database.url, max: 3 });
  for (const id of merchants)
    await db.transaction((tx) => insertMerchant(tx, sampleMerchant({ merchant_id: id })));
});

afterAll(async () => {
  await db.close();
  await database.drop();
});

let made = 0;

async function create(change: Partial<CollectionOrder> = {}): Promise<CollectionOrder> {
  const no = `mp_${String(++made).padStart(26, '0')}`;
  const order = sampleOrder({ order_no: no, idempotency_key: no, created_at: now, ...change });
  await db.transaction((tx) => tx.write([insertOrder(order)]));
  return order;
}

async function become(
  before: CollectionOrder,
  change: Partial<CollectionOrder>,
  attempts: Attempt[] = [],
): Promise<CollectionOrder> {
  const after = { ...before, ...change, status_version: before.status_version + 1 };
  await db.transaction((tx) => tx.write([updateOrder(before, after), ...attempts.map(insertAttempt)]));
  return after;
}

const paid = (order: CollectionOrder): Partial<CollectionOrder> => ({
  ...{ status: 'paid', occurred_at: now, event_id: `pe_${order.order_no}` },
  ...{ payment_no: 'ch_card', provider_trade_no: order.order_no },
});

function attemptOf({ merchant_id: id, order_no }: CollectionOrder, change: Partial<Attempt> = {}): Attempt {
  const attempt_id = `pa_${String(++made).padStart(26, '0')}`;
  const times = { created_at: now, check_at: later(now, minutes(1)) };
  return sampleAttempt({ merchant_id: id, order_no, attempt_id, seq: made, ...times, ...change });
}

const begin = async (order: CollectionOrder, change: Partial<Attempt> = {}): Promise<Attempt> => {
  const attempt = attemptOf(order, change);
  await db.transaction((tx) => tx.write([insertAttempt(attempt)]));
  return attempt;
};

async function turn(before: Attempt, change: Partial<Attempt>): Promise<Attempt> {
  const after = { ...before, ...change };
  await db.transaction((tx) => tx.write([updateAttempt(before, after)]));
  return after;
}

async function open(order: CollectionOrder): Promise<void> {
  const notes = createOpeningNotes({ db, clock });
  notes.note(order);
  await notes.flush();
}

const quarter = (at: Date): Date => new Date(at.getTime() - (at.getTime() % minutes(15)));

const sorted = (rows: readonly object[]): string[] =>
  rows
    .map((row) =>
      JSON.stringify(row, (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)),
    )
    .sort();

/** What is read with the kept sums is what all orders and their attempts add up to. */
async function expectExact(): Promise<void> {
  const [begun, middle, end] = [later(t0, -hours(30)), later(now, -hours(5)), later(now, hours(9))].map(
    quarter,
  );
  for (const id of merchants) {
    for (const [since = t0, until = t0] of [
      [begun, middle],
      [middle, end],
    ]) {
      // In this zone a day begins at a quarter to the hour.
      const reading = { merchant_id: id, since, until, time_zone: 'Asia/Kathmandu' };
      for (const select of [selectProgress, selectEndings])
        expect(sorted(await select(db, { ...reading, is_kept: true }))).toEqual(
          sorted(await select(db, { ...reading, is_kept: false })),
        );
    }
  }
  const since = later(now, -hours(20) - 1);
  expect(sorted(await selectMerchantOutcomes(db, merchants, since, true))).toEqual(
    sorted(await selectMerchantOutcomes(db, merchants, since, false)),
  );
}

const keepAll = async (): Promise<void> => {
  while ((await keepProgressSums({ db, clock })) > 0);
};

const findings = async (): Promise<string[]> =>
  (await verifyBooks(db)).findings.map(({ kind }) => kind).filter((kind) => kind.endsWith('sums_differ'));

test.each([1, 2, 3])(
  'D-540 D-541 sales and figures of merchants are exact whenever orders, attempts and openings change and are summed: story %i',
  async (seed) => {
    const random = randomOf(seed);
    const chance = (below: number): number => random.between(0, below - 1);
    const pending: CollectionOrder[] = [];
    const ended: CollectionOrder[] = [];
    const attempts: Attempt[] = [];
    const any = <T>(of: readonly T[]): T | undefined => of[chance(of.length)];
    const take = <T>(of: T[]): T | undefined => of.splice(chance(of.length), 1)[0];
    const hasAttempt = ({ order_no }: CollectionOrder): boolean =>
      attempts.some((one) => one.order_no === order_no);
    const create1 = async () => {
      const currency = chance(3) === 0 ? { currency: 'JPY', currency_decimals: 0 } : {};
      const id = chance(3) === 0 ? other_merchant_id : merchant_id;
      const amount_minor = BigInt(1 + chance(9_999));
      pending.push(await create({ ...currency, amount_minor, merchant_id: id, test_mode: chance(6) === 0 }));
    };
    const steps = [
      create1,
      create1,
      async () => {
        const order = take(pending);
        if (order === undefined) return;
        // In PTK, or otherwise.
        const ptk = {
          provider: 'ptk',
          state: 'paid',
          payment_no: 'ptk',
          check_at: null,
          paid_at: now,
        } as const;
        ended.push(await become(order, paid(order), hasAttempt(order) ? [] : [attemptOf(order, ptk)]));
      },
      async () => {
        const order = take(pending);
        if (order !== undefined) ended.push(await become(order, { status: 'expired' }));
      },
      async () => {
        const order = take(ended);
        if (order?.status === 'expired') ended.push(await become(order, paid(order)));
        if (order?.status === 'paid')
          await become(order, { status: chance(2) === 0 ? 'refunded' : 'chargeback' });
      },
      async () => {
        const order = any(pending);
        if (order !== undefined && !hasAttempt(order)) attempts.push(await begin(order));
      },
      async () => {
        // Whether its order is pending or has ended, and whether it has.
        const i = chance(attempts.length);
        const one = attempts[i];
        if (one === undefined) return;
        const next: Partial<Attempt>[] = [
          { state: 'open', session_id: `cs_${one.attempt_id}` },
          { state: 'closed' },
          { state: 'failed', detail: { declined: 'expired_card' } },
          { detail: { declined: 'insufficient_funds' } },
          { state: 'paid', paid_at: now },
          { state: 'mismatch' },
        ];
        const check_at = chance(2) === 0 ? null : later(now, minutes(5));
        attempts[i] = await turn(one, { ...next[chance(next.length)], check_at });
      },
      async () => {
        const order = any([...pending, ...ended]);
        if (order !== undefined) await open(order);
      },
      async () => {
        // A payment that was found late has an attempt of its own.
        const order = any(ended);
        const late = { state: 'paid_late', paid_at: now, check_at: null } as const;
        if (order !== undefined) await begin(order, late);
      },
      () => {
        now = later(now, minutes(1 + chance(120)));
        return Promise.resolve();
      },
      () => keepProgressSums({ db, clock }),
    ];
    for (let i = 0; i < 90; i++) {
      await steps[chance(steps.length)]?.();
      if (i % 5 === 0) await expectExact();
    }
    expect(await findings()).toEqual([]);
    for (const order of pending) await become(order, { status: 'expired' });
  },
);

test('D-541 sums of a quarter count once its attempts have ended; what they become later is seen', async () => {
  now = later(now, hours(30));
  await keepAll();
  const order = await create();
  const attempt = await begin(order, { state: 'open', session_id: `cs_${order.order_no}` });
  await become(order, { status: 'expired' });
  const openQuarters = async (): Promise<Date[]> => {
    const [row] = await db.query<{ open_quarters: Date[] }>(
      sql`SELECT open_quarters FROM progress_sum_marks WHERE merchant_id = ${merchant_id}`,
    );
    return row?.open_quarters ?? [];
  };
  const created = quarter(now);
  now = later(now, hours(3));
  await keepAll();
  expect(await openQuarters()).toContainEqual(created);
  const closed = await turn(attempt, { state: 'closed' });
  await expectExact();
  now = later(now, hours(1));
  await keepAll();
  expect(await openQuarters()).not.toContainEqual(created);
  await expectExact();
  await turn(closed, { detail: { declined: 'expired_card' } });
  await expectExact();
  now = later(now, hours(1));
  await keepAll();
  await expectExact();
  await open(order);
  await expectExact();
  expect(await findings()).toEqual([]);
});

test('D-542 sums that another server counted, or this one before it was set back, are not used until they are computed again', async () => {
  await rebuildOrderSums({ db, clock });
  for (const damage of [
    sql`counted_by = 'another'`,
    sql`snapshot = '9000000000000000000:9000000000000000000:'`,
  ]) {
    // What is there is of other orders.
    await db.query(sql`UPDATE progress_sums SET created = created + 1 WHERE merchant_id = ${merchant_id}`);
    await db.query(sql`UPDATE ending_sums SET orders = orders + 1 WHERE merchant_id = ${merchant_id}`);
    await db.query(sql`UPDATE progress_sum_marks SET ${damage} WHERE merchant_id = ${merchant_id}`);
    await expectExact();
    await keepAll();
    await expectExact();
    expect(await findings()).toEqual([]);
  }
});

test('D-540 a check finds a sum that was changed, removed or added, and the sums can be computed again', async () => {
  await rebuildOrderSums({ db, clock });
  expect(await findings()).toEqual([]);
  const damages: Sql[] = [
    sql`UPDATE progress_sums SET confirmed = confirmed + 1 WHERE merchant_id = ${merchant_id}`,
    sql`DELETE FROM ending_sums WHERE merchant_id = ${merchant_id}`,
    sql`INSERT INTO ending_sums VALUES (${merchant_id}, ${later(t0, -hours(24 * 365))}, 'ch_card', 'paid', '', true, 1, 1)`,
  ];
  for (const damage of damages) {
    await db.query(damage);
    expect(await findings()).toEqual(['progress_sums_differ']);
    await rebuildOrderSums({ db, clock });
    expect(await findings()).toEqual([]);
    await expectExact();
  }
});

async function mark(): Promise<Date | undefined> {
  const [row] = await db.query<{ kept_until: Date }>(
    sql`SELECT kept_until FROM progress_sum_marks WHERE merchant_id = ${merchant_id}`,
  );
  return row?.kept_until;
}

test('D-540 sums go up to the hour before now, or to the first pending order; two workers may keep them', async () => {
  now = later(now, hours(30));
  await keepAll();
  expect(await mark()).toEqual(quarter(later(now, -hours(1))));
  const pending = await create();
  const since = now;
  now = later(now, hours(9));
  await Promise.all([keepAll(), keepAll()]);
  expect(await mark()).toEqual(quarter(since));
  await expectExact();
  await become(pending, paid(pending));
  await keepAll();
  expect(await mark()).toEqual(quarter(later(now, -hours(1))));
  await expectExact();
});

test('D-540 an order that was imported pending keeps no sums back, as it can only expire', async () => {
  const expires_at = later(now, hours(9_000));
  const imported = await create({ fee_status: 'legacy', fee_version: 0, expires_at });
  now = later(now, hours(9));
  await keepAll();
  expect(await mark()).toEqual(quarter(later(now, -hours(1))));
  await expectExact();
  await become(imported, { status: 'expired' });
  await expectExact();
  const { findings } = await verifyBooks(db);
  expect(findings.filter(({ kind }) => kind === 'order_sums_differ')).toEqual([]);
});

test('D-570 two workers may make the first sums at once', async () => {
  for (let i = 0; i < 20; i++) {
    await create({ status: 'expired', created_at: later(now, minutes(i)) });
  }
  now = later(now, hours(30));
  for (let i = 0; i < 5; i++) {
    for (const table of ['order_sum', 'progress_sum']) {
      await db.query(sql`DELETE FROM ${raw(`${table}s`)}`);
      await db.query(sql`DELETE FROM ${raw(`${table}_marks`)}`);
    }
    const keep = async () => [await keepOrderSums({ db, clock }), await keepProgressSums({ db, clock })];
    await Promise.all([keep(), keep()]);
  }
  await keepAll();
  await expectExact();
});

test('D-570 a worker passes over the sums that another one makes just now', async () => {
  await create({ status: 'expired' });
  await rebuildOrderSums({ db, clock });
  now = later(now, hours(30));
  const impatient = openDatabase({ url: database.url, max: 1, lock_timeout_ms: 50, lock_patience_ms: 0 });
  try {
    for (const [table, keep] of [
      ['order_sum_marks', keepOrderSums],
      ['progress_sum_marks', keepProgressSums],
    ] as const) {
      await db.transaction(async (tx) => {
        await tx.query(sql`SELECT 1 AS one FROM ${raw(table)} WHERE merchant_id = ${merchant_id} FOR UPDATE`);
        expect(await keep({ db: impatient, clock })).toBe(0);
      });
    }
  } finally {
    await impatient.close();
  }
  await keepAll();
  await expectExact();
});

test('D-571 an order that is imported pending counts, although it is older than the sums', async () => {
  await create({ status: 'expired' });
  now = later(now, hours(30));
  await rebuildOrderSums({ db, clock });
  const line = {
    ...{
      merchant_no: merchantNo(merchant_id),
      order_no: 'old_1',
      external_reference: 'old',
      status: 'pending',
    },
    ...{ amount: '1.00', currency: 'USD', currency_decimals: 2 },
    created_at: later(now, -hours(20)).toISOString(),
    expires_at: later(now, -hours(19)).toISOString(),
  };
  const order = readHistoricalOrder(line, 'key', now);
  await db.transaction((tx) => tx.write([insertOrder(order)]));
  await expectExact();
  // It is swept before a worker sees it.
  await become(order, { status: 'expired' });
  await expectExact();
  now = later(now, hours(1));
  await keepOrderSums({ db, clock });
  await keepAll();
  await expectExact();
  expect(await findings()).toEqual([]);
});

test('D-571 if very many sums are wrong, all from the first of them on are computed again, two days in a pass', async () => {
  await rebuildOrderSums({ db, clock });
  const first = later(now, -hours(24 * 40));
  await Promise.all(
    Array.from({ length: 200 }, (_, i) =>
      create({ status: 'expired', created_at: later(first, i * hours(4)) }),
    ),
  );
  now = later(now, hours(1));
  const marks = (table: 'order_sum_marks' | 'progress_sum_marks') =>
    db.query(sql`SELECT kept_until FROM ${raw(table)} WHERE merchant_id = ${merchant_id}`);
  const end = later(quarter(first), days(2));
  expect([await keepOrderSums({ db, clock }), await keepProgressSums({ db, clock })]).toEqual([1, 1]);
  expect(await marks('order_sum_marks')).toEqual([{ kept_until: end }]);
  expect(await marks('progress_sum_marks')).toEqual([{ kept_until: end }]);
  await expectExact();
  while ((await keepOrderSums({ db, clock })) > 0);
  await keepAll();
  await expectExact();
  expect(await findings()).toEqual([]);
});

test('D-572 numbers of another server, which counted further, make no sums stale', async () => {
  const order = await create();
  await begin(order, { state: 'closed', check_at: null });
  await open(order);
  await become(order, { status: 'expired' });
  now = later(now, hours(3));
  await db.transaction(async (tx) => {
    await tx.query(sql`SET LOCAL session_replication_role = replica`);
    for (const table of ['collection_orders', 'payment_attempts', 'checkout_openings']) {
      await tx.query(sql`UPDATE ${raw(table)} SET changed_xact = 900000000000000
        WHERE merchant_id = ${merchant_id} AND order_no = ${order.order_no}`);
    }
    await tx.query(sql`UPDATE order_sum_marks SET counted_by = 'another'`);
    await tx.query(sql`UPDATE progress_sum_marks SET counted_by = 'another'`);
  });
  while ((await keepOrderSums({ db, clock })) > 0);
  await keepAll();
  const [orders, progress] = await db.transaction((tx) =>
    Promise.all([lockSums(tx, orderSums, merchant_id), lockSums(tx, progressSums, merchant_id)]),
  );
  expect(orders.stale).toEqual([]);
  expect(progress.stale).not.toContainEqual(quarter(order.created_at));
  await expectExact();
  expect(await findings()).toEqual([]);
});
