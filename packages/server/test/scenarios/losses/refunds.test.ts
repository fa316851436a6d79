import { OrderDetailAnswer, RefundAnswer } from '@paydesk/contract';
import { parse } from 'csv-parse/sync';
import { Check } from 'typebox/value';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../../src/base/pg/index.ts';
import { merchantIdOf } from '../../../src/base/ids.ts';
import {
  day_s,
  type LossDesk,
  notify_secret,
  openLossDesk,
  openShop,
  type Shop,
} from '../../support/desks/losses.ts';
import { isAuthentic, recordWhere } from '../../support/notifications/notify.ts';
import { openOwnShop } from '../../support/desks/own-channel.ts';
import { type Order } from '../../support/desks/platform.ts';
import { eventually, type Json } from '../../support/desks/service.ts';
import { auditOn, beside } from '../../support/desks/wallets.ts';

let desk: LossDesk;
const headers = { authorization: 'Bearer test-administration-key' };

beforeAll(async () => {
  desk = await openLossDesk();
});
afterAll(() => desk.stop());
beforeEach(async () => {
  await desk.sim('DELETE', '/faults');
  await desk.sim('POST', '/webhooks/hold', { hold: false });
});

const fault = (mode: string, more: Json = {}): Promise<Json> =>
  desk.sim('POST', '/faults', { endpoint: 'refunds.create', mode, ...more });

/** The returned amount of a payment in the provider's records. */
const refundsAt = async (payment_id: string): Promise<Json[]> => {
  const answer = await fetch(`${desk.cardsim.url}/v1/refunds?payment_intent=${payment_id}`, {
    headers: { authorization: 'Bearer sk_live_simulated' },
  });
  return ((await answer.json()) as { data: Json[] }).data;
};

/** Moves the clock by a minute and pursues refunds, in this pass or by a worker. */
async function aMinuteLater(): Promise<void> {
  await desk.service.advance(61);
  await desk.service.admin('POST', '/jobs/reconcile/run');
}

const statusOf = async (shop: Shop, order: Order): Promise<unknown> =>
  (await shop.merchant.read(order.order_no)).body.status;

describe('a card payment', () => {
  test('section 3.7, R-136, R-139, R-190, D-075 is returned in full, down the waterfall, and the fees stay', async () => {
    const shop = await openShop(desk, { guarantee: 500_000_000n, available: 200_000_000n });
    const { order, payment_id } = await shop.byCard();
    expect(await shop.wallet()).toMatchObject({ held_ptk: '9740000000' });

    const { status, body } = await shop.refund(order);
    expect([status, body.status, Check(RefundAnswer, body)]).toEqual([201, 'succeeded', true]);
    expect(await refundsAt(payment_id)).toMatchObject([
      {
        status: 'succeeded',
        amount: 1_060,
        metadata: { refund_id: body.refund_id, order_no: order.order_no },
      },
    ]);
    expect(await shop.lines(order)).toEqual([
      `P7 fx:USD > prov:${desk.card.payment_no}:USD 1060 USD`,
      'P7 m:held:ORDER > fx:PTK 9740000000 PTK',
      'P7 m:guarantee > fx:PTK 500000000 PTK',
      'P7 m:available > fx:PTK 200000000 PTK',
      'P7 m:recovery > fx:PTK 160000000 PTK',
    ]);
    expect(await shop.wallet()).toEqual({ recovery_ptk: '160000000' });

    const after = (await shop.merchant.read(order.order_no)).body;
    expect(after).toEqual({ ...order, status: 'refunded', status_version: Number(order.status_version) + 1 });
    const record = await recordWhere(
      shop.merchant,
      order,
      'refunded',
      ({ delivery_status }) => delivery_status === 'delivered',
    );
    const { event_id, provider_trade_no, occurred_at } = order;
    expect(record.event.data).toMatchObject({
      ...{ event_id, provider_trade_no, occurred_at, amount: '10.00' },
      status_version: after.status_version,
    });
    const received = desk.receiver.of(order).at(-1);
    expect(received !== undefined && isAuthentic(received, notify_secret)).toBe(true);

    const [entry] = await auditOn(desk.service, `order:${order.order_no}`, 'order.refund');
    expect(entry).toMatchObject({ reason: 'returned goods', after: { refund_id: body.refund_id } });
    expect(Check(OrderDetailAnswer, await shop.detail(order))).toBe(true);
    expect((await desk.send('/withdrawals', withdrawalOf(shop))).body.error).toBe('recovery_outstanding');
  });

  test('D-077 is refunded only once the provider has confirmed it, here by its webhook', async () => {
    const shop = await openShop(desk);
    const { order } = await shop.byCard();
    await fault('pending');
    const { body } = await shop.refund(order);
    expect(body.status).toBe('pending');
    expect(await statusOf(shop, order)).toBe('paid');
    expect(await shop.lines(order)).toEqual([]);
    expect((await shop.refund(order)).body).toMatchObject({ error: 'payment_conflict', field: 'order_no' });

    await desk.sim('POST', `/refunds/${String(body.provider_refund_id)}/settle`, { outcome: 'succeeded' });
    await shop.until(order, 'refunded');
    expect((await shop.detail(order)).refunds).toMatchObject([{ status: 'succeeded' }]);
  });

  test('D-077 … and by asking, where no webhook came', async () => {
    const shop = await openShop(desk);
    const { order } = await shop.byCard();
    await fault('pending');
    const { body } = await shop.refund(order);
    await desk.sim('POST', '/webhooks/hold', { hold: true });
    await desk.sim('POST', `/refunds/${String(body.provider_refund_id)}/settle`, { outcome: 'succeeded' });
    await aMinuteLater();
    await shop.until(order, 'refunded');
    const before = await shop.lines(order);
    await desk.sim('POST', '/webhooks/hold', { hold: false });
    await desk.service.admin('POST', '/jobs/reconcile/run');
    expect(await shop.lines(order)).toEqual(before);
  });

  test('a refund that fails at the provider changes nothing, and may be asked for again', async () => {
    const shop = await openShop(desk);
    const { order, payment_id } = await shop.byCard();
    await fault('pending');
    const { body } = await shop.refund(order);
    await desk.sim('POST', `/refunds/${String(body.provider_refund_id)}/settle`, { outcome: 'failed' });
    await eventually(
      () => shop.detail(order),
      ({ refunds }) => refunds[0]?.status === 'failed',
    );
    expect(await statusOf(shop, order)).toBe('paid');
    expect(await shop.lines(order)).toEqual([]);
    expect((await shop.refund(order)).body.status).toBe('succeeded');
    expect((await refundsAt(payment_id)).map(({ status }) => status)).toEqual(['succeeded', 'failed']);
    expect((await shop.detail(order)).refunds.map(({ status }) => status)).toEqual(['succeeded', 'failed']);
  });

  test('D-091 a refund that the provider refuses has failed', async () => {
    const shop = await openShop(desk);
    const { order } = await shop.byCard();
    const error = { error: { type: 'invalid_request_error', message: 'no' } };
    await fault('status', { status: 400, body: error });
    expect((await shop.refund(order)).body.status).toBe('failed');
    expect(await statusOf(shop, order)).toBe('paid');
    expect((await shop.refund(order)).body.status).toBe('succeeded');
  });

  test.each<[string, string, Json]>([
    ['was carried out, and the connection broke', 'reset_after', {}],
    ['was carried out, and the answer was cut off', 'truncate', {}],
    ['failed on their side', 'status', { status: 503 }],
    ['was too early', 'status', { status: 409 }],
  ])(
    'D-091, D-092 a request that %s is repeated under its key: there is one refund',
    async (_, mode, more) => {
      const shop = await openShop(desk);
      const { order, payment_id } = await shop.byCard();
      // Its webhook may arrive before the answer.
      await desk.sim('POST', '/webhooks/hold', { hold: true });
      await fault(mode, more);
      const { body } = await shop.refund(order);
      expect(body.status).toBe('pending');
      expect(await statusOf(shop, order)).toBe('paid');
      await aMinuteLater();
      await shop.until(order, 'refunded');
      expect(await refundsAt(payment_id)).toHaveLength(1);
      const { items } = await desk.sim<{ items: Json[] }>('GET', '/requests');
      const asked = items.filter(({ path, method }) => method === 'POST' && path === '/v1/refunds');
      expect(new Set(asked.slice(-2).map((call) => call.idempotency_key))).toEqual(
        new Set([`ref_${body.refund_id}`]),
      );
    },
  );

  test('a refund whose process died before it asked is taken up by a worker', async () => {
    const shop = await openShop(desk);
    const { order, payment_id } = await shop.byCard();
    await insertRequested(shop, order);
    expect((await shop.refund(order)).status).toBe(409);
    await aMinuteLater();
    await shop.until(order, 'refunded');
    expect(await refundsAt(payment_id)).toMatchObject([{ metadata: { refund_id: 'rf_left_alone' } }]);
  });

  test('of two concurrent requests, one refunds', async () => {
    const shop = await openShop(desk);
    const { order, payment_id } = await shop.byCard();
    const answers = await Promise.all([shop.refund(order), shop.refund(order), shop.refund(order)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect(await statusOf(shop, order)).toBe('refunded');
    expect(await refundsAt(payment_id)).toHaveLength(1);
    expect(await shop.lines(order)).toHaveLength(3);
  });
});

describe('refunds made in the provider’s dashboard', () => {
  test('D-077 a full one refunds the order', async () => {
    const shop = await openShop(desk);
    const { order, payment_id } = await shop.byCard();
    const { id } = await desk.provider('/refunds', { payment_intent: payment_id });
    await shop.until(order, 'refunded');
    expect((await shop.detail(order)).refunds).toMatchObject([
      { status: 'succeeded', provider_refund_id: id },
    ]);
    expect((await shop.refund(order)).body.error).toBe('payment_conflict');
  });

  test('D-077 so does one that they are still at, once it is done', async () => {
    const shop = await openShop(desk);
    const { order, payment_id } = await shop.byCard();
    await fault('pending');
    const { id } = await desk.provider('/refunds', { payment_intent: payment_id });
    await eventually(
      () => shop.detail(order),
      ({ refunds }) => refunds[0]?.status === 'pending',
    );
    expect(await statusOf(shop, order)).toBe('paid');
    await desk.sim('POST', `/refunds/${String(id)}/settle`, { outcome: 'succeeded' });
    await shop.until(order, 'refunded');
  });

  describe('D-841 several that return all of it together', () => {
    /** Two of which no webhook tells any more, once both are known to be under way. */
    async function twoUnderWay(): Promise<{ shop: Shop; order: Order; ids: readonly [string, string] }> {
      const shop = await openShop(desk);
      const { order, payment_id } = await shop.byCard();
      await desk.sim('POST', '/webhooks/hold', { hold: true });
      const ids: string[] = [];
      for (const amount of ['500', '560']) {
        await fault('pending');
        ids.push(String((await desk.provider('/refunds', { payment_intent: payment_id, amount }))['id']));
      }
      await desk.sim('POST', '/webhooks/hold', { hold: false });
      await eventually(
        () => shop.detail(order),
        ({ refunds }) => refunds[0]?.status === 'pending',
      );
      await desk.sim('POST', '/webhooks/hold', { hold: true });
      return { shop, order, ids: ids as [string, string] };
    }

    const settled = (id: string, outcome: 'succeeded' | 'failed') =>
      desk.sim('POST', `/refunds/${id}/settle`, { outcome });

    test('refund the order once all are done', async () => {
      const { shop, order, ids } = await twoUnderWay();
      await settled(ids[1], 'succeeded');
      await aMinuteLater();
      expect((await shop.detail(order)).refunds).toMatchObject([{ status: 'pending' }]);
      await settled(ids[0], 'succeeded');
      await aMinuteLater();
      await shop.until(order, 'refunded');
      expect(await shop.cases(order)).toEqual([]);
    });

    test('are no refund under way any more if one of them fails', async () => {
      const { shop, order, ids } = await twoUnderWay();
      await settled(ids[0], 'failed');
      await settled(ids[1], 'succeeded');
      await aMinuteLater();
      const { refunds, complaints } = await eventually(
        () => shop.detail(order),
        (detail) => detail.complaints.length > 0 && detail.refunds.length > 1,
      );
      expect(refunds.map(({ status }) => status)).toEqual(['partial', 'failed']);
      expect(await shop.cases(order)).toEqual([
        'partial_refund 560 USD: another amount than was paid has gone back',
      ]);
      const loss = { decision: 'confirm', loss_amount: '5.60' };
      expect((await shop.decide(complaints[0]?.complaint_id ?? '', loss)).status).toBe(200);
    });
  });

  test('R-135, D-076 one in part freezes the order’s funds and leaves it paid; seen again it does nothing', async () => {
    const shop = await openShop(desk);
    const { order, payment_id } = await shop.byCard();
    await desk.provider('/refunds', { payment_intent: payment_id, amount: '400' });
    // The detail is read by several statements, so one of the two may be there a moment before the other.
    const { refunds, complaints } = await eventually(
      () => shop.detail(order),
      (detail) => detail.complaints.length > 0 && detail.refunds.length > 0,
    );
    expect(refunds).toMatchObject([{ status: 'partial', amount: '4.00' }]);
    expect(complaints).toMatchObject([{ status: 'open', source: 'provider' }]);
    expect(await statusOf(shop, order)).toBe('paid');
    expect(await shop.wallet()).toEqual({ frozen_ptk: '9740000000' });

    await shop.decide(complaints[0]?.complaint_id ?? '', { decision: 'confirm', loss_amount: '4.00' });
    expect(await shop.wallet()).toEqual({ held_ptk: '5740000000' });
    await replay(payment_id, 'charge.refunded');
    const known = ['partial_refund 400 USD: another amount than was paid has gone back'];
    expect(await shop.cases(order)).toEqual(known);
    expect((await shop.detail(order)).complaints).toHaveLength(1);
    expect(await shop.wallet()).toEqual({ held_ptk: '5740000000' });

    // The rest is returned as well. The earlier part is not booked again.
    await desk.provider('/refunds', { payment_intent: payment_id });
    await shop.until(order, 'refunded');
    expect(await shop.cases(order)).toEqual(known);
    expect((await shop.lines(order)).slice(-3)).toEqual([
      `P7 fx:USD > prov:${desk.card.payment_no}:USD 660 USD`,
      'P7 m:held:ORDER > fx:PTK 5740000000 PTK',
      'P7 m:recovery > fx:PTK 860000000 PTK',
    ]);
  });

  test('D-076 another amount than we asked for is no refund', async () => {
    const shop = await openShop(desk);
    const { order } = await shop.byCard();
    await fault('amount', { amount_total: 1_059 });
    expect((await shop.refund(order)).body.status).toBe('failed');
    expect(await statusOf(shop, order)).toBe('paid');
    const { refunds, complaints } = await shop.detail(order);
    expect(refunds.map(({ status }) => status)).toEqual(['partial', 'failed']);
    expect(complaints).toMatchObject([{ status: 'open' }]);
    expect(await shop.wallet()).toEqual({ frozen_ptk: '9740000000' });
    expect(await shop.cases(order)).toEqual([
      'partial_refund 1059 USD: another amount than was paid has gone back',
    ]);
  });
});

describe('a PTK payment', () => {
  test('P7p, R-136, D-077, D-1064 goes back in one step, all of it, and the fees stay', async () => {
    const shop = await openShop(desk, { available: 1_000_000_000n });
    const before = await desk.buyerFunds();
    const order = await shop.byPtk();
    expect(await shop.wallet()).toMatchObject({ held_ptk: '9700000000' });
    const { status, body } = await shop.refund(order);
    expect([status, body.status, body.amount]).toEqual([201, 'succeeded', '101.00000000']);
    expect(await desk.buyerFunds()).toBe(before);
    // D-1064 the list of refunds is a file too.
    const file = await desk.service.send('GET', '/admin/v1/refunds.csv?status=succeeded', { headers });
    const rows: Record<string, string>[] = parse(file.text, { columns: true, bom: true });
    expect(rows.find(({ order_no }) => order_no === order.order_no)).toMatchObject({
      ...{ merchant_no: shop.merchant_no, refund_id: body.refund_id, status: 'succeeded' },
      ...{ amount: '101.00000000', currency: 'PTK', provider_refund_id: '', test_mode: 'false' },
    });
    const buyer = `user:${desk.platform.buyer.user_id}:available`;
    expect(await shop.lines(order)).toEqual([
      `P7p m:held:ORDER > ${buyer} 9700000000 PTK`,
      `P7p m:available > ${buyer} 400000000 PTK`,
    ]);
    expect(await shop.wallet()).toEqual({ available_ptk: '600000000' });
    expect((await shop.merchant.read(order.order_no)).body).toEqual({
      ...order,
      status: 'refunded',
      status_version: Number(order.status_version) + 1,
    });
  });

  test('without a hold a refund comes from the wallet, and the rest is owed', async () => {
    const shop = await openShop(desk, { hold_days: 0 });
    const order = await shop.byPtk();
    await shop.refund(order);
    expect(await shop.wallet()).toEqual({ recovery_ptk: '400000000' });
  });

  test('R-147 the hold ends with it: nothing is released later', async () => {
    const shop = await openShop(desk, { available: 400_000_000n });
    const order = await shop.byPtk();
    await shop.refund(order);
    expect((await shop.detail(order)).money.hold?.released_at).toEqual(expect.any(String));
    await desk.service.advance(2 * day_s);
    await desk.service.admin('POST', '/jobs/release-holds/run');
    expect((await shop.lines(order)).filter((line) => line.startsWith('P3'))).toEqual([]);
    expect(await shop.wallet()).toEqual({});
  });

  test('of many concurrent requests, one refunds', async () => {
    const shop = await openShop(desk);
    const order = await shop.byPtk();
    const before = await desk.buyerFunds();
    const answers = await Promise.all(Array.from({ length: 5 }, () => shop.refund(order)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
    expect(await desk.buyerFunds()).toBe(before + 10_100_000_000n);
    expect((await shop.merchant.read(order.order_no)).body.status_version).toBe(
      Number(order.status_version) + 1,
    );
  });
});

test('P7o, R-131 on the merchant’s own channel only the status moves: its money was never here', async () => {
  const { service, cardsim, platform } = desk;
  const own = await openOwnShop(service, cardsim, platform.owner, { available: 260_000_000n });
  const order = await own.order();
  await own.start(order);
  await own.pay(order);
  await eventually(
    () => own.merchant.read(order.order_no),
    ({ body }) => body.status === 'paid',
  );
  const before = await own.postings(order);
  const answer = await desk.send(`/collection-orders/${order.order_no}/refunds`, {
    reason: 'wrong size',
  });
  expect(answer.body.status).toBe('succeeded');
  expect((await own.merchant.read(order.order_no)).body.status).toBe('refunded');
  expect(await own.postings(order)).toEqual(before);
  expect(await own.wallet()).toEqual({});
});

test('R-138 a refund ends an open complaint, and takes the frozen funds first', async () => {
  const shop = await openShop(desk, { available: 400_000_000n });
  const order = await shop.byPtk();
  const { complaint_id } = (await shop.complain(order)).body;
  await shop.refund(order);
  expect((await shop.lines(order)).filter((line) => line.startsWith('P7p'))).toMatchObject([
    expect.stringMatching(/^P7p m:frozen:ORDER > .* 9700000000 PTK$/),
    expect.stringMatching(/^P7p m:available > .* 400000000 PTK$/),
  ]);
  expect((await shop.detail(order)).complaints).toMatchObject([{ complaint_id, status: 'closed' }]);
  const { status, body } = await shop.decide(complaint_id, { decision: 'dismiss' });
  expect([status, body.error]).toEqual([409, 'payment_conflict']);
});

describe('refusals change nothing', () => {
  test('a refund of an order that is not paid, or not there, or without a reason', async () => {
    const shop = await openShop(desk);
    const unpaid = await shop.unpaid();
    const order = await shop.byPtk();
    for (const [of, body, expected] of [
      [unpaid, { reason: 'x' }, [409, 'payment_conflict', 'order_no']],
      [{ ...order, order_no: 'mp_nothing' }, { reason: 'x' }, [404, 'not_found', undefined]],
      [order, {}, [400, 'invalid_request', 'reason']],
      [order, { reason: '  ' }, [400, 'invalid_request', 'reason']],
      [order, { reason: 7 }, [400, 'invalid_request', 'reason']],
    ] as const) {
      const answer = await shop.refund(of, body);
      expect([answer.status, answer.body.error, answer.body.field]).toEqual(expected);
    }
    expect(await shop.lines(order)).toEqual([]);
    expect(await statusOf(shop, order)).toBe('paid');
    expect((await shop.detail(unpaid)).refunds).toEqual([]);
  });

  test('a refund of an order that was lost in part already', async () => {
    const shop = await openShop(desk);
    const order = await shop.byPtk();
    const { complaint_id } = (await shop.complain(order)).body;
    await shop.decide(complaint_id, { decision: 'confirm', loss_amount: '1' });
    const before = await shop.lines(order);
    expect((await shop.refund(order)).body).toMatchObject({ error: 'payment_conflict', field: 'order_no' });
    expect(await shop.lines(order)).toEqual(before);
  });
});

const withdrawalOf = ({ merchant_no }: Shop): Json => ({
  merchant_no,
  amount_ptk: '1',
  reference: 'out',
  payout_currency: 'USD',
  payout_amount: '0.01',
});

/** The state after a process dies between its commit and its request. */
async function insertRequested({ merchant_no }: Shop, { order_no }: Order): Promise<void> {
  const merchant_id = merchantIdOf(merchant_no);
  await beside(desk.service, (db) =>
    db.query(sql`INSERT INTO payment_refunds (merchant_id, refund_id, order_no, attempt_id, amount, currency,
        currency_decimals, status, requested_at, check_at, detail)
      SELECT merchant_id, 'rf_left_alone', order_no, attempt_id, amount, currency, currency_decimals, 'requested',
        paid_at, paid_at, 'requested'
      FROM payment_attempts WHERE merchant_id = ${merchant_id} AND order_no = ${order_no}`),
  );
}

/** Processes the latest event of a type about a payment again, as after a second delivery under another id. */
async function replay(payment_id: string, type: string): Promise<void> {
  const { items } = await desk.sim<{ items: { id: string; type: string; data: Json }[] }>('GET', '/events');
  const event = items.findLast(
    (item) => item.type === type && JSON.stringify(item.data).includes(payment_id),
  );
  if (event === undefined) throw new Error(`no ${type} about ${payment_id}`);
  await beside(desk.service, (db) =>
    db.query(sql`UPDATE card_webhooks SET due_at = received_at WHERE provider_event_id = ${event.id}`),
  );
  await desk.service.admin('POST', '/jobs/reconcile/run');
}
