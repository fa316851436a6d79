import { type Cardsim, startCardsim } from '@paydesk/cardsim';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { simulate } from '../../support/desks/own-channel.ts';
import {
  addCardChannel,
  addMerchant,
  busyMerchant,
  checkoutOf,
  type Merchant,
  type Order,
  type Platform,
  setUpPlatform,
  signIn,
} from '../../support/desks/platform.ts';
import { freePort } from '../../support/servers/ports.ts';
import { eventually, type Json, startTestService, type TestService } from '../../support/desks/service.ts';
import { hidden, visitorOf, wordsOf } from '../../support/people/visitor.ts';

/* The checkout page for a frame of the merchant, below a path prefix. */

const origins = ['https://shop.example', 'https://www.shop.example:8443'];

let service: TestService;
let cardsim: Cardsim;
let platform: Platform;
let merchant: Merchant;

beforeAll(async () => {
  const port = await freePort();
  const env = { PORT: String(port), PAYDESK_PUBLIC_URL: `http://127.0.0.1:${port}/desk` };
  [service, cardsim] = await Promise.all([startTestService({ env }), startCardsim()]);
  platform = await setUpPlatform(service);
  const card = await addCardChannel(service, cardsim.url);
  await cardsim.registerWebhook({ url: card.webhook_url, secret: 'whsec_simulated' });
  await service.admin('PATCH', `/merchants/${platform.merchant_no}`, { embed_origins: origins });
  merchant = await busyMerchant(service, platform.merchant_no, 1);
});

afterAll(async () => {
  await service.stop();
  await cardsim.close();
});

const framed = (order: Order, more: Record<string, string> = {}): Promise<Response> =>
  fetch(`${order.checkout_url}&embed=1`, { headers: { 'sec-fetch-dest': 'iframe', ...more } });

const ancestorsIn = ({ headers }: Response): string | undefined =>
  /frame-ancestors ([^;]*)/.exec(headers.get('content-security-policy') ?? '')?.[1];

/** What the page hands to its script. */
const propsIn = (html: string): { state: Json; context: Json } =>
  JSON.parse(/id="checkout-props"[^>]*>([^<]*)</.exec(html)?.[1] ?? '{}') as { state: Json; context: Json };

describe('D-266 who may show the checkout in a frame', () => {
  test('exactly the origins of its merchant, and only the page for frames', async () => {
    const order = await merchant.order();
    const page = await framed(order);
    expect([page.status, ancestorsIn(page), page.headers.get('x-frame-options')]).toEqual([
      200,
      origins.join(' '),
      null,
    ]);
    expect(propsIn(await page.text()).context.embed_origins).toEqual(origins);

    const receipt = order.checkout_url.replace('?', '/receipt?');
    const wrong = order.checkout_url.slice(0, -1);
    for (const address of [order.checkout_url, `${receipt}&embed=1`, `${wrong}&embed=1`]) {
      const other = await fetch(address);
      expect([ancestorsIn(other), other.headers.get('x-frame-options')], address).toEqual(["'none'", 'DENY']);
    }
  });

  test('no page if the merchant has registered no origin, or has removed it', async () => {
    const { merchant_no } = await addMerchant(service, platform.owner);
    const shop = await busyMerchant(service, merchant_no, 1);
    const order = await shop.order();
    expect(ancestorsIn(await framed(order))).toBe("'none'");
    await service.admin('PATCH', `/merchants/${merchant_no}`, { embed_origins: ['https://other.example'] });
    expect(ancestorsIn(await framed(order))).toBe('https://other.example');
    await service.admin('PATCH', `/merchants/${merchant_no}`, { embed_origins: [] });
    const page = await framed(order);
    expect([ancestorsIn(page), page.headers.get('x-frame-options')]).toEqual(["'none'", 'DENY']);
  });

  test('H-04 no answer lets a page of another origin read it', async () => {
    const order = await merchant.order();
    const origin = { origin: origins[0] ?? '' };
    const token = new URL(order.checkout_url).searchParams.get('token') ?? '';
    const state = await fetch(`${service.url}/checkout/api/${order.order_no}`, {
      headers: { ...origin, 'x-checkout-token': token },
    });
    for (const answer of [await framed(order, origin), state, await fetch(order.checkout_url)]) {
      expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });
});

describe('D-268 the page for frames needs no cookie, and knows no person', () => {
  test('it sets none, and whom the browser calls signed in is a stranger to it', async () => {
    const order = await merchant.order();
    const cookie = await signIn(service, platform.buyer);
    const page = await framed(order, { cookie });
    expect(page.headers.getSetCookie()).toEqual([]);
    const { state, context } = propsIn(await page.text());
    expect(state.buyer).toBeNull();
    // The link to the sign-in asks for it only if no person is signed in.
    const way = `${new URL(String(context.sign_in_url), service.url).href}&method=m_1`;
    const [asked, known] = await Promise.all(
      [{}, { cookie }].map((headers) => fetch(way, { headers, redirect: 'manual' })),
    );
    const sign_in = new URL(asked?.headers.get('location') ?? '', service.url);
    const { pathname, search } = new URL(order.checkout_url);
    expect([asked?.status, sign_in.pathname, sign_in.searchParams.get('return_to')]).toEqual([
      303,
      '/desk/sign-in',
      `${pathname}${search}&tab=1&method=m_1`,
    ]);
    expect([known?.status, propsIn((await known?.text()) ?? '').context.tab]).toEqual([200, true]);
    const full = propsIn(await (await fetch(order.checkout_url, { headers: { cookie } })).text());
    expect(full.state.buyer).toMatchObject({ name: 'Bo Buyer' });
  });

  test('opened without a frame, it leads to the full page', async () => {
    const order = await merchant.order();
    const page = await fetch(`${order.checkout_url}&embed=1`, {
      headers: { 'sec-fetch-dest': 'document' },
      redirect: 'manual',
    });
    const { pathname, search } = new URL(order.checkout_url);
    expect([page.status, page.headers.get('location')]).toEqual([303, pathname + search]);
  });

  test('its stream opens with the token in a header', async () => {
    const order = await merchant.order();
    const token = new URL(order.checkout_url).searchParams.get('token') ?? '';
    const events = (header: string) =>
      fetch(`${service.url}/checkout/api/${order.order_no}/events`, {
        headers: { 'x-checkout-token': header },
      });
    const stream = await events(token);
    expect([stream.status, stream.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    await stream.body?.cancel();
    expect((await events(`${token.slice(0, -1)}!`)).status).toBe(404);
  });

  test('its form goes on in a tab, which finds its way back and does not leave for the shop', async () => {
    const order = await merchant.order({ return_url: 'https://shop.example/thanks' });
    const tab = visitorOf(service);
    const html = await (await framed(order)).text();
    expect(html).toContain('<base target="_blank"/>');
    const checkout = checkoutOf(service, order);
    const form = {
      token: hidden(html, 'token'),
      method_id: await checkout.methodOf('cardprov'),
      embed: '1',
    };
    const started = await tab.post(`${service.url}/checkout/${order.order_no}/pay`, form);
    expect([started.status, new URL(started.location).origin]).toEqual([303, new URL(cardsim.url).origin]);
    // The frame has set no cookie, so this tab learns the token from the answer to its form.
    const session = (await simulate<{ items: { id: string }[] }>(cardsim, 'GET', '/sessions')).items[0];
    await simulate(cardsim, 'POST', `/sessions/${session?.id ?? ''}/pay`, {});
    const back = await tab.follow(await tab.get(`${service.url}/checkout/return/${order.order_no}`));
    expect(back.status).toBe(200);
    const { context } = propsIn(back.html);
    expect(context).toMatchObject({ tab: true, back: 'returned' });
    expect(context.embed_origins).toBeUndefined();
    const paid = await eventually(
      () => tab.get(`${order.checkout_url}&tab=1`),
      ({ html: shown }) => propsIn(shown).state.status === 'paid',
    );
    expect(wordsOf(paid.html)).toContain('You can close this tab.');
    expect(wordsOf((await tab.get(order.checkout_url)).html)).not.toContain('You can close this tab.');
  });
});

test('D-269 the script is small, lies below the prefix, and is revalidated every hour', async () => {
  const script = await fetch(`${service.url}/embed/v1.js`);
  expect(Object.fromEntries(script.headers)).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=3600',
    'cross-origin-resource-policy': 'cross-origin',
  });
  const text = await script.text();
  expect(text).toContain('Paydesk');
  const etag = script.headers.get('etag') ?? '';
  const again = await fetch(`${service.url}/embed/v1.js`, { headers: { 'if-none-match': etag } });
  expect([again.status, await again.text()]).toEqual([304, '']);
});
