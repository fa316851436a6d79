import { PaymentChannelList } from '@paydesk/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openShop, type Shop, type Shopper } from '../../support/desks/catalog.ts';
import { type Console, consoleOf } from '../../support/people/console.ts';
import { addStaff } from '../../support/people/staff.ts';
import { expectAnswer } from '../../support/rules/contract.ts';
import { untilBlocked } from '../../support/servers/lock-waits.ts';
import { addMerchant, addUser } from '../../support/desks/platform.ts';
import { type Answer, eventually, type Json } from '../../support/desks/service.ts';
import { auditOn, beside } from '../../support/desks/wallets.ts';
import { merchantIdOf } from '../../../src/base/ids.ts';
import { selectOrders } from '../../../src/catalog/orders/order.sql.ts';
import { type Queryable, sql } from '../../../src/base/pg/index.ts';

let shop: Shop;
let owner: Console;
let me: Shopper;
let gd_no: string;

beforeAll(async () => {
  shop = await openShop();
  owner = await consoleOf(shop.service, shop.platform.owner, shop.platform.merchant_no);
});
afterAll(() => shop.stop());
beforeEach(async () => {
  me = await shop.shopper();
  gd_no = await shop.product();
});

const ptk = (): string => shop.platform.ptk_channel;
const order = (members: Json = {}): Promise<string> =>
  me.order({ gd_no, quantity: 1, payment_no: ptk(), ...members });
async function paid(members: Json = {}): Promise<string> {
  const order_no = await order(members);
  const { status } = await me.pay(order_no, ptk());
  expect(status).toBe(200);
  return order_no;
}
const upload = async (...codes: string[]): Promise<Json> => {
  const { status, body } = await owner.send('POST', `/products/${gd_no}/codes`, { codes });
  expect(status).toBe(201);
  return body;
};
const left = async (): Promise<Json> => (await owner.get(`/products/${gd_no}/codes`)).body;
const untilStatus = (order_no: string, status: number) =>
  eventually(
    () => me.read(order_no),
    ({ body }) => body.status === status,
  );
/** An order that was paid by card, and whose refund is pending at the provider until it fails. */
async function underRefund(): Promise<{ order_no: string; fail: () => Promise<void> }> {
  const order_no = await order({ payment_no: shop.card.payment_no });
  expect((await me.pay(order_no, shop.card.payment_no)).status).toBe(200);
  const { id } = await shop.sessionOf(order_no);
  await shop.sim('POST', `/sessions/${id}/pay`, {});
  await untilStatus(order_no, 1);
  await shop.sim('POST', '/faults', { endpoint: 'refunds.create', mode: 'pending' });
  const path = `/catalog-orders/${order_no}/refunds`;
  const refund = await shop.service.admin('POST', path, { reason: 'asked for' });
  expect(refund.status).toBe('pending');
  return {
    order_no,
    async fail() {
      await shop.sim('POST', `/refunds/${String(refund.provider_refund_id)}/settle`, { outcome: 'failed' });
      await eventually(
        () => shop.service.admin<{ refunds: Json[] }>('GET', `/catalog-orders/${order_no}`),
        ({ refunds }) => refunds[0]?.status === 'failed',
      );
    },
  };
}
/** What is wrong in the books, without facts that have no seal yet: earlier tests have moved the clock. */
async function findings(): Promise<Json[]> {
  const path = '/ledger/verification';
  const { findings } = await shop.service.admin<{ findings: Json[] }>('GET', path);
  return findings.filter(({ kind }) => kind !== 'fact_unsealed');
}
/** Which orders have which codes, as the database has it. */
const given = (order_no: string): Promise<number> =>
  beside(shop.service, async (db) => {
    const [row] = await db.query<{ n: number }>(
      sql`SELECT count(*)::int AS n FROM catalog_codes WHERE order_no = ${order_no}`,
    );
    return row?.n ?? 0;
  });

/** Items of the product that open orders hold. */
const outstanding = (): Promise<number> =>
  beside(shop.service, async (db) => {
    const [row] = await db.query<{ n: number }>(
      sql`SELECT coalesce(sum(quantity), 0)::int AS n FROM catalog_orders
        WHERE gd_no = ${gd_no} AND state IN ('pending', 'review', 'paid')`,
    );
    return row?.n ?? 0;
  });

/** When a worker looks for codes for an order; null while it waits for an upload. */
async function dueAt(db: Queryable, order_no: string): Promise<unknown> {
  const [row] = await db.query<{ fulfil_at: unknown }>(
    sql`SELECT fulfil_at FROM catalog_orders WHERE order_no = ${order_no}`,
  );
  return row?.fulfil_at;
}

describe('by hand', () => {
  test('D-177 the merchant sees the buyer’s inputs, and completes a paid order once', async () => {
    gd_no = await shop.product({ other_ipu_cnf: ['account=Account=true'] });
    const order_no = await paid({ other_ipu: { account: '10001' } });
    const { body: seen } = await owner.get(`/catalog-orders/${order_no}`);
    expect(seen).toMatchObject({
      order_no,
      status: 1,
      other_ipu: { account: '10001' },
      settlement_ptk: '9700000000',
      reversed: null,
      completed_at: null,
    });
    // nothing of who bought it.
    for (const secret of [shop.buyer.user_id, shop.buyer.email, 'user_id', 'client_id']) {
      expect(JSON.stringify(seen)).not.toContain(secret);
    }
    const done = await owner.send('POST', `/catalog-orders/${order_no}/fulfilment`, {
      note: 'Sent to 10001.',
    });
    expect([done.status, done.body]).toMatchObject([200, { order_no, status: 3, status_label: 'Completed' }]);
    expect((await me.read(order_no)).body.status).toBe(3);
    expect(await me.paymentStatus(order_no)).toBe(1);
    const again = await owner.send('POST', `/catalog-orders/${order_no}/fulfilment`);
    expect([again.status, again.body.error]).toEqual([409, 'payment_conflict']);
    const [entry, ...more] = await auditOn(shop.service, `order:${order_no}`, 'catalog-order.fulfil');
    expect([more, entry]).toMatchObject([
      [],
      { before: { state: 'paid' }, after: { state: 'completed', with_note: true } },
    ]);
    expect(JSON.stringify(entry)).not.toContain('Sent to');
  });

  test('D-1380 an order is not completed while its refund is under way, and is once that has failed', async () => {
    const { order_no, fail } = await underRefund();
    const fulfil = () => owner.send('POST', `/catalog-orders/${order_no}/fulfilment`, { note: 'ABC-1' });
    const { status, body } = await fulfil();
    expect([status, body.error, (await me.read(order_no)).body.status]).toEqual([409, 'payment_conflict', 1]);
    await fail();
    expect((await fulfil()).status).toBe(200);
  });

  test('D-1381 a refund that waits is not approved once the order was delivered; it can be asked for again', async () => {
    const ada = await addStaff(shop.service, 'Ada Asks');
    const ben = await addStaff(shop.service, 'Ben Decides');
    await ada.call('PUT', '/settings', { four_eyes_ptk: '1' });
    const order_no = await paid();
    const ask = () =>
      ada.call('POST', `/catalog-orders/${order_no}/refunds`, { reason: 'nothing has arrived' });
    const approve = (asked: Answer) => {
      expect(asked.status).toBe(202);
      return ben.call('POST', `/approvals/${String(asked.body.approval_id)}/approve`);
    };
    const asked = await ask();
    expect((await owner.send('POST', `/catalog-orders/${order_no}/fulfilment`)).status).toBe(200);
    // Another request is another one: this one knows that the goods are gone.
    expect([(await ask()).status, (await ask()).body.error]).toEqual([409, 'reference_conflict']);
    const late = await approve(asked);
    expect([late.status, late.body.error]).toEqual([409, 'payment_conflict']);
    const ended = await ben.call('GET', `/approvals/${String(asked.body.approval_id)}`);
    expect(ended.body).toMatchObject({ status: 'failed', failure: { error: 'payment_conflict' } });
    expect((await owner.get(`/catalog-orders/${order_no}`)).body.reversed).toBe(null);
    expect((await approve(await ask())).status).toBe(200);
    expect((await owner.get(`/catalog-orders/${order_no}`)).body.reversed).toBe('refunded');
    await ada.call('PUT', '/settings', { four_eyes_ptk: '0' });
  });

  test('D-1381 a complaint that gives PTK back is not approved either, and can be decided again', async () => {
    const ada = await addStaff(shop.service, 'Ada Asks');
    const ben = await addStaff(shop.service, 'Ben Decides');
    await ada.call('PUT', '/settings', { four_eyes_ptk: '1' });
    const order_no = await paid();
    const { complaint_id } = (
      await ada.call('POST', `/catalog-orders/${order_no}/complaints`, { reason: 'nothing has arrived' })
    ).body;
    const decide = () =>
      ada.call('POST', `/complaints/${String(complaint_id)}/decision`, {
        decision: 'confirm',
        reason: 'so it is',
      });
    const approve = (asked: Answer) =>
      ben.call('POST', `/approvals/${String(asked.body.approval_id)}/approve`);
    const asked = await decide();
    expect(asked.status).toBe(202);
    expect((await owner.send('POST', `/catalog-orders/${order_no}/fulfilment`)).status).toBe(200);
    const late = await approve(asked);
    expect([late.status, late.body.error]).toEqual([409, 'payment_conflict']);
    expect((await owner.get(`/catalog-orders/${order_no}`)).body.reversed).toBe(null);
    expect((await approve(await decide())).status).toBe(200);
    expect((await owner.get(`/catalog-orders/${order_no}`)).body.reversed).toBe('chargeback');
    await ada.call('PUT', '/settings', { four_eyes_ptk: '0' });
  });

  test('D-177 only paid orders can be completed: not pending, cancelled or reversed ones', async () => {
    const waiting = await order();
    const returned = await paid();
    await shop.service.admin('POST', `/catalog-orders/${returned}/refunds`, { reason: 'asked for' });
    for (const order_no of [waiting, returned]) {
      const { status, body } = await owner.send('POST', `/catalog-orders/${order_no}/fulfilment`, {});
      expect([status, body.error]).toEqual([409, 'payment_conflict']);
    }
    const unknown = await owner.send('POST', '/catalog-orders/co_unknown/fulfilment', {});
    expect([unknown.status, unknown.body.error]).toEqual([404, 'order_not_found']);
  });

  test('table 3.5 a delivered order stays delivered when its payment is reversed, and its stock stays sold', async () => {
    const order_no = await paid({ quantity: 2 });
    await owner.send('POST', `/catalog-orders/${order_no}/fulfilment`);
    await shop.service.admin('POST', `/catalog-orders/${order_no}/refunds`, { reason: 'goodwill' });
    expect((await me.read(order_no)).body.status).toBe(3);
    expect(await me.paymentStatus(order_no)).toBe(1);
    expect((await owner.get(`/catalog-orders/${order_no}`)).body.reversed).toBe('refunded');
    expect(await shop.stock(gd_no)).toBe(3);
  });

  test('D-1121 the orders to deliver are found among them alone, however many were delivered', async () => {
    const done = await paid();
    await owner.send('POST', `/catalog-orders/${done}/fulfilment`);
    const id = merchantIdOf(shop.platform.merchant_no) ?? '';
    let read = NaN;
    const undone = new Error('undone');
    const look = beside(shop.service, (db) =>
      db.transaction(async (tx) => {
        await tx.query(sql`INSERT INTO catalog_orders
          SELECT (jsonb_populate_record(o, jsonb_build_object('order_no', 'co_0' || i, 'provider_trade_no', 't' || i))).*
          FROM catalog_orders o, generate_series(1, 1000) i WHERE o.merchant_id = ${id} AND o.order_no = ${done}`);
        await tx.query(sql`ANALYZE catalog_orders`);
        await tx.query(sql`SET LOCAL enable_seqscan = off`);
        const readSoFar = async (): Promise<number> => {
          const [row] = await tx.query<{ rows: number }>(
            sql`SELECT sum(idx_tup_fetch)::int AS rows FROM pg_stat_xact_user_tables WHERE relname LIKE 'catalog_orders%'`,
          );
          return row?.rows ?? NaN;
        };
        const before = await readSoFar();
        for (const states of [['paid'], ['pending', 'review']] as const)
          await selectOrders(tx, id, states, null, 21);
        read = (await readSoFar()) - before;
        throw undone;
      }),
    );
    await expect(look).rejects.toBe(undone);
    expect(read).toBeLessThan(500);
  });

  test('R-380 R-357 a merchant lists only its own orders, newest first, by status and page by page', async () => {
    const mine = [await paid(), await order(), await paid()];
    const first = await owner.get<{ items: Json[]; next_cursor: string }>('/catalog-orders?limit=2');
    const rest = await owner.get<{ items: Json[] }>(
      `/catalog-orders?limit=100&cursor=${first.body.next_cursor}`,
    );
    const all = [...first.body.items, ...rest.body.items].map(({ order_no }) => order_no as string);
    expect(all.slice(0, 3)).toEqual(mine.toReversed());
    expect(all).toEqual(all.toSorted().reverse());
    const open = await owner.get<{ items: Json[] }>('/catalog-orders?status=0&limit=100');
    expect(open.body.items.every(({ status }) => status === 0)).toBe(true);
    expect(open.body.items[0]?.order_no).toBe(mine[1]);
    // A name that every object has is no status either.
    for (const status of ['4', 'constructor']) {
      expect((await owner.get(`/catalog-orders?status=${status}`)).body).toMatchObject({
        error: 'invalid_request',
        field: 'status',
      });
    }

    const rival = await addUser(shop.service, 'Rita Rival');
    const { merchant_no } = await addMerchant(shop.service, rival, { name: 'Elsewhere' });
    const theirs = await consoleOf(shop.service, rival, merchant_no);
    expect((await theirs.get('/catalog-orders')).body.items).toEqual([]);
    expect((await theirs.get(`/catalog-orders/${mine[0] ?? ''}`)).status).toBe(404);
    expect((await theirs.send('POST', `/catalog-orders/${mine[0] ?? ''}/fulfilment`)).status).toBe(404);
    expect((await theirs.send('POST', `/products/${gd_no}/codes`, { codes: ['x'] })).status).toBe(404);
    expect((await theirs.get(`/products/${gd_no}/codes`)).status).toBe(404);
  });
});

describe('by codes that the merchant has uploaded', () => {
  test('D-177 a paid order gets codes and is completed; no code goes out twice, and stock follows the codes that are left', async () => {
    expect(await upload('A-1', 'A-2', ' A-2 ', 'A-3')).toEqual({
      added: 3,
      known: 1,
      left: 3,
      given: 0,
      in_stock: 3,
    });
    expect(await upload('A-3', 'A-4')).toEqual({ added: 1, known: 1, left: 4, given: 0, in_stock: 4 });
    expect(await shop.stock(gd_no)).toBe(4);
    const order_no = await paid({ quantity: 3 });
    await untilStatus(order_no, 3);
    expect(await given(order_no)).toBe(3);
    expect(await left()).toEqual({ left: 1, given: 3, in_stock: 1 });
    // Delivered codes are not accepted again.
    expect(await upload('A-1')).toMatchObject({ added: 0, known: 1, left: 1, in_stock: 1 });
    expect((await me.create({ gd_no, quantity: 2, payment_no: ptk() })).status).toBe(422);
  });

  test('D-177 many concurrent buyers each get their own codes, with any number of workers', async () => {
    await upload(...Array.from({ length: 12 }, (_, i) => `B-${i}`));
    const orders = await Promise.all(Array.from({ length: 5 }, () => order({ quantity: 2 })));
    const other = await shop.service.another('worker');
    await Promise.all([
      ...orders.map((order_no) => me.pay(order_no, ptk())),
      ...[1, 2, 3].map(() => shop.service.admin('POST', '/jobs/hand-out-codes/run')),
    ]);
    for (const order_no of orders) await untilStatus(order_no, 3);
    await other.stop();
    expect(await Promise.all(orders.map(given))).toEqual([2, 2, 2, 2, 2]);
    expect(await left()).toEqual({ left: 2, given: 10, in_stock: 2 });
  });

  test('D-177 an order that codes do not cover waits for more, or for a person', async () => {
    const [early, late] = [await paid({ quantity: 2 }), await paid({ quantity: 2 })];
    await shop.service.admin('POST', '/jobs/hand-out-codes/run');
    expect((await me.read(early)).body.status).toBe(1);
    // Two of three are spoken for twice over: nothing is left to sell.
    expect(await upload('C-1', 'C-2', 'C-3')).toMatchObject({ left: 3, in_stock: 0 });
    await untilStatus(early, 3);
    expect((await me.read(late)).body.status).toBe(1);
    await upload('C-4');
    await untilStatus(late, 3);
    expect([await given(early), await given(late)]).toEqual([2, 2]);
  });

  test('D-1461 the codes of an order that a person delivered are in stock again, where no order needs them', async () => {
    const [first, second] = [await paid({ quantity: 2 }), await paid({ quantity: 3 })];
    expect(await upload('H-1')).toMatchObject({ left: 1, in_stock: 0 });
    const deliver = (order_no: string) => owner.send('POST', `/catalog-orders/${order_no}/fulfilment`);
    expect((await deliver(first)).status).toBe(200);
    expect(await left()).toMatchObject({ left: 1, in_stock: 0 });
    expect((await deliver(second)).status).toBe(200);
    expect(await left()).toEqual({ left: 1, given: 0, in_stock: 1 });
    expect(await findings()).toEqual([]);
  });

  test('D-177 an order that is being looked at while codes come in is looked at again', async () => {
    await upload('E-1');
    const order_no = await order({ quantity: 1 });
    await owner.send('POST', `/products/${gd_no}/codes/withdrawal`, { all: true });
    expect((await me.pay(order_no, ptk())).status).toBe(200);
    await beside(shop.service, async (db) => {
      await eventually(
        () => dueAt(db, order_no),
        (at) => at === null,
      );
      // Due again, before any worker runs; the test plays a worker that reads it now.
      await db.query(sql`UPDATE catalog_orders SET fulfil_at = 'infinity' WHERE order_no = ${order_no}`);
      const uploading = await db.transaction(async (tx) => {
        await tx.query(sql`UPDATE catalog_orders SET fulfil_at = NULL WHERE order_no = ${order_no}`);
        await tx.query(sql`SELECT 1 FROM products WHERE merchant_id = ${merchantIdOf(shop.platform.merchant_no)}
          AND gd_no = ${gd_no} FOR UPDATE`);
        const started = upload('E-2');
        started.catch(() => undefined);
        await untilBlocked(db, tx);
        return { started };
      });
      await uploading.started;
    });
    await untilStatus(order_no, 3);
    expect(await given(order_no)).toBe(1);
  });

  test('D-177 a refund comes before the codes or after them, never beside them', async () => {
    await upload('D-1', 'D-2');
    const order_no = await order();
    await Promise.all([
      me.pay(order_no, ptk()),
      eventually(
        async () =>
          shop.service.send('POST', `/admin/v1/catalog-orders/${order_no}/refunds`, {
            body: { reason: 'race' },
            headers: { authorization: 'Bearer test-administration-key' },
          }),
        ({ status }) => status === 201,
      ),
    ]);
    const { status } = (await me.read(order_no)).body;
    expect(await given(order_no)).toBe(status === 3 ? 1 : 0);
    expect(await left()).toMatchObject(status === 3 ? { left: 1, in_stock: 1 } : { left: 2, in_stock: 2 });
  });

  test('D-1164 while its refund is under way an order gets no codes; it gets them once that has failed', async () => {
    const { order_no, fail } = await underRefund();
    await upload('R-1');
    await shop.service.admin('POST', '/jobs/hand-out-codes/run');
    expect([(await me.read(order_no)).body.status, await given(order_no)]).toEqual([1, 0]);
    await fail();
    await shop.service.advance(61);
    await untilStatus(order_no, 3);
    expect(await given(order_no)).toBe(1);
  });

  test('D-1377 while a complaint about it is open an order gets no codes; it gets them once that is dismissed', async () => {
    const order_no = await paid();
    await beside(shop.service, (db) =>
      eventually(
        () => dueAt(db, order_no),
        (at) => at === null,
      ),
    );
    const complaint = await shop.service.admin('POST', `/catalog-orders/${order_no}/complaints`, {
      reason: 'not received',
    });
    await upload('S-1');
    await shop.service.admin('POST', '/jobs/hand-out-codes/run');
    expect([(await me.read(order_no)).body.status, await given(order_no)]).toEqual([1, 0]);
    await shop.service.admin('POST', `/complaints/${String(complaint.complaint_id)}/decision`, {
      decision: 'dismiss',
      reason: 'it is on its way',
    });
    await shop.service.advance(3_601);
    await shop.service.admin('POST', '/jobs/hand-out-codes/run');
    await untilStatus(order_no, 3);
    expect(await given(order_no)).toBe(1);
  });

  test('R-383 codes lie sealed in the database, and are in no answer of the console and in no log of acts', async () => {
    await upload('TOP-SECRET-1');
    const rows = await beside(shop.service, (db) =>
      db.query<{ row: string }>(sql`SELECT encode(code_box, 'escape') || encode(code_digest, 'escape') AS row
        FROM catalog_codes WHERE gd_no = ${gd_no}`),
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.row).not.toContain('TOP-SECRET');
    expect(JSON.stringify(await left())).not.toContain('TOP-SECRET');
    expect(
      JSON.stringify(await auditOn(shop.service, `product:${gd_no}`, 'product.upload-codes')),
    ).not.toContain('TOP-SECRET');
  });

  test.each<[string, unknown, string?]>([
    ['none', { codes: [] }, 'codes'],
    ['an empty one', { codes: ['x', '  '] }, 'codes.1'],
    ['one of 1001 bytes', { codes: ['x'.repeat(1_001)] }, 'codes.0'],
    ['one that is no text', { codes: [5] }, 'codes.0'],
    ['no list', {}, 'codes'],
  ])('refuses %s', async (_, body, field) => {
    const answer = await owner.send('POST', `/products/${gd_no}/codes`, body);
    expect([answer.status, answer.body.error, answer.body.field]).toEqual([400, 'invalid_request', field]);
  });
});

test('D-185 an owner sees the channels that serve the merchant, to choose among for a product', async () => {
  const answer = await owner.get<PaymentChannelList>('/payment-channels');
  expectAnswer(answer, 200, PaymentChannelList);
  const { items } = answer.body;
  expect(items.map(({ provider }) => provider).sort()).toEqual(['cardprov', 'ptk']);
});

describe('withdrawing codes', () => {
  const withdraw = (body: Json) => owner.send('POST', `/products/${gd_no}/codes/withdrawal`, body);

  test('D-1420 a product without codes keeps its stock, and the books do not miss any codes', async () => {
    await paid({ quantity: 2 });
    const before = { ...(await left()), withdrawn: 0 };
    expect(before).toMatchObject({ left: 0, given: 0, in_stock: 3 });
    expect((await withdraw({ all: true })).body).toEqual({ ...before, passed_over: 0 });
    expect((await withdraw({ codes: ['A-1'] })).body).toEqual({ ...before, passed_over: 1 });
    expect(await shop.stock(gd_no)).toBe(3);
    expect(await findings()).toEqual([]);
  });

  test('D-177 withdrawing removes all unassigned codes, and no assigned ones', async () => {
    await upload('A-1', 'B-2', 'C-3', 'D-4');
    const order_no = await paid();
    await untilStatus(order_no, 3);
    const waiting = await order({ quantity: 1 });
    const { status, body } = await withdraw({ codes: [' B-2 ', 'A-1', 'B-2', 'Z-9'] });
    // One was given out, one came twice, one is not known.
    expect([status, body]).toEqual([200, { withdrawn: 1, passed_over: 3, left: 2, given: 1, in_stock: 1 }]);
    expect(await given(order_no)).toBe(1);

    expect((await withdraw({ all: true })).body).toEqual({
      withdrawn: 2,
      passed_over: 0,
      left: 0,
      given: 1,
      in_stock: 0,
    });
    expect((await withdraw({ all: true })).body).toMatchObject({ withdrawn: 0, left: 0, given: 1 });
    // The earlier buyer waits for new codes, and the withdrawn one can be uploaded again.
    expect((await me.pay(waiting, ptk())).status).toBe(200);
    expect(await upload('B-2', 'A-1')).toMatchObject({ added: 1, known: 1, left: 1, in_stock: 0 });
    await untilStatus(waiting, 3);
    expect(await given(waiting)).toBe(1);
  });

  test('D-1376 items of cancelled orders come back to the stock only where codes cover them', async () => {
    await upload('A-1', 'B-2', 'C-3');
    await order({ quantity: 2 });
    await withdraw({ all: true });
    const cancelled = await order({ quantity: 1 }).catch(() => 'out of stock');
    expect(cancelled).toBe('out of stock');
    await shop.service.advance(31 * 60);
    await eventually(outstanding, (items) => items === 0);
    // Nobody can order, and pay, what no code is left for.
    expect(await left()).toMatchObject({ left: 0, in_stock: 0 });

    // What new codes cover can be ordered.
    expect(await upload('A-1', 'B-2')).toMatchObject({ left: 2, in_stock: 2 });
    await order({ quantity: 2 });
    await withdraw({ codes: ['A-1'] });
    await shop.service.advance(31 * 60);
    await eventually(outstanding, (items) => items === 0);
    expect(await left()).toMatchObject({ left: 1, in_stock: 1 });
  });

  test('D-1376 a stock that the merchant sets by hand ends what the codes owe', async () => {
    await upload('A-1', 'B-2');
    await order({ quantity: 2 });
    await withdraw({ all: true });
    await owner.send('PATCH', `/products/${gd_no}`, { in_stock: 4 });
    await shop.service.advance(31 * 60);
    await eventually(outstanding, (items) => items === 0);
    expect(await left()).toMatchObject({ left: 0, in_stock: 6 });
  });

  test('D-1123 codes are counted also while orders wait for more items than a stock can have', async () => {
    const most = 2_147_483_647;
    for (let i = 0; i < 2; i++) {
      await owner.send('PATCH', `/products/${gd_no}`, { in_stock: most });
      await order({ quantity: most });
    }
    expect(await upload('A-1')).toMatchObject({ left: 1, in_stock: 0 });
    expect(await left()).toMatchObject({ left: 1, in_stock: 0 });
  });

  test('the audit log tells how many, and of no code', async () => {
    await upload('SECRET-ONE', 'SECRET-TWO');
    await withdraw({ codes: ['SECRET-ONE'] });
    const [entry, ...others] = await auditOn(shop.service, `product:${gd_no}`, 'product.withdraw-codes');
    expect(others).toEqual([]);
    expect(entry).toMatchObject({ after: { withdrawn: 1, passed_over: 0, in_stock: 1 } });
    expect(JSON.stringify(entry)).not.toContain('SECRET');
  });

  test('a stranger finds no product, and an unknown product is none', async () => {
    const stranger = await addUser(shop.service, 'Stranger');
    const { merchant_no } = await addMerchant(shop.service, stranger, { name: 'Another shop' });
    const theirs = await consoleOf(shop.service, stranger, merchant_no);
    await upload('MINE');
    const answer = await theirs.send('POST', `/products/${gd_no}/codes/withdrawal`, { all: true });
    expect([answer.status, answer.body.error]).toEqual([404, 'product_not_found']);
    expect(await left()).toMatchObject({ left: 1 });
  });

  test.each<[string, Json, string]>([
    ['nothing', {}, 'codes'],
    ['both', { codes: ['x'], all: true }, 'codes'],
    ['no codes', { codes: [] }, 'codes'],
    ['an empty code', { codes: ['  '] }, 'codes.0'],
    ['all that are not all', { all: false }, 'all'],
  ])('refuses %s', async (_, body, field) => {
    const answer = await withdraw(body);
    expect([answer.status, answer.body.error, answer.body.field]).toEqual([400, 'invalid_request', field]);
  });
});
