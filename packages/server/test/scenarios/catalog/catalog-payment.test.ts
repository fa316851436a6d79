import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { consoleOf } from '../../support/people/console.ts';
import { openShop, type SessionJson, type Shop, type Shopper } from '../../support/desks/catalog.ts';
import { addUser, topUp } from '../../support/desks/platform.ts';
import { eventually, type Json } from '../../support/desks/service.ts';
import { beside, linesOn, walletOf } from '../../support/desks/wallets.ts';
import { copyDistributed, type Sql, sql } from '../../../src/base/pg/index.ts';
import { checkBooks } from '../../../src/payments/facts/verify-books.ts';

let shop: Shop;
let me: Shopper;
let gd_no: string;

beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.stop());
beforeEach(async () => {
  me = await shop.shopper();
  gd_no = await shop.product();
});

const ptk = (): string => shop.platform.ptk_channel;
const card = (): string => shop.card.payment_no;
const byPtk = (members: Json = {}): Promise<string> =>
  me.order({ gd_no, quantity: 1, payment_no: ptk(), ...members });
const byCard = (members: Json = {}): Promise<string> =>
  me.order({ gd_no, quantity: 1, payment_no: card(), ...members });
const outcome = async (order_no: string, payment_no: string): Promise<unknown[]> => {
  const { status, body } = await me.pay<Json>(order_no, payment_no);
  return [status, body.error];
};
const run = (job: string): Promise<unknown> => shop.service.admin('POST', `/jobs/${job}/run`);

async function startCard(order_no: string) {
  const { status, body } = await me.pay(order_no, card());
  expect(status).toBe(200);
  return { body, session: await shop.sessionOf(order_no) };
}

/** The provider will refuse the next session. */
const refuseOnce = (): Promise<unknown> =>
  shop.sim('POST', '/faults', {
    endpoint: 'sessions.create',
    mode: 'status',
    status: 400,
    body: { error: { type: 'invalid_request_error', code: 'amount_too_small', message: 'No.' } },
  });

const untilStatus = (order_no: string, status: number) =>
  eventually(
    () => me.read(order_no),
    ({ body }) => body.status === status,
  );

describe('with PTK', () => {
  test('R-361 R-362 D-180 P2: the start debits once, a second start is refused, and the books match', async () => {
    const order_no = await byPtk();
    const before = await shop.service.admin<{ available_ptk: string }>(
      'GET',
      `/users/${shop.buyer.user_id}/wallet`,
    );
    const starts = await Promise.all([me, me, me].map((one) => one.pay<Json>(order_no, ptk())));
    const done = starts.filter(({ status }) => status === 200);
    expect(
      starts.filter(({ status }) => status !== 200).map(({ status, body }) => [status, body.error]),
    ).toEqual([
      [422, 'order_not_payable'],
      [422, 'order_not_payable'],
    ]);
    expect(done[0]?.body).toEqual({
      trade_no: `PTK:${order_no}`,
      redirect: `/orders/${order_no}`,
      expire_time: expect.any(Number) as unknown,
    });
    const { body } = await me.read(order_no);
    expect(body).toMatchObject({
      status: 1,
      status_label: 'Paid, in processing',
      trade_no: `PTK:${order_no}`,
    });
    expect(body.paid_time).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    const after = await shop.service.admin<{ available_ptk: string }>(
      'GET',
      `/users/${shop.buyer.user_id}/wallet`,
    );
    expect(BigInt(before.available_ptk) - BigInt(after.available_ptk)).toBe(10_100_000_000n);
    expect(await linesOn(shop.service, order_no)).toEqual([
      expect.stringMatching(/^P2 user:.* > inc:buyer_fee:PTK 100000000 PTK$/),
      expect.stringMatching(/^P2 user:.* > inc:merchant_fee 300000000 PTK$/),
      expect.stringMatching(/^P2 user:.* > m:available 9700000000 PTK$/),
    ]);
    expect(await outcome(order_no, ptk())).toEqual([422, 'order_not_payable']);
  });

  test('R-364 the payment’s own status: 0, then 1 while processed and when completed', async () => {
    const order_no = await byPtk();
    expect(await me.paymentStatus(order_no)).toBe(0);
    await me.pay(order_no, ptk());
    expect(await me.paymentStatus(order_no)).toBe(1);
  });

  test('R-361 D-179 another channel than the order’s is 422, a malformed one 400', async () => {
    const order_no = await byPtk();
    expect(await outcome(order_no, card())).toEqual([422, 'channel_unavailable']);
    for (const payment_no of [undefined, null, 5, '']) {
      const { status, body } = await me.send('POST', `/${order_no}/payment`, { payment_no });
      expect([status, body.error, body.field]).toEqual([400, 'invalid_request', 'payment_no']);
    }
    expect(await me.paymentStatus(order_no)).toBe(0);
  });

  test('R-366 D-125 too little in the wallet is 422 and leaves no trace: it can be paid later', async () => {
    const poor = await addUser(shop.service, 'Pat Poor');
    me = await shop.shopper(poor);
    const order_no = await byPtk();
    expect(await outcome(order_no, ptk())).toEqual([422, 'insufficient_balance']);
    expect((await me.read(order_no)).body.trade_no).toBe('');
    await topUp(shop.service, poor, 200n * 100_000_000n);
    expect(await outcome(order_no, ptk())).toEqual([200, undefined]);
  });

  test('D-085 D-176 owners cannot pay their own products from their own balance', async () => {
    await topUp(shop.service, shop.platform.owner, 200n * 100_000_000n);
    me = await shop.shopper(shop.platform.owner);
    expect(await outcome(await byPtk(), ptk())).toEqual([403, 'self_payment_not_allowed']);
  });

  test('D-085 people with the console role owner cannot either', async () => {
    const { service, platform } = shop;
    const partner = await addUser(service, 'Paula Partner');
    await topUp(service, partner, 200n * 100_000_000n);
    const desk = await consoleOf(service, platform.owner, platform.merchant_no);
    const { user_id, email } = partner;
    await desk.send('POST', '/people', { email, role: 'owner' });
    me = await shop.shopper(partner);
    const order_no = await byPtk();
    expect(await outcome(order_no, ptk())).toEqual([403, 'self_payment_not_allowed']);
    await desk.send('DELETE', `/people/${user_id}`);
    expect(await outcome(order_no, ptk())).toEqual([200, undefined]);
  });

  test('R-366 a channel that is off by now is 422', async () => {
    const order_no = await byPtk();
    await shop.service.admin('PATCH', `/channels/${ptk()}`, { enabled: false });
    expect(await outcome(order_no, ptk())).toEqual([422, 'channel_unavailable']);
    await shop.service.admin('PATCH', `/channels/${ptk()}`, { enabled: true });
  });

  test('P7p D-177 a full refund of an order in processing cancels it, and its stock returns', async () => {
    const order_no = await byPtk({ quantity: 2 });
    await me.pay(order_no, ptk());
    await shop.service.admin('POST', `/catalog-orders/${order_no}/refunds`, { reason: 'asked for' });
    expect((await me.read(order_no)).body).toMatchObject({ status: 2, status_label: 'Cancelled' });
    expect(await me.paymentStatus(order_no)).toBe(2);
    expect(await shop.stock(gd_no)).toBe(5);
    expect(await linesOn(shop.service, order_no)).toContainEqual(
      expect.stringMatching(/^P7p .* > user:.*:available .* PTK$/),
    );
    expect(await outcome(order_no, ptk())).toEqual([422, 'order_not_payable']);
    // The order in the administration API: the same as for a collection order, without notifications.
    expect(await shop.service.admin('GET', `/catalog-orders/${order_no}`)).toMatchObject({
      merchant_no: shop.platform.merchant_no,
      order: { order_no, status: 2, state: 'cancelled', reversed: 'refunded', user_id: shop.buyer.user_id },
      quotes: [{ payment_no: ptk() }],
      attempts: [{ state: 'paid', provider_trade_no: `PTK:${order_no}` }],
      refunds: [{ status: 'succeeded' }],
      cases: [],
    });
  });
});

describe('by card', () => {
  test('R-361 R-363 P1: a page at the provider, resumed by every further start; paid when the provider confirms', async () => {
    const order_no = await byCard();
    const { body, session } = await startCard(order_no);
    expect(session.amount_total).toBe(1_060);
    expect(body.redirect.startsWith(shop.cardsim.url)).toBe(true);
    expect(body.trade_no).toBe(session.client_reference_id);
    expect(Number.isInteger(body.expire_time)).toBe(true);
    expect((await me.pay(order_no, card())).body).toEqual(body);
    expect((await me.read(order_no)).body).toMatchObject({ status: 0, trade_no: body.trade_no });
    await shop.sim('POST', `/sessions/${session.id}/pay`, {});
    await untilStatus(order_no, 1);
    expect((await me.read(order_no)).body.trade_no).toBe(body.trade_no);
    expect(
      (await linesOn(shop.service, order_no)).map((line) => String(line).replace(/ch_\w+/, 'ch')),
    ).toEqual([
      'P1 prov:ch:USD > inc:buyer_fee:USD 60 USD',
      'P1 prov:ch:USD > fx:USD 1000 USD',
      'P1 fx:PTK > inc:merchant_fee 260000000 PTK',
      'P1 fx:PTK > m:available 9740000000 PTK',
    ]);
  });

  test('D-092 D-094 an unclear answer is 202, keeps the order, and resolves itself', async () => {
    const order_no = await byCard();
    await shop.sim('POST', '/faults', { endpoint: 'sessions.create', mode: 'reset_after' });
    expect(await outcome(order_no, card())).toEqual([202, 'provider_result_pending']);
    expect((await me.read(order_no)).body).toMatchObject({ status: 0, trade_no: '' });
    const { body, session } = await startCard(order_no);
    expect(body.trade_no).toBe(session.client_reference_id);
  });

  test('D-091 a definite refusal is 422, and the order may be tried again', async () => {
    const order_no = await byCard();
    await refuseOnce();
    expect(await outcome(order_no, card())).toEqual([422, 'provider_checkout_rejected']);
    expect((await me.read(order_no)).body).toMatchObject({ status: 0, trade_no: '' });
    await startCard(order_no);
  });

  test('D-177 at the deadline an unresolved payment keeps order and stock, until the provider has confirmed its end', async () => {
    const order_no = await byCard();
    await startCard(order_no);
    await shop.sim('POST', '/faults', { endpoint: 'sessions.expire', mode: 'status', status: 500, times: 3 });
    await shop.service.advance(31 * 60);
    await run('sweep');
    expect((await me.read(order_no)).body).toMatchObject({ status: 0 });
    expect(await me.paymentStatus(order_no)).toBe(0);
    expect(await shop.stock(gd_no)).toBe(4);
    expect(await outcome(order_no, card())).toEqual([422, 'order_not_payable']);
    await shop.sim('DELETE', '/faults');
    await eventually(
      async () => {
        await shop.service.advance(61);
        await run('reconcile');
        return me.read(order_no);
      },
      ({ body }) => body.status === 2,
    );
    expect(await shop.stock(gd_no)).toBe(5);
  });

  describe('D-177 paid after it was cancelled', () => {
    async function cancelled(): Promise<string> {
      const order_no = await byCard({ quantity: 3 });
      await refuseOnce();
      await me.pay(order_no, card());
      await shop.service.advance(31 * 60);
      await run('sweep');
      expect((await me.read(order_no)).body.status).toBe(2);
      expect(await shop.stock(gd_no)).toBe(5);
      return order_no;
    }

    test('it is paid after all where there is stock, which is taken again', async () => {
      const order_no = await cancelled();
      await shop.payRefused(order_no);
      await untilStatus(order_no, 1);
      expect(await shop.stock(gd_no)).toBe(2);
    });

    test('P10 where the stock is gone it stays cancelled: the money waits in suspense and goes back', async () => {
      const order_no = await cancelled();
      const rival = await shop.shopper(await addUser(shop.service, 'Ann Other'));
      await rival.order({ gd_no, quantity: 4, payment_no: ptk() });
      await shop.payRefused(order_no);
      const [found] = await eventually(
        async () =>
          (await shop.service.admin<{ items: Json[] }>('GET', '/cases')).items.filter(
            (one) => one.order_no === order_no,
          ),
        (items) => items.length === 1,
      );
      expect(found).toMatchObject({ kind: 'unfulfillable', state: 'open', currency: 'USD' });
      expect((await me.read(order_no)).body.status).toBe(2);
      expect(await shop.stock(gd_no)).toBe(1);
      expect(
        (await linesOn(shop.service, order_no)).filter((line) => String(line).startsWith('P1 ')),
      ).toEqual([]);
      // After one more payment the attempt is paid, but the order is not.
      await shop.payRefused(order_no);
      const [again] = await eventually(
        async () =>
          (await shop.service.admin<{ items: Json[] }>('GET', '/cases')).items.filter(
            (one) => one.order_no === order_no && one.kind === 'mismatch',
          ),
        (items) => items.length === 1,
      );
      const decide = (about: Json | undefined, action: string): Promise<Json> =>
        shop.service.admin('POST', `/cases/${about?.case_id as string}/resolution`, {
          action,
          reason: 'gone',
        });
      await expect(decide(again, 'accept')).rejects.toThrow(/ 409 .*another receipt/s);
      for (const one of [found, again]) await decide(one, 'refund');
      await eventually(
        async () =>
          (await shop.service.admin<{ items: Json[] }>('GET', '/cases')).items.filter(
            (one) => one.order_no === order_no && one.state !== 'resolved',
          ),
        (items) => items.length === 0,
      );
      expect((await linesOn(shop.service, order_no)).map((line) => String(line).split(' ')[0])).toEqual([
        'P10',
        'P11',
        'P10r',
        'P10r',
      ]);
    });
  });

  test('P8 a lost dispute cancels an order that is not delivered', async () => {
    const order_no = await byCard();
    const { session } = await startCard(order_no);
    await shop.sim('POST', `/sessions/${session.id}/pay`, {});
    await untilStatus(order_no, 1);
    await shop.sim('POST', `/sessions/${session.id}/dispute`, { outcome: 'lost' });
    await untilStatus(order_no, 2);
    expect((await linesOn(shop.service, order_no)).some((line) => String(line).startsWith('P8 '))).toBe(true);
  });
});

describe('races', () => {
  test('D-178 paying, expiring and reading concurrently: paid and taken, or cancelled and returned, never both', async () => {
    gd_no = await shop.product({ in_stock: 40 });
    const orders = await Promise.all(Array.from({ length: 12 }, () => byPtk({ quantity: 2 })));
    await shop.service.advance(30 * 60 - 1);
    const payments = orders.map((order_no) => me.pay<SessionJson & Json>(order_no, ptk()));
    await shop.service.advance(2);
    await Promise.all([
      ...payments,
      run('sweep'),
      run('sweep'),
      ...orders.map((order_no) => me.read(order_no)),
    ]);
    const statuses = await Promise.all(orders.map(async (order_no) => (await me.read(order_no)).body.status));
    expect(statuses.every((status) => status === 1 || status === 2)).toBe(true);
    const paid = statuses.filter((status) => status === 1).length;
    expect(await shop.stock(gd_no)).toBe(40 - 2 * paid);
  });
});

describe('R-142 R-144 verify-ledger compares catalog orders with the books', () => {
  /** The findings for a manipulated order. The manipulation is undone. */
  const findingsAfter = (change: Sql): Promise<{ kind: string; subject: string }[]> =>
    beside(shop.service, async (db) => {
      let found: { kind: string; subject: string }[] = [];
      const undone = new Error('undone');
      await db
        .transaction(async (tx) => {
          await tx.query(change);
          // The comparisons of facts find the same once more: the walk (books-walk.test.ts) is about them.
          await copyDistributed(tx);
          found = (await checkBooks(tx, null)).findings
            .filter(({ kind }) => !kind.endsWith('_differs'))
            .map(({ kind, subject }) => ({ kind, subject }));
          throw undone;
        })
        .catch((error: unknown) => {
          if (error !== undone) throw error;
        });
      return found;
    });

  test('paid without a settlement, settled otherwise, held without a payment', async () => {
    const [unpaid, paid] = [await byPtk(), await byPtk()];
    await me.pay(paid, ptk());
    expect(
      await findingsAfter(
        sql`UPDATE catalog_orders SET state = 'paid', state_version = state_version + 1, paid_at = created_at,
          provider_trade_no = 'PTK:x' WHERE order_no = ${unpaid}`,
      ),
    ).toEqual([{ kind: 'order_without_settlement', subject: unpaid }]);
    expect(
      await findingsAfter(
        sql`UPDATE catalog_orders SET merchant_fee_ptk = merchant_fee_ptk + 1, settlement_ptk = settlement_ptk - 1
          WHERE order_no = ${paid}`,
      ),
    ).toEqual([{ kind: 'settlement_amount', subject: paid }]);
    expect(
      await findingsAfter(
        sql`INSERT INTO payment_holds (merchant_id, order_no, release_at)
          SELECT merchant_id, order_no, expires_at FROM catalog_orders WHERE order_no = ${unpaid}`,
      ),
    ).toEqual([{ kind: 'hold_without_payment', subject: unpaid }]);
  });

  test('D-177 the database itself refuses a move that no code makes', async () => {
    const order_no = await byPtk();
    for (const state of ['completed', 'pending'] as const) {
      const change = sql`UPDATE catalog_orders SET state = ${state}, quantity = 9 WHERE order_no = ${order_no}`;
      await expect(findingsAfter(change)).rejects.toMatchObject({ code: '23000' });
    }
  });
});

test('D-189 the net is held as for collection orders, and released when the hold ends', async () => {
  await shop.service.admin('PATCH', `/merchants/${shop.platform.merchant_no}`, { hold_days: 2 });
  const order_no = await byPtk();
  await me.pay(order_no, ptk());
  expect(await walletOf(shop.service, shop.platform.merchant_no)).toMatchObject({ held_ptk: '9700000000' });
  await shop.service.advance(2 * 24 * 3_600 + 1);
  await run('release-holds');
  expect(await walletOf(shop.service, shop.platform.merchant_no)).not.toHaveProperty('held_ptk');
  await shop.service.admin('PATCH', `/merchants/${shop.platform.merchant_no}`, { hold_days: 0 });
});
