import { type Cardsim, startCardsim } from '@paydesk/cardsim';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { simulate } from '../../support/desks/own-channel.ts';
import {
  addCardChannel,
  addPayer,
  busyMerchant,
  checkoutOf,
  fromAnywhere,
  type Merchant,
  onePtk,
  type Order,
  type Platform,
  setUpPlatform,
  signIn,
} from '../../support/desks/platform.ts';
import { type Json, startTestService, type TestService } from '../../support/desks/service.ts';

let service: TestService;
let cardsim: Cardsim;
let platform: Platform;
let merchant: Merchant;
let card: { payment_no: string };

beforeAll(async () => {
  // Without workers, so every call to the provider comes from a request.
  [service, cardsim] = await Promise.all([
    startTestService({ role: 'web', env: { PAYDESK_TRUSTED_PROXIES: '127.0.0.1/32' } }),
    startCardsim(),
  ]);
  platform = await setUpPlatform(service);
  card = await addCardChannel(service, cardsim.url);
  merchant = await busyMerchant(service, platform.merchant_no, 2);
});

afterAll(async () => {
  await service.stop();
  await cardsim.close();
});

const asked = async (): Promise<number> =>
  (await simulate<{ items: Json[] }>(cardsim, 'GET', '/requests')).items.length;

const page = (order: Order): Promise<Response> =>
  fetch(order.checkout_url, { headers: { ...fromAnywhere(), 'accept-language': 'en' } });

test('D-089 reading, listing and opening an overdue order move it on without asking its provider', async () => {
  const started = await merchant.order({ expires_in: 60 });
  const checkout = checkoutOf(service, started);
  expect((await checkout.start(await checkout.methodOf('cardprov'))).status).toBe(200);
  const others = await Promise.all([1, 2, 3].map(() => merchant.order({ expires_in: 60 })));
  const [read, listed, opened] = others as [Order, Order, Order];
  const before = await asked();
  expect(before).toBeGreaterThan(0);
  await service.advance(60);
  expect((await merchant.read(started.order_no)).body.status).toBe('review');
  expect((await checkout.state()).body.status).toBe('review');
  expect(await (await page(started)).text()).toContain('We are checking your payment');
  expect((await merchant.read(read.order_no)).body.status).toBe('expired');
  const list = await merchant.get<{ items: Order[] }>('/merchant-payments?external_reference=order-1');
  expect(list.body.items.find(({ order_no }) => order_no === listed.order_no)?.status).toBe('expired');
  expect(await (await page(opened)).text()).toContain('The time to pay has passed');
  expect(await asked()).toBe(before);
});

describe('D-119 a link is good for as long as its order is there', () => {
  test.each(['paid', 'expired'])('after the order is %s, and long after', async (status) => {
    const order = await merchant.order({ expires_in: 60 });
    if (status === 'paid') {
      const checkout = checkoutOf(service, order, await signIn(service, platform.buyer));
      expect((await checkout.start(await checkout.methodOf('ptk'))).body).toEqual({ status: 'paid' });
    }
    for (const later of [60, 40 * 24 * 3_600]) {
      await service.advance(later);
      expect((await merchant.read(order.order_no)).body).toMatchObject({
        status,
        checkout_url: order.checkout_url,
      });
      expect((await checkoutOf(service, order).state()).body.status).toBe(status);
      expect((await page(order)).status).toBe(200);
    }
  });
});

test('D-120 R-211 the ids of methods are random for each order and method, and good only for that order', async () => {
  const orders = await Promise.all(Array.from({ length: 4 }, () => merchant.order()));
  const ids: string[] = [];
  for (const order of orders) {
    const { methods } = (await checkoutOf(service, order).state()).body;
    expect(methods).toHaveLength(2);
    ids.push(...methods.map(({ method_id }) => method_id));
  }
  expect(new Set(ids).size).toBe(8);
  // One id reveals nothing about another: no common prefix except the kind, and no channel in it.
  const bodies = ids.map((id) => id.replace(/^pm_/, ''));
  expect(new Set(bodies.map((body) => body.slice(0, 6))).size).toBe(8);
  const [first, second] = orders as [Order, Order];
  const known = [platform.ptk_channel, card.payment_no];
  expect(known.filter((payment_no) => ids.some((id) => id.includes(payment_no)))).toEqual([]);
  for (const foreign of [...known, await checkoutOf(service, second).methodOf('cardprov')]) {
    expect(await checkoutOf(service, first).start(foreign)).toMatchObject({
      status: 422,
      body: { error: 'channel_unavailable' },
    });
  }
});

describe('D-122 signing in does not bind an order to who did', () => {
  test('another person pays it, from their own balance', async () => {
    const order = await merchant.order();
    const looker = await addPayer(service, 'Lia Looker', 1_000n * onePtk);
    const looked = checkoutOf(service, order, looker.cookie);
    const method_id = await looked.methodOf('ptk');
    expect((await looked.state()).body.buyer).toMatchObject({ name: 'Lia Looker' });
    const payer = checkoutOf(service, order, await signIn(service, platform.buyer));
    expect((await payer.start(method_id)).body).toEqual({ status: 'paid' });
    const { available_ptk } = await service.admin('GET', `/users/${looker.user_id}/wallet`);
    expect(available_ptk).toBe('100000000000');
  });

  test('a guest pays it by card', async () => {
    const order = await merchant.order();
    const looked = checkoutOf(service, order, await signIn(service, platform.buyer));
    expect((await looked.state()).body.buyer).not.toBeNull();
    const guest = checkoutOf(service, order);
    expect((await guest.state()).body.buyer).toBeNull();
    expect((await guest.start(await guest.methodOf('cardprov'))).status).toBe(200);
  });
});
