/** What a buyer sees at `/account`: the balance, the payments, what was delivered, and what apps have spent. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openShop, type Shop, shopper } from '../../support/desks/catalog.ts';
import { consoleOf } from '../../support/people/console.ts';
import {
  addClient,
  addPayer,
  addUser,
  busyMerchant,
  catalogScopes,
  checkoutOf,
  type Merchant,
  onePtk,
  type Payer,
  signIn,
} from '../../support/desks/platform.ts';
import { eventually } from '../../support/desks/service.ts';
import { authorizerOf } from '../../support/people/user-token.ts';
import { type Visitor, visitorOf, wordsOf } from '../../support/people/visitor.ts';

const redirect_uri = 'https://reader.example/back';

let shop: Shop;
let merchant: Merchant;
let buyer: Payer;
let browser: Visitor;

beforeAll(async () => {
  shop = await openShop();
  merchant = await busyMerchant(shop.service, shop.platform.merchant_no, 1);
});
afterAll(() => shop.stop());
beforeEach(async () => {
  buyer = await addPayer(shop.service, 'Ann Account', 1_000n * onePtk);
  browser = visitorOf(shop.service, buyer.cookie);
});

const open = (path: string, who = browser) => who.get(`${shop.service.url}${path}`);
const words = async (path: string): Promise<string> => wordsOf((await open(path)).html);

/** Pays a collection order of USD from the balance. */
async function pay(amount: string, description: string): Promise<string> {
  const order = await merchant.order({ amount, currency: 'USD', description });
  const checkout = checkoutOf(shop.service, order, buyer.cookie);
  const { status, body } = await checkout.start(await checkout.methodOf('ptk'));
  expect([status, body]).toEqual([200, { status: 'paid' }]);
  return order.order_no;
}

test('D-236 a buyer sees the balance, payments with receipts, what was delivered, and what an app has spent', async () => {
  expect(await words('/account')).toMatch(/You have not paid anything yet.*No app has access/);
  const order_no = await pay('1.00', 'A postcard');
  const gd_no = await shop.product();
  const desk = await consoleOf(shop.service, shop.platform.owner, shop.platform.merchant_no);
  await desk.send('POST', `/products/${gd_no}/codes`, { codes: ['SECRET-CODE'] });
  const app = await addClient(shop.service, shop.platform.merchant_no, {
    ...{ name: 'Reader App', scopes: catalogScopes, redirect_uris: [redirect_uri] },
  });
  const authorizer = await authorizerOf(shop.service, buyer, app, redirect_uri);
  const reader = shopper(shop.service, await authorizer.token(catalogScopes.join(' ')));
  const bought = await reader.order({ gd_no, quantity: 1, payment_no: shop.platform.ptk_channel });
  expect((await reader.pay(bought, shop.platform.ptk_channel)).status).toBe(200);
  await eventually(
    () => reader.read(bought),
    ({ body }) => body.status === 3,
  );
  const { html } = await open('/account');
  const seen = wordsOf(html);
  for (const text of [
    'A postcard',
    'Gift card',
    'Bookshop',
    'Your delivery',
    'Top-up',
    '888.9',
    '101',
    '10.1',
  ]) {
    expect(seen).toContain(text);
  }
  expect(seen).toMatch(/Reader App.*Paid from your balance so far: .*101/);
  expect(html).not.toContain('SECRET-CODE');
  // The links lead on: to the receipt of an order that was paid elsewhere, and to the codes.
  const links = [...html.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'));
  const receipt = links.find((href) => href.includes(`/checkout/${order_no}/receipt`)) ?? '';
  expect(await words(receipt)).toContain('A postcard');
  expect(await words(`/orders/${bought}`)).toContain('SECRET-CODE');
  // The end of the app's access takes it from the page.
  await browser.post(`${shop.service.url}/account/apps/remove`, { client_id: app.client_id });
  expect(await words('/account')).toContain('No app has access');
  // Somebody else sees nothing of it.
  const other = visitorOf(shop.service, (await addPayer(shop.service, 'Otto Other', onePtk)).cookie);
  for (const path of ['/account', '/account/payments', '/account/wallet']) {
    expect(wordsOf((await open(path, other)).html)).not.toMatch(/postcard|Gift card/);
  }
});

test('D-355 receipts are PDFs for every person with the link of the order, and of a catalog order only for its buyer', async () => {
  const order_no = await pay('2.00', 'A lamp');
  const gd_no = await shop.product();
  const mine = await shop.shopper();
  browser = visitorOf(shop.service, await signIn(shop.service, shop.buyer));
  const bought = await mine.order({ gd_no, quantity: 1, payment_no: shop.platform.ptk_channel });
  expect((await open(`/orders/${bought}/receipt.pdf`)).location).toMatch(`/orders/${bought}`);
  await mine.pay(bought, shop.platform.ptk_channel);
  const { html } = await open(`/account?lang=de`);
  const linked = /href="([^"]*receipt\.pdf[^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '';
  expect(linked).toBe(`/orders/${bought}/receipt.pdf?lang=de`);
  const payer = visitorOf(shop.service, buyer.cookie);
  const list = (await open('/account/payments', payer)).html;
  const byLink = new RegExp(`href="([^"]*${order_no}/receipt\\.pdf[^"]*)"`).exec(list)?.[1] ?? '';
  for (const [path, name, who] of [
    [byLink.replaceAll('&amp;', '&'), order_no, visitorOf(shop.service)],
    [`${linked}&zone=Asia/Tokyo`, bought, browser],
  ] as const) {
    const { status, headers, html: pdf } = await open(path, who);
    expect([status, headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-disposition')).toContain(`receipt-${name}.pdf`);
    expect(pdf).toMatch(/^%PDF-/);
  }
  // No other person can read it: without the order's token, without a session, and with another person's session.
  const refused = [
    [`/checkout/${order_no}/receipt.pdf`, browser, 404],
    [`/checkout/${order_no}/receipt.pdf?token=x`, browser, 404],
    [linked, visitorOf(shop.service), 303],
    [linked, payer, 404],
  ] as const;
  for (const [path, who, status] of refused) expect((await open(path, who)).status).toBe(status);
});

test('D-236 all movements and payments are read page by page', async () => {
  for (const name of ['first', 'second', 'third']) await pay('1.00', `The ${name} one`);
  for (const [path, wanted] of [
    ['/account/payments?limit=1', ['The third one', 'The second one', 'The first one']],
    ['/account/wallet?limit=2', ['Payment', 'Payment']],
  ] as const) {
    let next = path as string;
    for (const text of wanted) {
      const { html } = await open(next);
      expect(wordsOf(html)).toContain(text);
      next = (/href="([^"]*cursor=[^"]*)"/.exec(html)?.[1] ?? '').replaceAll('&amp;', '&');
    }
    expect(next).toBe('');
  }
  for (const query of ['limit=0', 'cursor=x', `cursor=${Buffer.from('["a","b"]').toString('base64url')}`]) {
    expect((await open(`/account/payments?${query}`)).status).toBe(400);
  }
});

test('D-1108 a page after a time or a name that the database cannot store is refused', async () => {
  for (const key of [
    ['2026-02-30T00:00:00.000Z', 'pa_1'],
    ['+275760-09-13T00:00:00.000Z', 'pa_1'],
    ['2026-02-03T00:00:00.000Z', '\0'],
  ]) {
    const cursor = Buffer.from(JSON.stringify(key)).toString('base64url');
    expect([key, (await open(`/account/payments?cursor=${cursor}`)).status]).toEqual([key, 400]);
  }
});

test('D-236 the bare address leads each person to where they work', async () => {
  const to = async (who: Visitor): Promise<string> =>
    (await open('/', who)).location.replace(shop.service.url, '');
  const staff = await addUser(shop.service, 'Stan Staff', 'support');
  expect([
    await to(browser),
    await to(visitorOf(shop.service, await signIn(shop.service, shop.platform.owner))),
    await to(visitorOf(shop.service, await signIn(shop.service, staff))),
    await to(visitorOf(shop.service)),
  ]).toEqual(['/account', '/console', '/platform', '/sign-in?return_to=%2F']);
  for (const path of ['/account', '/account/payments', '/account/wallet']) {
    const { status, location } = await open(path, visitorOf(shop.service));
    expect([status, location]).toEqual([
      303,
      `${shop.service.url}/sign-in?return_to=${encodeURIComponent(path)}`,
    ]);
  }
});
