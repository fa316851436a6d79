/** Orders that both a test payment and real money have paid: one of them settles the order, the other one is a case. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { caseOf, detailOf, namesOf, pay, resolve, strangeSession } from '../../support/desks/cases.ts';
import { day_s, type LossDesk, openLossDesk, openShop, type Shop } from '../../support/desks/losses.ts';
import { addCardChannel, checkoutOf, type Order, payWithPtk } from '../../support/desks/platform.ts';
import type { Json } from '../../support/desks/service.ts';
import { consoleOf } from '../../support/people/console.ts';

const testKey = 'sk_test_beside';

let desk: LossDesk;
let shop: Shop;

beforeAll(async () => {
  desk = await openLossDesk();
  shop = await openShop(desk);
  const { service, cardsim } = desk;
  const fees = (await service.admin<{ fees: Json[] }>('GET', `/channels/${desk.card.payment_no}`)).fees;
  const trial = await addCardChannel(service, cardsim.url, {
    ...{ name: 'Trial', test_mode: true, supported_currencies: ['USD'], fees },
    config: { api_base: cardsim.url, secret_key: testKey, webhook_secret: 'whsec_trial' },
  });
  await cardsim.registerWebhook({ url: trial.webhook_url, secret: 'whsec_trial', account: testKey });
  await service.admin('PUT', `/channels/${trial.payment_no}/debug-grants`, {
    merchants: [shop.merchant_no],
    users: [],
  });
});
afterAll(() => desk.stop());

/** Starts a card payment, real or as a test, that the provider refuses. */
async function refused(order: Order, isTest: boolean): Promise<string> {
  await desk.sim('POST', '/faults', {
    endpoint: 'sessions.create',
    mode: 'status',
    status: 400,
    body: { error: { type: 'invalid_request_error', code: 'amount_too_small', message: 'No.' } },
    times: 1,
  });
  const checkout = checkoutOf(desk.service, order);
  const { methods } = (await checkout.state()).body;
  const method = methods.find((one) => one.provider === 'cardprov' && one.test_mode === isTest);
  const { body } = await checkout.start(method?.method_id ?? '');
  expect(body).toMatchObject({ error: 'provider_checkout_rejected' });
  return (await detailOf(desk, order)).attempts[0]?.attempt_id ?? '';
}

/** Pays a session in the name of a refused attempt. */
async function payRefused(order: Order, attempt_id: string, key?: string): Promise<void> {
  await pay(desk, await strangeSession(desk, await namesOf(desk, order, attempt_id), key));
}

async function findings(order: Order): Promise<Json[]> {
  const { findings } = await desk.service.admin<{ findings: Json[] }>('GET', '/ledger/verification');
  return findings.filter(({ subject }) => subject === order.order_no);
}

async function listed(path: string, order: Order): Promise<Json | undefined> {
  const { items } = await desk.service.admin<{ items: Json[] }>('GET', path);
  return items.find(({ order_no }) => order_no === order.order_no);
}

/** An order that PTK have paid, and a test once more. */
async function realThenTest(): Promise<Order> {
  const order = await shop.unpaid();
  const attempt_id = await refused(order, true);
  await payWithPtk(desk.service, order, desk.cookie);
  await payRefused(order, attempt_id, testKey);
  await caseOf(desk, order);
  return order;
}

/** An order that a test has paid, and real money once more. */
async function testThenReal(): Promise<Order> {
  const order = await shop.unpaid();
  const real = await refused(order, false);
  const tried = await refused(order, true);
  await payRefused(order, tried, testKey);
  await shop.until(order, 'paid');
  await payRefused(order, real);
  await caseOf(desk, order);
  return order;
}

test('D-1306 what happened to real money is no test, also where a test has paid the order once more', async () => {
  const order = await realThenTest();
  const { complaint_id } = (await shop.complain(order)).body;
  expect(await listed('/complaints', order)).toMatchObject({ test_mode: false });
  expect(await findings(order)).toEqual([]);
  await shop.decide(complaint_id, { decision: 'dismiss' });
  await shop.refund(order);
  expect(await listed('/refunds', order)).toMatchObject({ test_mode: false });
  expect(await findings(order)).toEqual([]);
});

test('D-1307 a complaint about a test agrees with the books, also where real money has paid its order once more', async () => {
  const order = await testThenReal();
  const { complaint_id } = (await shop.complain(order)).body;
  expect(await listed('/complaints', order)).toMatchObject({ test_mode: true });
  expect(await findings(order)).toEqual([]);
  await shop.decide(complaint_id, { decision: 'dismiss' });
  expect(await findings(order)).toEqual([]);
  await desk.service.advance(2 * day_s);
  await desk.service.admin('POST', '/jobs/release-holds/run');
  await resolve(desk, await caseOf(desk, order), 'refund');
  await shop.refund(order);
  await shop.until(order, 'refunded');
  expect(await listed('/refunds', order)).toMatchObject({ test_mode: true });
  expect(await findings(order)).toEqual([]);
  const screen = await consoleOf(desk.service, shop.owner, shop.merchant_no);
  const { body } = await screen.get<{ items: Json[] }>('/wallet/statement?from=2020-01-01T00:00:00Z');
  const lines = body.items.filter(({ subject }) => subject === order.order_no);
  expect(lines.filter(({ test_mode }) => test_mode !== true)).toEqual([]);
  expect(new Set(lines.map(({ posting }) => posting))).toEqual(new Set(['P1', 'P6a', 'P6b', 'P3', 'P7']));
});
