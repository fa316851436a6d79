import { rm } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Database, raw, type Sql, sql } from '../../../src/base/pg/index.ts';
import { type ArchiveDesk, filesIn, newFolder, openArchiveDesk } from '../../support/books/archive-desk.ts';
import { consoleOf } from '../../support/people/console.ts';
import { type LossDesk, openShop, type Shop } from '../../support/desks/losses.ts';
import { recordsOf } from '../../support/notifications/notify.ts';
import { checkoutOf, type Order, validOrder } from '../../support/desks/platform.ts';
import { eventually, type Json } from '../../support/desks/service.ts';

let at: ArchiveDesk;
let desk: LossDesk;
let shop: Shop;
let db: Database;
let folder: string;

beforeAll(async () => {
  at = await openArchiveDesk();
  ({ desk, shop, db } = at);
});
beforeEach(async () => {
  folder = await newFolder();
});
afterEach(() => rm(folder, { recursive: true }));
afterAll(() => at.stop());

const archived = (more: Parameters<ArchiveDesk['archived']>[1] = {}) => at.archived(folder, more);

/** Everything that the interface says of an order. Single attempts of deliveries are kept for 90 days only. */
async function saidOf(order: Order): Promise<unknown> {
  const { merchant } = shop;
  const { body } = await merchant.read(order.order_no);
  const { external_reference } = body;
  const listed = await merchant.get(`/merchant-payments?external_reference=${external_reference as string}`);
  const records = await recordsOf(merchant, order);
  const { body: page } = await checkoutOf(desk.service, order).state();
  const detail = await desk.service.admin('GET', `/collection-orders/${order.order_no}`);
  return {
    body,
    // Unused methods are no longer offered, and could not be used before either.
    page: { ...page, methods: [], seconds_left: 0 },
    listed: listed.body,
    records: records.map((record) => ({ ...record, delivery_attempts: [] })),
    timeline: (detail.timeline as Json[]).filter(({ kind }) => kind !== 'archived'),
    money: detail.money,
  };
}

test('D-470, D-471 closed orders leave, the contract answers as before, and the books verify', async () => {
  const orders = [await at.byCard(), await at.byPtk(), await at.refunded(), await at.expired()];
  await at.sealAll();
  expect(await at.findings()).toEqual([]);
  const before = await Promise.all(orders.map(saidOf));
  expect(await at.rowsOf(...orders)).toEqual({ events: 9, quotes: 8 });
  const late = checkoutOf(desk.service, orders[3] as Order);
  const method_id = await late.methodOf('cardprov');
  const refused = await late.start(method_id);
  expect(refused).toMatchObject({ status: 410, body: { error: 'payment_expired' } });

  const sum = await archived();
  // A card payment and a PTK payment have one unused quote, and the expired order has two.
  expect(sum).toMatchObject({ orders: 4, events: 9, quotes: 5, files: 1, left_alone: 0 });
  expect(await at.rowsOf(...orders)).toEqual({ events: 0, quotes: 3 });
  expect(await Promise.all(orders.map(saidOf))).toEqual(before);
  expect(await late.start(method_id)).toMatchObject({ status: 410, body: refused.body });
  expect(await at.findings('incremental')).toEqual([]);
  expect(await at.findings()).toEqual([]);

  const [paid] = orders;
  const [, latest] = await recordsOf(shop.merchant, paid as Order);
  const retry = `/merchant-payments/${paid?.order_no ?? ''}/notifications/`;
  expect((await shop.merchant.send('POST', `${retry}${latest?.event_id ?? ''}/retry`)).status).toBe(202);
  expect((await shop.merchant.send('POST', `${retry}ne_00000000000000000000000000/retry`)).status).toBe(404);
  const acts = await db.query<{ target: string; after: Json }>(
    sql`SELECT target, after FROM audit_log WHERE action = 'archive.orders' ORDER BY audit_id`,
  );
  expect(acts).toMatchObject([{ target: `archive:${shop.merchant_no}/1`, after: { orders: 4 } }]);
  const { items } = await desk.service.admin<{ items: Json[] }>('GET', `/search?q=${paid?.order_no ?? ''}`);
  expect(items[0]?.about).toMatch(/^\S+ USD · mp_\w+ · mr_\w+-\w+\.jsonl\.gz$/);
  expect(items[0]?.status).toBe('paid');
  expect(await archived()).toMatchObject({ orders: 0, files: 0 });
});

test('D-533 both searches find the order of an archived event by the event’s id, and nothing of others', async () => {
  const orders = [await at.refunded(), await at.byPtk()];
  const other = await openShop(desk);
  const events = await Promise.all(orders.map((order) => recordsOf(shop.merchant, order)));
  await at.sealAll();
  expect(await archived()).toMatchObject({ orders: 2 });
  const own = await consoleOf(desk.service, shop.owner, shop.merchant_no);
  const theirs = await consoleOf(desk.service, other.owner, other.merchant_no);
  for (const [nth, { order_no }] of orders.entries()) {
    for (const { event_id } of events[nth] ?? []) {
      const found = [{ kind: 'event', id: order_no, title: event_id, about: order_no }];
      const path = `/search?q=${event_id}`;
      expect((await own.get(path)).body.items).toEqual(found);
      expect((await desk.service.admin('GET', path)).items).toEqual(found);
      expect((await theirs.get(path)).body.items).toEqual([]);
    }
  }
});

test('R-101, D-471 a creation is repeated with the key of an archived order, and returns it', async () => {
  const request = {
    idempotency_key: 'archived-key',
    external_reference: 'archived-reference',
    expires_in: 60,
  };
  const order = await at.expired(request);
  await at.sealAll();
  expect(await archived()).toMatchObject({ orders: 1 });
  const { status, body } = await shop.merchant.create({ ...validOrder(), ...at.notifying(), ...request });
  expect([status, body.order_no]).toEqual([201, order.order_no]);
  expect(
    await shop.merchant.create({ ...validOrder(), ...at.notifying(), ...request, amount: '11.00' }),
  ).toMatchObject({ status: 409 });
});

describe('D-472 what is not closed stays', () => {
  test('a hold, a complaint, an event that was not delivered, and what happened since the day', async () => {
    const holding = await openShop(desk, { hold_days: 1 });
    const held = await holding.byPtk();
    const disputed = await at.byPtk();
    expect((await shop.complain(disputed)).status).toBeLessThan(300);
    const failed = await at.byPtk();
    const of = sql`WHERE order_no = ${failed.order_no} AND status_version = 2`;
    await db.query(sql`UPDATE notifications SET delivery_status = 'failed' ${of}`);
    await at.sealAll();
    await eventually(
      () => recordsOf(holding.merchant, held),
      (records) => records.every((record) => record.delivery_status === 'delivered'),
    );
    const orders = [held, disputed, failed];
    expect(await archived()).toMatchObject({ orders: 0, left_alone: 0 });
    expect(await at.rowsOf(...orders)).toEqual({ events: 6, quotes: 6 });
    await db.query(sql`UPDATE notifications SET delivery_status = 'delivered' ${of}`);
    expect(await archived({ before: new Date(0) })).toMatchObject({ orders: 0, left_alone: 0 });
    expect(await archived()).toMatchObject({ orders: 1, left_alone: 0 });
    expect(await at.rowsOf(failed)).toEqual({ events: 0, quotes: 1 });
    expect(await at.rowsOf(held, disputed)).toEqual({ events: 4, quotes: 4 });
  });

  test('an order whose complaint was dismissed since the day', async () => {
    const order = await at.byPtk();
    const told = (await recordsOf(shop.merchant, order)).map(({ event }) => Date.parse(event.created_at));
    const before = new Date(Math.max(...told) + 1_000);
    await desk.service.advance(2);
    const { body } = await shop.complain(order);
    expect((await shop.decide(body.complaint_id, { decision: 'dismiss' })).status).toBe(200);
    await at.sealAll();
    expect(await archived({ before })).toMatchObject({ orders: 0, left_alone: 0 });
    expect(await archived()).toMatchObject({ orders: 1, left_alone: 0 });
  });

  test('rows without a settled seal, and rows that are not what their seal covers', async () => {
    const order = await at.byPtk();
    await at.sealAll();
    expect(await archived({ settled_at: new Date(0) })).toMatchObject({ orders: 0, left_alone: 1 });
    const url = sql`notifications WHERE order_no = ${order.order_no} AND status_version = 1`;
    const [event] = await db.query<{ url: string }>(sql`SELECT url FROM ${url}`);
    await db.query(sql`UPDATE notifications SET url = 'https://evil.example/' WHERE order_no = ${order.order_no}
      AND status_version = 1`);
    expect(await archived()).toMatchObject({ orders: 0, left_alone: 1 });
    await db.query(sql`UPDATE notifications SET url = ${event?.url ?? ''} WHERE order_no = ${order.order_no}
      AND status_version = 1`);
    expect(await archived()).toMatchObject({ orders: 1, left_alone: 0 });
  });

  test('an order that changes while its file is written stays whole, and leaves with the next run', async () => {
    const [quiet, changing] = [await at.byPtk(), await at.byPtk()];
    await at.sealAll();
    const step = async (name: string): Promise<void> => {
      if (name !== 'listed') return;
      expect((await shop.refund(changing)).status).toBeLessThan(300);
    };
    expect(await archived({ step })).toMatchObject({ orders: 1, left_alone: 1 });
    expect(await at.rowsOf(quiet)).toEqual({ events: 0, quotes: 1 });
    await at.told(await shop.until(changing, 'refunded'));
    expect(await at.rowsOf(changing)).toEqual({ events: 3, quotes: 2 });
    await at.sealAll();
    expect(await archived()).toMatchObject({ orders: 1, files: 1 });
    expect(await at.findings()).toEqual([]);
  });
});

test('D-478 the screens say of an archived order which file has its rows, and list its notifications still', async () => {
  const [order, other] = [await at.byPtk(), await at.byPtk()];
  const console_ = await consoleOf(desk.service, shop.owner, shop.merchant_no);
  const list = async (query: string): Promise<Json[]> => {
    const { body } = await console_.get<{ items: Json[] }>(
      `/notifications?order_no=${order.order_no}${query}`,
    );
    return body.items.map((record) => ({ ...record, delivery_attempts: [] }));
  };
  const queries = ['', '&status=delivered', '&status=failed', '&limit=1'];
  const before = await Promise.all(queries.map(list));
  expect(before.map(({ length }) => length)).toEqual([2, 2, 0, 1]);
  await at.sealAll();
  expect(await archived()).toMatchObject({ orders: 2, files: 1 });
  const [file] = await filesIn(folder);
  const told = { kind: 'archived', subject: file };
  const { timeline } = await shop.detail(order);
  expect(timeline).toContainEqual(expect.objectContaining(told));
  const { body } = await console_.get(`/collection-orders/${order.order_no}`);
  expect(body.timeline).toContainEqual(expect.objectContaining(told));
  expect(body.notifications).toHaveLength(2);
  expect(await Promise.all(queries.map(list))).toEqual(before);
  const { body: first } = await console_.get(`/notifications?order_no=${order.order_no}&limit=1`);
  expect(await list(`&limit=1&cursor=${String(first.next_cursor)}`)).toEqual(before[0]?.slice(1));
  expect((await console_.get(`/notifications?order_no=${other.order_no}`)).body.items).toHaveLength(2);
  expect((await console_.get('/notifications?order_no=mp_unknown')).body.items).toEqual([]);
});

test('D-473 a late webhook and a lost dispute of an archived order are booked, notified and checked as usual', async () => {
  const { order, session_id } = await shop.byCard();
  await at.told(order);
  await at.sealAll();
  expect(await archived()).toMatchObject({ orders: 1 });
  const { items } = await desk.sim<{ items: { id: string; data: { object: Json } }[] }>('GET', '/events');
  const paid = items.find(({ data }) => data.object.id === session_id);
  await desk.sim('POST', '/webhooks/replay', { event_id: paid?.id, times: 2 });
  await desk.sim('POST', `/sessions/${session_id}/dispute`, { outcome: 'lost' });
  const lost = await at.told(await shop.until(order, 'chargeback'));
  const records = await recordsOf(shop.merchant, lost);
  expect(records.map(({ event }) => event.data.status)).toEqual(['chargeback', 'paid', 'pending']);
  await at.sealAll();
  expect(await at.findings('incremental')).toEqual([]);
  expect(await at.findings()).toEqual([]);
});

test('D-473 a refund and a lost complaint of archived orders are booked, notified and checked as usual', async () => {
  const orders = [await at.byCard(), await at.byPtk()] as const;
  await at.sealAll();
  expect(await archived()).toMatchObject({ orders: 2 });
  expect((await shop.refund(orders[1])).status).toBeLessThan(300);
  expect((await shop.complain(orders[0])).status).toBeLessThan(300);
  const { complaints } = await shop.detail(orders[0]);
  expect((await shop.decide(complaints[0]?.complaint_id ?? '', { decision: 'confirm' })).status).toBe(200);
  for (const [i, status] of (['chargeback', 'refunded'] as const).entries()) {
    const order = await at.told(await shop.until(orders[i] as Order, status));
    const records = await recordsOf(shop.merchant, order);
    expect(records.map(({ event }) => event.data.status)).toEqual([status, 'paid', 'pending']);
  }
  await at.sealAll();
  expect(await at.findings('incremental')).toEqual([]);
  expect(await at.findings()).toEqual([]);
  expect(await archived()).toMatchObject({ orders: 0 });
});

describe('D-474 the books verify with archived orders, and tampering is found', () => {
  let order: Order;
  beforeAll(async () => {
    order = await at.byPtk();
    await at.sealAll();
    expect(await at.archived(await newFolder())).toMatchObject({ orders: 1 });
    await at.sealAll();
  });

  const its = () => sql`WHERE merchant_id = ${at.merchant_id} AND order_no = ${order.order_no}`;

  test('nothing is found without tampering', async () => {
    expect(await at.foundAfter(sql`SELECT 1 AS one`)).toEqual([]);
  });

  test.each<[string, () => Sql[], string]>([
    [
      'the order is changed',
      () => [sql`UPDATE collection_orders SET external_reference = 'x' ${its()}`],
      'archive_differs',
    ],
    [
      'what its events were is changed',
      () => [sql`UPDATE archived_orders SET events = jsonb_set(events, '{0,5}', '9') ${its()}`],
      'archive_differs',
    ],
    ['an order is removed', () => [sql`DELETE FROM archived_orders ${its()}`], 'archive_differs'],
    ['a batch is removed', () => [sql`DELETE FROM archive_batches`], 'archive_differs'],
    ['a batch names another file', () => [sql`UPDATE archive_batches SET file = 'x'`], 'archive_differs'],
    ['excused lines are removed', () => [sql`DELETE FROM archived_seal_lines`], 'sealed_row_missing'],
    [
      'more lines are excused, and a quote is removed',
      () => [sql`UPDATE archived_seal_lines SET lines = ~lines`, sql`DELETE FROM payment_quotes ${its()}`],
      'archive_differs',
    ],
    [
      'a transfer is removed, and its line excused',
      () => [
        sql`UPDATE archived_seal_lines SET lines = ~lines | lines`,
        sql`DELETE FROM ledger_transfers WHERE subject = ${order.order_no}`,
      ],
      'sealed_row_missing',
    ],
    [
      'the entry of the audit log is removed',
      () => [sql`DELETE FROM audit_log WHERE action = 'archive.orders'`],
      'sealed_row_missing',
    ],
  ])('%s', async (_, changes, kind) => {
    expect(await at.foundAfter(...changes())).toContain(kind);
  });

  test.each(['archive_batches', 'archived_orders', 'archived_seal_lines'])(
    '%s is append-only',
    async (table) => {
      const name = raw(table);
      await expect(db.query(sql`DELETE FROM ${name}`)).rejects.toThrow(/append-only/);
      await expect(db.query(sql`UPDATE ${name} SET merchant_id = merchant_id`)).rejects.toThrow(
        /append-only/,
      );
      await expect(db.query(sql`TRUNCATE ${name}`)).rejects.toThrow(/append-only/);
    },
  );
});
