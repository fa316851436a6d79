/** The demo shop against a live service: `examples/shop` is what merchants copy, so it has to be right. */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient } from '@paydesk/sdk';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../../../../examples/shop/lib/database.js';
import { reconcileBooks } from '../../../../../examples/shop/lib/reconciliation.js';
import { createShopServer, type Shop } from '../../../../../examples/shop/lib/server.js';
import { readSettings } from '../../../../../examples/shop/lib/settings.js';
import { emptyDatabase, type TestDatabase } from '../../support/servers/database.ts';
import { envelopeOf, type Envelope, setDefaults } from '../../support/notifications/notify.ts';
import { openOrderDesk, type OrderDesk } from '../../support/desks/order-desk.ts';
import { addClient, type Order } from '../../support/desks/platform.ts';
import { eventually, request } from '../../support/desks/service.ts';

const secret = 'the-notification-secret-of-the-demo-shop';
const origin = 'http://shop.example';

let desk: OrderDesk;
let database: TestDatabase;
let db: Awaited<ReturnType<typeof openDatabase>>;
let server: Server;
let url: string;
let shop: Shop;

beforeAll(async () => {
  desk = await openOrderDesk();
  database = await emptyDatabase();
  db = await openDatabase(database.url);
  const { client_id, client_secret } = await addClient(desk.service, desk.platform.merchant_no);
  const settings = readSettings({
    SHOP_URL: origin,
    SHOP_DATABASE_URL: database.url,
    PAYDESK_URL: desk.service.url,
    PAYDESK_CLIENT_ID: client_id,
    PAYDESK_CLIENT_SECRET: client_secret,
    NOTIFY_SECRETS: `an-older-secret-of-the-demo-shop-here ${secret}`,
  });
  settings.check_every_ms = 0;
  shop = { settings, db, paydesk: createClient({ base_url: desk.service.url, client_id, client_secret }) };
  server = createShopServer(shop);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await setDefaults(desk.service, desk.platform.merchant_no, {
    url: desk.receiver.url('/notifications'),
    enabled: true,
    secret,
  });
  hear();
});
afterEach(() => {
  hear();
});
afterAll(async () => {
  // First, so that it sends nothing more to the shop.
  await desk.stop();
  server.closeAllConnections();
  server.close();
  await db.close();
  await database.drop();
});

/** Lets what Paydesk sends come through to the shop, as it is, this many times. */
function hear(times = 1): void {
  desk.receiver.answerWith(async ({ headers, body }) => {
    const statuses = await Promise.all(Array.from({ length: times }, () => deliver(headers, body)));
    return { status: Math.max(...statuses) };
  });
}

async function deliver(headers: Record<string, unknown>, body: Buffer): Promise<number> {
  const sent = Object.entries(headers).filter(([name]) => /^(content-type|x-service-)/.test(name));
  const answer = await fetch(`${url}/paydesk/notifications`, {
    method: 'POST',
    headers: Object.fromEntries(sent) as Record<string, string>,
    body: new Uint8Array(body),
  });
  return answer.status;
}

const pageOf = async (order_id: string, query = ''): Promise<string> =>
  (await fetch(`${url}/orders/${order_id}${query}`)).text();

const stateOn = (page: string): string | undefined => /class="state (\w+)"/.exec(page)?.[1];

/** Orders as a browser does: product page, form, and the page that it leads to. */
async function order(quantity = '1'): Promise<{ order_id: string; attempt: Order }> {
  const product = await (await fetch(`${url}/products/night-reader`)).text();
  const [, order_id = ''] = /name="order_id" value="([^"]+)"/.exec(product) ?? [];
  const body = new URLSearchParams({ order_id, sku: 'night-reader', quantity });
  // The form is sent twice at once: an impatient finger.
  const sent = await Promise.all(
    [1, 2].map(() =>
      fetch(`${url}/orders`, { method: 'POST', headers: { origin }, body, redirect: 'manual' }),
    ),
  );
  expect(sent.map(({ status }) => status)).toEqual([303, 303]);
  return { order_id, attempt: await attemptOf(order_id) };
}

async function attemptOf(order_id: string): Promise<Order> {
  const [attempt] = await db.rows('SELECT * FROM attempts WHERE order_id = $1 ORDER BY number DESC', [
    order_id,
  ]);
  return attempt as unknown as Order;
}

const postingsOf = (order_id: string): Promise<Record<string, unknown>[]> =>
  db.rows('SELECT event_id, reversed_as FROM postings WHERE order_id = $1', [order_id]);

const findings = async (): Promise<string[]> =>
  (await db.rows('SELECT detail FROM findings ORDER BY found_at')).map(({ detail }) => String(detail));

/** Reads the order's page until its books say so. */
const untilState = (order_id: string, state: string): Promise<string> =>
  eventually(
    () => pageOf(order_id),
    (page) => stateOn(page) === state,
  );

test('D-292 secrets of notifications are separated by any white space: an empty one would end each delivery', () => {
  const names = ['SHOP_DATABASE_URL', 'PAYDESK_URL', 'PAYDESK_CLIENT_ID', 'PAYDESK_CLIENT_SECRET'];
  const env = Object.fromEntries(names.map((name) => [name, 'x']));
  const { notify_secrets } = readSettings({ ...env, NOTIFY_SECRETS: 'current  older\n' });
  expect(notify_secrets).toEqual(['current', 'older']);
});

test('D-292 from the product to the paid order: the return proves nothing, and notifications post once', async () => {
  hear(3);
  const { order_id, attempt } = await order('2');
  const open = await pageOf(order_id, '?status=paid&event_id=pe_1');
  expect(stateOn(open)).toBe('pending');
  expect(open).toContain(attempt.checkout_url.replaceAll('&', '&amp;'));
  expect((await shop.paydesk.getOrder(attempt.order_no)).amount).toBe('25.00');

  await desk.payByPtk(attempt);
  await desk.service.admin('POST', '/jobs/deliver/run');
  await eventually(
    () => postingsOf(order_id),
    (postings) => postings.length > 0,
  );
  // Everything at once and again: pages, deliveries in reverse, the comparison.
  const deliveries = desk.receiver.of(attempt).toReversed();
  const again = deliveries.map(({ headers, body }) => deliver(headers, body));
  const pages = Array.from({ length: 4 }, () => pageOf(order_id));
  await Promise.all([...again, ...pages, compare()]);
  expect(stateOn(await pageOf(order_id))).toBe('paid');
  expect(await postingsOf(order_id)).toEqual([
    { event_id: (await shop.paydesk.getOrder(attempt.order_no)).event_id, reversed_as: null },
  ]);
  expect(await compare()).toEqual([]);
});

/** The comparison of now, in the time of the service. */
async function compare(): Promise<string[]> {
  const { now } = await desk.service.admin<{ now: string }>('GET', '/test-clock');
  return reconcileBooks(shop, new Date(new Date(now).getTime() + 1_000));
}

test('D-292 without any notification: a payment in the last moment is followed through review to paid', async () => {
  desk.receiver.answerWith({ status: 500 });
  const { order_id, attempt } = await order();
  const { id } = await desk.startCard(attempt);
  await request(`${desk.cardsim.url}/_sim/sessions/${id}/pay`, 'POST', { body: { async: true } });
  await desk.service.advance(1_801);
  const page = await untilState(order_id, 'review');
  // The buyer is not asked to pay again.
  expect(page).not.toMatch(/<form|id="pay"/);
  const settled = `${desk.cardsim.url}/_sim/sessions/${id}/settle-async`;
  await request(settled, 'POST', { body: { outcome: 'succeeded' } });
  await eventually(
    async () => {
      await desk.service.admin('POST', '/jobs/reconcile/run');
      return pageOf(order_id);
    },
    (found) => stateOn(found) === 'paid',
  );
  expect(await postingsOf(order_id)).toHaveLength(1);
});

test('D-292 an expired order gets a new attempt; a late payment of the first is posted, a second one waits for a person', async () => {
  const { order_id, attempt } = await order();
  await desk.service.advance(1_801);
  expect(await untilState(order_id, 'expired')).toContain('Try again');
  const retried = await fetch(`${url}/orders/${order_id}/pay`, { method: 'POST', headers: { origin } });
  expect(stateOn(await retried.text())).toBe('pending');
  const second = await attemptOf(order_id);
  expect(second.order_no).not.toBe(attempt.order_no);

  const { event_id: _none, ...expired } = await shop.paydesk.getOrder(attempt.order_no);
  const late = {
    ...expired,
    status: 'paid',
    status_version: expired.status_version + 1,
    event_id: 'pe_late',
  };
  expect(await tell(late)).toBe(204);
  // An older state of the same order comes after it.
  expect(await tell(expired)).toBe(204);
  expect(
    await eventually(
      () => postingsOf(order_id),
      (all) => all.length > 0,
    ),
  ).toEqual([{ event_id: 'pe_late', reversed_as: null }]);
  await desk.payByPtk(second);
  await eventually(
    async () => (await pageOf(order_id), postingsOf(order_id)),
    (all) => all.length === 2,
  );
  expect(await findings()).toEqual([
    `Order ${order_id} was paid twice: ask for a refund of ${second.order_no}.`,
  ]);
});

/** A notification that is signed as the service signs. */
async function tell(data: object): Promise<number> {
  const id = `ne_${createHmac('sha256', 'id').update(JSON.stringify(data)).digest('hex').slice(0, 20)}`;
  const envelope = {
    id,
    type: 'merchant_payment.status_changed',
    api_version: 1,
    created_at: new Date(),
    data,
  };
  const body = Buffer.from(JSON.stringify(envelope));
  const timestamp = String(Math.floor(Date.now() / 1000));
  const digest = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
  return deliver(
    {
      'content-type': 'application/json',
      'x-service-event-id': id,
      'x-service-timestamp': timestamp,
      'x-service-signature': `sha256=${digest}`,
    },
    body,
  );
}

test('D-292 a refund takes the payment back, and an amount that differs is never posted', async () => {
  const { order_id, attempt } = await order();
  await desk.payByPtk(attempt);
  await untilState(order_id, 'paid');
  await desk.service.admin('POST', `/collection-orders/${attempt.order_no}/refunds`, { reason: 'returned' });
  expect(await untilState(order_id, 'refunded')).toContain('<em>refunded</em>');

  const other = await order();
  const state = await shop.paydesk.getOrder(other.attempt.order_no);
  const paid = { ...state, status: 'paid', status_version: 9, event_id: 'pe_other', amount: '1.00' };
  expect(await tell(paid)).toBe(204);
  await eventually(findings, (all) => all.some((detail) => detail.includes('differs from our order')));
  expect(await postingsOf(other.order_id)).toEqual([]);
});

test('D-1419 a test payment is not posted, and the buyer can pay in a new attempt', async () => {
  const { order_id, attempt } = await order();
  const state = await shop.paydesk.getOrder(attempt.order_no);
  const tested = { ...state, status: 'paid', status_version: 9, event_id: 'pe_test', test_mode: true };
  expect(await tell(tested)).toBe(204);
  expect(await untilState(order_id, 'test')).toContain('Try again');
  expect(await findings()).toContain(`${attempt.order_no} differs from our order ${order_id} in test_mode.`);
  await fetch(`${url}/orders/${order_id}/pay`, { method: 'POST', headers: { origin }, redirect: 'manual' });
  const second = await attemptOf(order_id);
  expect(second.order_no).not.toBe(attempt.order_no);
  await desk.payByPtk(second);
  await untilState(order_id, 'paid');
  expect(await postingsOf(order_id)).toHaveLength(1);
});

test('D-292 notifications that are forged, and forms of other sites, change nothing', async () => {
  const { order_id } = await order();
  const envelope: Envelope | undefined = desk.receiver.received.map(envelopeOf).at(-1);
  expect(await deliver({ 'x-service-signature': 'sha256=00' }, Buffer.from(JSON.stringify(envelope)))).toBe(
    400,
  );
  const body = new URLSearchParams({ order_id: 'LB-aaaaaaaaaaaa', sku: 'night-reader', quantity: '1' });
  const foreign = await fetch(`${url}/orders`, {
    method: 'POST',
    headers: { origin: 'http://evil.example' },
    body,
  });
  expect(foreign.status).toBe(404);
  for (const wrong of [{ quantity: '0' }, { quantity: '1.5' }, { sku: 'nothing' }, { order_id: 'LB-<b>' }]) {
    const form = new URLSearchParams({
      order_id: 'LB-bbbbbbbbbbbb',
      sku: 'night-reader',
      quantity: '1',
      ...wrong,
    });
    const answer = await fetch(`${url}/orders`, { method: 'POST', headers: { origin }, body: form });
    expect([wrong, answer.status]).toEqual([wrong, 400]);
  }
  expect(stateOn(await pageOf(order_id))).toBe('pending');
});

test('D-292 a creation without an answer is repeated with its key, and found by the comparison', async () => {
  const real = shop.paydesk;
  const failing = {
    ...real,
    createOrder: async (input: Parameters<typeof real.createOrder>[0]) => {
      await real.createOrder(input);
      return createClient({
        base_url: 'http://127.0.0.1:1',
        client_id: 'a',
        client_secret: 'b',
        max_attempts: 1,
      }).createOrder(input);
    },
  };
  desk.receiver.answerWith({ status: 500 });
  Object.assign(shop, { paydesk: failing });
  const order_id = 'LB-cccccccccccc';
  const form = new URLSearchParams({ order_id, sku: 'night-reader', quantity: '1' });
  const answer = await fetch(`${url}/orders`, { method: 'POST', headers: { origin }, body: form });
  Object.assign(shop, { paydesk: real });
  expect(answer.status).toBe(503);
  const differing = await compare();
  const known = await attemptOf(order_id);
  expect(known.order_no).toMatch(/^mp_/);
  // A payment that only a test has invented differs; this order does not.
  expect(differing.join(' ')).toContain('event_id');
  expect(differing.join(' ')).not.toMatch(new RegExp(`${known.order_no}|${order_id}`));
  const page = await (
    await fetch(`${url}/orders/${order_id}/pay`, { method: 'POST', headers: { origin } })
  ).text();
  expect(page).toContain('id="pay"');
  expect(await real.listOrders({ external_reference: order_id })).toHaveLength(1);
});
