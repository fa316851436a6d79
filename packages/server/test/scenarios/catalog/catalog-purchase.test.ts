import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import * as openid from 'openid-client';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type CatalogOrderJson,
  openShop,
  type SessionJson,
  type Shop,
  type Shopper,
} from '../../support/desks/catalog.ts';
import { consoleOf } from '../../support/people/console.ts';
import { addClient, addUser, type Client } from '../../support/desks/platform.ts';
import { eventually, type Json } from '../../support/desks/service.ts';
import { authorizerOf } from '../../support/people/user-token.ts';
import { hidden, type Page, type Visitor, visitorOf, wordsOf } from '../../support/people/visitor.ts';

const redirect_uri = 'https://reader.example/back';
const scope =
  'openid merchant.profile.read products.read orders.create orders.read payments.create payments.read';

let shop: Shop;
let app: Client;
let gd_no: string;

beforeAll(async () => {
  shop = await openShop();
  app = await addClient(shop.service, shop.platform.merchant_no, {
    name: 'Reader App',
    scopes: scope.split(' '),
    redirect_uris: [redirect_uri],
  });
});
afterAll(() => shop.stop());
beforeEach(async () => {
  gd_no = await shop.product();
});

const run = promisify(execFile);
const ptk = (): string => shop.platform.ptk_channel;
const upload = async (...codes: string[]): Promise<void> => {
  const owner = await consoleOf(shop.service, shop.platform.owner, shop.platform.merchant_no);
  expect((await owner.send('POST', `/products/${gd_no}/codes`, { codes })).status).toBe(201);
};

describe('the whole purchase', () => {
  test('R-324 R-335 R-337 R-349 R-361 R-364 a purchase through an independent OAuth client library', async () => {
    await upload('CODE-1', 'CODE-2');
    // oxlint-disable-next-line typescript/no-deprecated -- marked so that it is not used in production
    const plainHttp = { execute: [openid.allowInsecureRequests] };
    const config = await openid.discovery(
      new URL(shop.service.url),
      app.client_id,
      app.client_secret,
      undefined,
      plainHttp,
    );
    const [state, pkce] = [openid.randomState(), openid.randomPKCECodeVerifier()];
    const start = openid.buildAuthorizationUrl(config, {
      ...{ redirect_uri, scope, state, code_challenge_method: 'S256' },
      code_challenge: await openid.calculatePKCECodeChallenge(pkce),
    });
    const browser = visitorOf(shop.service);
    await browser.signIn(shop.buyer);
    const consent = await browser.follow(await browser.get(start.href));
    const back = await browser.follow(
      await browser.post(new URL(/action="([^"]*)"/.exec(consent.html)?.[1] ?? '', shop.service.url).href, {
        decision: 'allow',
        person: hidden(consent.html, 'person'),
      }),
    );
    const { access_token } = await openid.authorizationCodeGrant(config, new URL(back.location), {
      pkceCodeVerifier: pkce,
      expectedState: state,
    });
    const call = async <T = Json>(method: string, path: string, body?: Json): Promise<T> => {
      const answer = await openid.fetchProtectedResource(
        config,
        access_token,
        new URL(`${shop.service.url}/openapi/v1${path}`),
        method,
        body === undefined ? null : JSON.stringify(body),
        new Headers(body === undefined ? {} : { 'content-type': 'application/json' }),
      );
      expect([path, answer.ok]).toEqual([path, true]);
      return (await answer.json()) as T;
    };

    expect(await call('GET', '/merchant')).toMatchObject({ name: 'Bookshop' });
    const { list } = await call<{ list: Json[] }>('GET', `/products?gd_no=${gd_no}`);
    expect(list).toMatchObject([{ gd_no, gd_name: 'Gift card', actual_price: 1_000_000_000, in_stock: 2 }]);
    const { order_no } = await call<{ order_no: string }>('POST', '/orders', {
      ...{ gd_no, quantity: 1, payment_no: ptk() },
    });
    expect(await call('GET', `/orders/${order_no}/payment`)).toEqual({ status: 0 });
    const session = await call<SessionJson>('POST', `/orders/${order_no}/payment`, { payment_no: ptk() });
    expect(await call('GET', `/orders/${order_no}/payment`)).toEqual({ status: 1 });
    await eventually(
      () => call<CatalogOrderJson>('GET', `/orders/${order_no}`),
      ({ status }) => status === 3,
    );
    // The address is relative to the platform's: the buyer, still signed in there, finds the goods.
    const page = await browser.get(new URL(session.redirect, shop.service.url).href);
    expect(page.status).toBe(200);
    expect(page.html).toContain('CODE-1');
    expect(page.html).not.toContain('CODE-2');
  });

  test('R-349 R-361 R-364 and by plain curl, with delivery by hand', async () => {
    const token = await (await authorizerOf(shop.service, shop.buyer, app, redirect_uri)).token(scope);
    async function send(method: string, path: string, body?: Json): Promise<{ status: number; body: Json }> {
      const sent =
        body === undefined ? [] : ['-H', 'Content-Type: application/json', '-d', JSON.stringify(body)];
      const { stdout } = await run('curl', [
        ...['-s', '-X', method, '-H', `Authorization: Bearer ${token}`, ...sent],
        ...['-w', '\\n%{http_code}', `${shop.service.url}/openapi/v1${path}`],
      ]);
      const [text = '', status] = stdout.split('\n');
      return { status: Number(status), body: JSON.parse(text) as Json };
    }
    expect((await send('GET', '/merchant')).body.merchant_no).toBe(shop.platform.merchant_no);
    expect((await send('GET', '/products?search_value=gift')).status).toBe(200);
    const { body: created } = await send('POST', '/orders', { gd_no, quantity: 2, payment_no: ptk() });
    const order_no = String(created.order_no);
    expect((await send('POST', `/orders/${order_no}/payment`, { payment_no: ptk() })).status).toBe(200);
    expect((await send('GET', `/orders/${order_no}`)).body).toMatchObject({ status: 1 });
    const owner = await consoleOf(shop.service, shop.platform.owner, shop.platform.merchant_no);
    await owner.send('POST', `/catalog-orders/${order_no}/fulfilment`, { note: 'Left at the <door>.' });
    expect((await send('GET', `/orders/${order_no}`)).body).toMatchObject({ status: 3 });
  });
});

describe('the page of an order', () => {
  let me: Shopper;
  let browser: Visitor;

  beforeEach(async () => {
    me = await shop.shopper();
    browser = visitorOf(shop.service);
  });

  const pageOf = (order_no: string, query = ''): Promise<Page> =>
    browser.get(`${shop.service.url}/orders/${order_no}${query}`);
  const order = (payment_no: string): Promise<string> => me.order({ gd_no, quantity: 1, payment_no });

  test('R-357 is only for its signed-in buyer: others are sent to sign in, or find nothing', async () => {
    const order_no = await order(ptk());
    const guest = await pageOf(order_no);
    expect([guest.status, guest.location]).toEqual([
      303,
      `${shop.service.url}/sign-in?return_to=${encodeURIComponent(`/orders/${order_no}`)}`,
    ]);
    await browser.signIn(await addUser(shop.service, 'Ann Other'));
    const stranger = await pageOf(order_no);
    expect(stranger.status).toBe(404);
    expect((await pageOf('co_unknown')).html.replace(/nonce="[^"]*"/g, '')).toBe(
      stranger.html.replace(/nonce="[^"]*"/g, ''),
    );
    const paying = await browser.post(`${shop.service.url}/orders/${order_no}/payment`, {});
    expect(paying.status).toBe(404);
  });

  test('D-180 H-20 the page shows the price, and its only button pays from the wallet, once', async () => {
    const order_no = await order(ptk());
    await browser.signIn(shop.buyer);
    const page = await pageOf(order_no);
    const words = wordsOf(page.html);
    for (const text of ['Payment to Bookshop', 'Gift card', 'USD', '10.00', 'PTK', '101', 'Pay ']) {
      expect(words).toContain(text);
    }
    expect(page.html).not.toContain('<script type="module" src');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await me.paymentStatus(order_no)).toBe(0);
    const foreign = await browser.post(
      `${shop.service.url}/orders/${order_no}/payment`,
      {},
      { origin: 'https://evil.example' },
    );
    expect(foreign.status).toBe(403);
    const paid = await browser.follow(
      await browser.post(`${shop.service.url}/orders/${order_no}/payment`, {}),
    );
    expect(wordsOf(paid.html)).toContain('Bookshop is preparing your order.');
    expect(await me.paymentStatus(order_no)).toBe(1);
    const again = await browser.post(`${shop.service.url}/orders/${order_no}/payment`, {});
    expect(again.status).toBe(409);
  });

  test('D-180 R-363 the provider sends the buyer back here, who waits for the confirmation', async () => {
    const order_no = await order(shop.card.payment_no);
    await me.pay(order_no, shop.card.payment_no);
    const session = await shop.sessionOf(order_no);
    expect(session.success_url).toBe(`${shop.service.url}/orders/${order_no}?returned=1`);
    await browser.signIn(shop.buyer);
    const waiting = await pageOf(order_no, '?returned=1');
    expect(waiting.headers.get('refresh')).toBe('5');
    expect(wordsOf(waiting.html)).toContain('Welcome back');
    // The button leads to the same page at the provider.
    const resumed = await browser.post(`${shop.service.url}/orders/${order_no}/payment`, {});
    expect(resumed.location.startsWith(shop.cardsim.url)).toBe(true);
    await shop.sim('POST', `/sessions/${session.id}/pay`, {});
    await eventually(
      () => pageOf(order_no, '?returned=1'),
      ({ html }) => wordsOf(html).includes('Payment confirmed'),
    );
  });

  test('D-1134 the answer to its button leads to the page again by itself, when the payment is unclear or done', async () => {
    const [unclear, done] = [await order(shop.card.payment_no), await order(ptk())];
    await browser.signIn(shop.buyer);
    const pay = (order_no: string) => browser.post(`${shop.service.url}/orders/${order_no}/payment`, {});
    await shop.sim('POST', '/faults', { endpoint: 'sessions.create', mode: 'reset_after', times: 9 });
    await me.pay(done, ptk());
    for (const [order_no, status] of [
      [unclear, 202],
      [done, 409],
    ] as const) {
      const { headers, ...answer } = await pay(order_no);
      expect([answer.status, headers.get('refresh')]).toEqual([status, `5; url=/orders/${order_no}`]);
    }
    await shop.sim('DELETE', '/faults');
  });

  test('R-381 the buyer sees the delivered content, encoded; a cancelled order cannot be paid', async () => {
    const [bought, left] = [await order(ptk()), await order(ptk())];
    await me.pay(bought, ptk());
    const owner = await consoleOf(shop.service, shop.platform.owner, shop.platform.merchant_no);
    await owner.send('POST', `/catalog-orders/${bought}/fulfilment`, { note: 'Left at the <b>door</b>.' });
    await browser.signIn(shop.buyer);
    const { html } = await pageOf(bought);
    expect(html).toContain('Left at the &lt;b>door&lt;/b>.');
    expect(wordsOf(html)).toContain('Your order is complete');
    await shop.service.advance(31 * 60);
    expect(wordsOf((await pageOf(left)).html)).toContain('The time to pay has passed');
  });

  test.each([
    ['de', 'bereitet Ihre Bestellung vor'],
    ['ar', 'بتجهيز طلبك'],
  ])('in the buyer’s language: %s', async (lang, words) => {
    const order_no = await order(ptk());
    await me.pay(order_no, ptk());
    await browser.signIn(shop.buyer);
    const { html } = await pageOf(order_no, `?lang=${lang}`);
    expect(html).toContain(words);
    expect(html).toContain(`<html lang="${lang}"`);
  });
});
