/** A checkout that the balance is too low for leads to a top-up, and the top-up leads back to it. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { addProduct, shopper, userToken } from '../../support/desks/catalog.ts';
import {
  addClient,
  catalogScopes,
  type Merchant,
  merchantOf,
  onePtk,
  type Order,
  topUp,
} from '../../support/desks/platform.ts';
import { openTopUpDesk, type TopUpDesk, type TopUpPerson, topUpIn } from '../../support/desks/top-ups.ts';
import { hidden, visitorOf, wordsOf } from '../../support/people/visitor.ts';

let desk: TopUpDesk;
let goods: Merchant;
let buyer: TopUpPerson;

beforeAll(async () => {
  desk = await openTopUpDesk();
  goods = await merchantOf(desk.service, desk.platform.client);
});
afterAll(() => desk.stop());
beforeEach(async () => {
  await desk.set({ enabled: true, max_per_payment: null, max_per_day: null });
  buyer = await desk.person();
});

/** The link to the top-up on a page; undefined where there is none. */
const linkIn = (html: string): string | undefined =>
  /href="([^"]*\/account\/top-up\?[^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&');

const expensive = (): Promise<Order> => goods.order({ amount: '51', currency: 'PTK' });
const open = async (order: Order) => {
  const { html } = await buyer.browser.get(order.checkout_url);
  const method_id = /name="method" value="([^"]+)"/.exec(html)?.[1] ?? '';
  return buyer.browser.get(`${order.checkout_url}&method=${method_id}`);
};

test('D-376 the top-up is filled in with what is missing, and leads back to the order and its method', async () => {
  const order = await expensive();
  const link = linkIn((await open(order)).html) ?? '';
  // What the page says and what the address carries: no token.
  expect(link).not.toContain('token');
  const { searchParams } = new URL(link, desk.service.url);
  expect(searchParams.get('order')).toBe(order.order_no);
  const page = await buyer.browser.get(new URL(link, desk.service.url).href);
  const [, amount = ''] = /id="amount"[^>]* value="([^"]*)"/.exec(page.html) ?? [];
  expect(amount).toMatch(/^5\.\d\d$/);
  // Another language keeps order and amount, and is kept itself.
  const german = /href="([^"]*lang=de)"/.exec(page.html)?.[1]?.replaceAll('&amp;', '&') ?? '';
  await buyer.browser.get(new URL(german, desk.service.url).href);
  const same = await buyer.browser.get(new URL(link, desk.service.url).href);
  expect(wordsOf(same.html)).toContain('Guthaben aufladen');
  expect(same.html).toContain(`value="${amount}"`);
  await buyer.browser.get(`${desk.service.url}/account/top-up?lang=en`);
  const fields = { visit: hidden(page.html, 'visit'), amount, currency: 'USD' };
  const back = { order: hidden(page.html, 'order'), method: hidden(page.html, 'method') };
  const started = await buyer.send({ ...fields, ...back });
  expect(started.status).toBe(303);
  const made = topUpIn(started.location);
  await buyer.pay(made);
  await desk.shop.until(made, 'paid');
  const paid = await buyer.browser.get(started.location);
  const way = /"(http[^"]*from=top-up[^"]*)"/.exec(paid.html)?.[1]?.replaceAll('&amp;', '&') ?? '';
  expect(way).toBe(
    `${desk.service.url}/checkout/return/${order.order_no}?from=top-up&method=${searchParams.get('method') ?? ''}`,
  );
  expect(wordsOf(paid.html)).toContain('The PTK are in your balance.');
  const again = await buyer.browser.follow(await buyer.browser.get(way));
  expect(wordsOf(again.html)).toMatch(/Pay PTK\s51/);
  expect(linkIn(again.html)).toBeUndefined();
  // Another browser does not know the order.
  const other = visitorOf(desk.service, buyer.cookie);
  expect((await other.get(way)).location).toBe(`${desk.service.url}/account`);
});

test('D-1217 the form of a top-up keeps its order where the session has ended, and after a refusal', async () => {
  const order = await expensive();
  const link = new URL(linkIn((await open(order)).html) ?? '', desk.service.url);
  const { html } = await buyer.browser.get(link.href);
  const fields = Object.fromEntries(
    ['visit', 'order', 'method', 'need'].map((name) => [name, hidden(html, name)]),
  );
  const refused = await buyer.send({ ...fields, amount: '0.001', currency: 'USD' });
  expect([refused.status, wordsOf(refused.html)]).toEqual([
    400,
    expect.stringContaining('Your payment needs'),
  ]);
  const { location } = await visitorOf(desk.service).post(`${desk.service.url}/account/top-up`, {
    ...fields,
    ...{ amount: '5.10', currency: 'USD' },
  });
  const back = new URL(new URL(location).searchParams.get('return_to') ?? '', desk.service.url);
  expect(Object.fromEntries(back.searchParams)).toEqual({
    ...Object.fromEntries(link.searchParams),
    currency: 'USD',
  });
});

test('D-376 the checkout leads no buyer to a top-up who needs none, is not signed in, or cannot make one', async () => {
  await topUp(desk.service, buyer, 10n * onePtk);
  const cheap = await goods.order({ amount: '5', currency: 'PTK' });
  expect(linkIn((await open(cheap)).html)).toBeUndefined();
  const order = await expensive();
  expect(linkIn((await visitorOf(desk.service).get(order.checkout_url)).html)).toBeUndefined();
  expect(linkIn((await open(order)).html)).toBeDefined();
  await desk.set({ enabled: false });
  const off = await open(order);
  expect(linkIn(off.html)).toBeUndefined();
  expect(wordsOf(off.html)).toContain('Your balance is too low');
});

test.each([
  ['an address', 'https://evil.example/'],
  ['a path', '//evil.example'],
  ['another kind of number', 'mr_01JNXW5R3M8Q4T0ZB6Y2C7D9EF'],
  ['more than a number', 'mp_01JNXW5R3M8Q4T0ZB6Y2C7D9EF/../..'],
])('D-376 %s in place of the order leads to the account', async (_, text) => {
  const page = await buyer.browser.get(
    `${desk.service.url}/account/top-up?order=${encodeURIComponent(text)}&method=%22&need=x`,
  );
  expect(page.html).not.toContain('evil');
  const fields = { visit: hidden(page.html, 'visit'), amount: '10.00', currency: 'USD', order: text };
  const made = topUpIn((await buyer.send(fields)).location);
  await buyer.pay(made);
  await desk.shop.until(made, 'paid');
  const { body } = await desk.service.send<{ return_url?: string }>('GET', `/checkout/api/${made.order_no}`, {
    headers: {
      'x-checkout-token': new URL(made.checkout_url).searchParams.get('token') ?? '',
      cookie: buyer.cookie,
    },
  });
  expect(body.return_url).toBe(`${desk.service.url}/account`);
});

test('D-376 the page of a catalog order leads to a top-up and back', async () => {
  const { service, platform } = desk;
  const gd_no = await addProduct(service, platform.merchant_no, {
    actual_price: 6_000_000_000n,
    currency: 'PTK',
  });
  const client = await addClient(service, platform.merchant_no, { scopes: catalogScopes });
  const me = shopper(service, await userToken(service, client, buyer.user_id));
  const order_no = await me.order({ gd_no, quantity: 1, payment_no: platform.ptk_channel });
  const { html } = await buyer.browser.get(`${service.url}/orders/${order_no}`);
  const link = linkIn(html) ?? '';
  expect(new URL(link, service.url).searchParams.get('need')).toBe('59.60000000');
  const page = await buyer.browser.get(new URL(link, service.url).href);
  expect(page.html).toContain(`href="/orders/${order_no}"`);
});

test('D-375 a top-up of less than 0.01 PTK is refused, and one of exactly that is made', async () => {
  await desk.service.admin('PUT', '/rates/USD', { ptk_price: '1000' });
  const small = await buyer.send(await buyer.form('10.00'));
  expect(small.status).toBe(303);
  await desk.service.admin('PUT', '/rates/USD', { ptk_price: '1000.1' });
  const less = await buyer.send(await buyer.form('10.00'));
  expect(less.status).toBe(400);
  expect(wordsOf(less.html)).toContain('Enter an amount such as 10.00');
  await desk.service.admin('PUT', '/rates/USD', { ptk_price: '0.10' });
  expect(await buyer.balance()).toBe(onePtk);
});

test('D-690 the top-up for an order is in its currency, and says what is in the balance and what is missing', async () => {
  const { service } = desk;
  const supported_currencies = ['EUR', 'USD'];
  const free = { fixed_minor: 0, percent_ppm: 0 };
  const fees = supported_currencies.map((currency) => ({ currency, buyer: free, merchant: free }));
  await service.admin('PUT', '/currencies/EUR', { decimals: 2, enabled: true });
  await service.admin('PUT', '/rates/EUR', { ptk_price: '0.09' });
  const channels = await service.admin<{ items: { payment_no: string; provider: string }[] }>(
    'GET',
    '/channels',
  );
  const card = channels.items.find(({ provider }) => provider === 'cardprov');
  await service.admin('PATCH', `/channels/${card?.payment_no ?? ''}`, { supported_currencies, fees });
  const link = linkIn((await open(await goods.order({ amount: '100.00' }))).html) ?? '';
  const { html } = await buyer.browser.get(new URL(link, service.url).href);
  expect(html).toMatch(/<option[^>]* value="USD"[^>]* selected|<option[^>]* selected[^>]* value="USD"/);
  expect(wordsOf(html)).toMatch(
    /Your available balance\s+PTK\s+[\d.]+\s+Your payment needs PTK\s[\d,.]+ more\./,
  );
  const german = /href="([^"]*lang=de)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '';
  expect(new URL(german, service.url).searchParams.get('currency')).toBe('USD');
});
