/** A person limits what an app pays from their PTK balance. One order of the product costs 101 PTK. */
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { merchantIdOf } from '../../../src/base/ids.ts';
import { openDatabase, sql } from '../../../src/base/pg/index.ts';
import { openShop, type Shop, shopper, type Shopper } from '../../support/desks/catalog.ts';
import { untilBlocked } from '../../support/servers/lock-waits.ts';
import {
  addClient,
  addPayer,
  catalogScopes,
  type Client,
  onePtk,
  type Payer,
} from '../../support/desks/platform.ts';
import type { Answer, Json } from '../../support/desks/service.ts';
import { authorizerOf } from '../../support/people/user-token.ts';
import { type Visitor, visitorOf, wordsOf } from '../../support/people/visitor.ts';

const redirect_uri = 'https://reader.example/back';
const scope = catalogScopes.join(' ');

let shop: Shop;
let gd_no: string;
let app: Client;
let buyer: Payer;
let browser: Visitor;

beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.stop());
beforeEach(async () => {
  gd_no = await shop.product({ in_stock: 50 });
  app = await addApp('Reader App');
  buyer = await addPayer(shop.service, 'Lia Limit', 10_000n * onePtk);
  browser = visitorOf(shop.service, buyer.cookie);
});

const addApp = (name: string): Promise<Client> =>
  addClient(shop.service, shop.platform.merchant_no, {
    ...{ name, scopes: catalogScopes, redirect_uris: [redirect_uri] },
  });

/** The app with a token that the buyer has allowed, with these limits. */
async function allowed(limits: Record<string, string>, client = app): Promise<Shopper> {
  const authorizer = await authorizerOf(shop.service, buyer, client, redirect_uri, limits);
  return shopper(shop.service, await authorizer.token(scope));
}
const order = (by: Shopper, quantity = 1): Promise<string> =>
  by.order({ gd_no, quantity, payment_no: shop.platform.ptk_channel });
const pay = async (by: Shopper, order_no: string): Promise<unknown[]> =>
  outcome(await by.pay<Json>(order_no, shop.platform.ptk_channel));
const outcome = ({ status, body }: Answer): unknown[] =>
  status === 200 ? [200] : [status, body.error, body.field];
const setLimits = (limits: Record<string, string>, client = app) =>
  browser.post(`${shop.service.url}/account/apps/limits`, { client_id: client.client_id, ...limits });

test('D-234 an app pays up to the limit of a payment and of 24 hours, and a refusal takes nothing', async () => {
  const reader = await allowed({ max_per_payment: '101', max_per_day: '250.5' });
  const large = await order(reader, 2);
  expect(await pay(reader, large)).toEqual([422, 'app_limit_exceeded', 'max_per_payment']);
  expect((await reader.read(large)).body.status).toBe(0);
  expect([await pay(reader, await order(reader)), await pay(reader, await order(reader))]).toEqual([
    [200],
    [200],
  ]);
  const third = await order(reader);
  expect(await pay(reader, third)).toEqual([422, 'app_limit_exceeded', 'max_per_day']);
  const wallet = () => shop.service.admin('GET', `/users/${buyer.user_id}/wallet`);
  expect((await wallet()).available_ptk).toBe((10_000n * onePtk - 2n * 101n * onePtk).toString());
  // Another app of the same merchant has its own limits, also for an order that the first one made.
  const other = await addApp('Other App');
  const second = await allowed({ max_per_payment: '100', max_per_day: '' }, other);
  expect(await pay(second, third)).toEqual([422, 'app_limit_exceeded', 'max_per_payment']);
  expect((await setLimits({ max_per_payment: '', max_per_day: '' }, other)).status).toBe(303);
  expect(await pay(second, third)).toEqual([200]);
  // The buyer pays on the platform's page without a limit.
  const own = await order(reader, 3);
  expect((await browser.post(`${shop.service.url}/orders/${own}/payment`, {})).status).toBe(303);
  expect((await reader.read(own)).body.status).toBe(1);
  await shop.service.advance(24 * 3_600);
  expect(await pay(reader, await order(reader))).toEqual([200]);
});

test('D-234 of many payments at once, at two processes, none goes beyond the limit of a day', async () => {
  const reader = await allowed({ max_per_payment: '', max_per_day: '303' });
  const other = await shop.service.another('web');
  const orders = await Promise.all(Array.from({ length: 8 }, () => order(reader)));
  const at = (url: string, order_no: string) =>
    fetch(`${url}/openapi/v1/orders/${order_no}/payment`, {
      method: 'POST',
      headers: { authorization: `Bearer ${reader.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ payment_no: shop.platform.ptk_channel }),
    });
  const answers = await Promise.all(
    orders.map((order_no, i) => at(i % 2 === 0 ? shop.service.url : other.url, order_no)),
  );
  const statuses = answers.map(({ status }) => status).sort();
  expect(statuses).toEqual([200, 200, 200, 422, 422, 422, 422, 422]);
  await other.stop();
});

test.each<[string, () => Promise<unknown>]>([
  [
    'D-234 a payment that waits while the person ends the access of the app takes nothing',
    () => browser.post(`${shop.service.url}/account/apps/remove`, { client_id: app.client_id }),
  ],
  [
    'D-1102 a payment that waits while the person changes the password takes nothing',
    () => {
      const form = { password: buyer.password, new_password: 'another long password 1' };
      return browser.post(`${shop.service.url}/account/password`, form);
    },
  ],
  [
    'D-1102 a payment that waits while its app is disabled takes nothing',
    () => shop.service.admin('PATCH', `/clients/${app.client_id}`, { disabled: true, reason: 'stolen' }),
  ],
])('%s', async (_what, end) => {
  const reader = await allowed({ max_per_payment: '', max_per_day: '' });
  const order_no = await order(reader);
  const others = openDatabase({ url: shop.service.database.url, max: 2, lock_timeout_ms: 0 });
  try {
    const paying = await others.transaction(async (tx) => {
      await tx.query(sql`SELECT 1 AS held FROM catalog_orders
        WHERE merchant_id = ${merchantIdOf(shop.platform.merchant_no)} AND order_no = ${order_no} FOR UPDATE`);
      const waiting = pay(reader, order_no);
      await untilBlocked(others, tx);
      await end();
      return { waiting };
    });
    expect(await paying.waiting).toEqual([401, 'invalid_token', undefined]);
  } finally {
    await others.close();
  }
});

test('D-973 a payment whose body comes when its token has ended meanwhile takes nothing', async () => {
  const reader = await allowed({});
  const order_no = await order(reader);
  const [first, rest] = ['{"payment_no":', `"${shop.platform.ptk_channel}"}`];
  const { hostname, port } = new URL(shop.service.url);
  const paying = connect(Number(port), hostname);
  paying.write(
    `POST /openapi/v1/orders/${order_no}/payment HTTP/1.1\r\nHost: paydesk\r\nConnection: close\r\n` +
      `Authorization: Bearer ${reader.token}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${first.length + rest.length}\r\n\r\n${first}`,
  );
  // Its answer comes after the service has let the payment in.
  expect((await reader.read(order_no)).status).toBe(200);
  const form = { password: buyer.password, new_password: 'another long password 1' };
  expect((await browser.post(`${shop.service.url}/account/password`, form)).location).toContain('done=');
  paying.write(rest);
  expect(await text(paying)).toContain('HTTP/1.1 401');
});

test('D-234 the consent leads with the payment, and keeps what was typed; what is no limit is refused', async () => {
  const asked = new URLSearchParams({
    ...{ client_id: app.client_id, redirect_uri, scope, response_type: 'code', prompt: 'consent' },
    ...{ code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' },
  });
  const open = async () =>
    browser.follow(await browser.get(`${shop.service.url}/oauth/authorize?${asked.toString()}`));
  const page = await open();
  const words = wordsOf(page.html);
  expect(words.indexOf('Reader App can pay from your PTK balance, up to:')).toBeGreaterThan(0);
  expect(words.indexOf('can pay from')).toBeLessThan(words.indexOf('place orders'));
  const action = new URL(/<form[^>]*action="([^"]*)"/.exec(page.html)?.[1] ?? '', shop.service.url).href;
  const decision = { decision: 'allow', person: buyer.user_id };
  const refused = await browser.post(action, { ...decision, max_per_payment: '1,500', max_per_day: '7' });
  expect(refused.status).toBe(400);
  expect(refused.html).toContain('value="1,500"');
  expect((await browser.post(action, { ...decision, max_per_payment: '1,5', max_per_day: '7' })).status).toBe(
    303,
  );
  // Asked again, and on the account's page, the fields have what was set.
  expect((await open()).html).toContain('value="1.5"');
  expect((await browser.get(`${shop.service.url}/account`)).html).toContain('value="1.5"');
  // A consent that has no fields keeps the limits.
  const reader = await allowed({});
  expect(await pay(reader, await order(reader))).toEqual([422, 'app_limit_exceeded', 'max_per_payment']);
  expect((await setLimits({ max_per_payment: 'all', max_per_day: '' })).status).toBe(400);
  expect((await setLimits({ max_per_payment: '1' }, { client_id: 'nobody', client_secret: '' })).status).toBe(
    404,
  );
  expect((await setLimits({ max_per_payment: '101', max_per_day: '' })).status).toBe(303);
  expect(await pay(reader, await order(reader))).toEqual([200]);
});
