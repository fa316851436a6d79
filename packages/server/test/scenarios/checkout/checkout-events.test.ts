import { type Cardsim, startCardsim } from '@paydesk/cardsim';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { simulate } from '../../support/desks/own-channel.ts';
import {
  addCardChannel,
  busyMerchant,
  checkoutOf,
  type Merchant,
  setUpPlatform,
  signIn,
} from '../../support/desks/platform.ts';
import { startTestService, type TestService } from '../../support/desks/service.ts';

let service: TestService;
let cardsim: Cardsim;
let merchant: Merchant;
let buyer: string;

beforeAll(async () => {
  [service, cardsim] = await Promise.all([startTestService(), startCardsim()]);
  const platform = await setUpPlatform(service);
  const card = await addCardChannel(service, cardsim.url);
  await cardsim.registerWebhook({ url: card.webhook_url, secret: 'whsec_simulated' });
  merchant = await busyMerchant(service, platform.merchant_no, 1);
  buyer = await signIn(service, platform.buyer);
});

afterAll(async () => {
  await service.stop();
  await cardsim.close();
});

/** The stream of an order as its page opens it, by the cookie that the page was given. */
async function openStream(checkout_url: string, order_no: string) {
  const page = await fetch(checkout_url);
  const cookie = page.headers.getSetCookie().find((text) => text.includes(`/checkout/api/${order_no}`));
  const answer = await fetch(`${service.url}/checkout/api/${order_no}/events`, {
    headers: { cookie: cookie?.split(';', 1)[0] ?? '' },
  });
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    status: answer.status,
    retry_after: answer.headers.get('retry-after'),
    type: answer.headers.get('content-type'),
    async until(events: number): Promise<void> {
      while (text.split('data: changed').length - 1 < events) {
        const { value, done } = (await reader?.read()) ?? { value: undefined, done: true };
        if (done) throw new Error('the stream ended');
        text += value;
      }
    },
    close: () => reader?.cancel(),
  };
}

test('R-201 a page receives events from before and after it began to listen', async () => {
  const order = await merchant.order();
  const stream = await openStream(order.checkout_url, order.order_no);
  expect(stream).toMatchObject({ status: 200, type: 'text/event-stream' });
  await stream.until(1);
  const checkout = checkoutOf(service, order, buyer);
  await checkout.start(await checkout.methodOf('ptk'));
  await stream.until(2);
  await stream.close();
});

test('R-187 D-101 D-102 a page learns how a payment goes on at the provider while its order stays pending', async () => {
  const order = await merchant.order();
  const checkout = checkoutOf(service, order);
  await checkout.start(await checkout.methodOf('cardprov'));
  const stream = await openStream(order.checkout_url, order.order_no);
  await stream.until(1);
  const { items } = await simulate<{ items: { id: string; metadata: { order_no: string } }[] }>(
    cardsim,
    'GET',
    '/sessions',
  );
  const id = items.find(({ metadata }) => metadata.order_no === order.order_no)?.id ?? '';
  await simulate(cardsim, 'POST', `/sessions/${id}/pay`, { async: true });
  await stream.until(2);
  expect((await checkout.state()).body.attempt?.state).toBe('processing');
  await simulate(cardsim, 'POST', `/sessions/${id}/settle-async`, { outcome: 'failed' });
  await stream.until(3);
  expect((await checkout.state()).body).toMatchObject({ status: 'pending', attempt: { state: 'failed' } });
  await stream.close();
});

test('R-201 an order has at most ten streams; one that closes makes room', async () => {
  const order = await merchant.order();
  const streams = [];
  for (let i = 0; i < 10; i++) streams.push(await openStream(order.checkout_url, order.order_no));
  expect(streams.map(({ status }) => status)).toEqual(Array<number>(10).fill(200));
  const refused = await openStream(order.checkout_url, order.order_no);
  expect([refused.status, refused.retry_after]).toEqual([429, '20']);
  const other = await merchant.order();
  const elsewhere = await openStream(other.checkout_url, other.order_no);
  expect(elsewhere.status).toBe(200);
  await streams[0]?.close();
  const again = async (): Promise<number> => {
    const stream = await openStream(order.checkout_url, order.order_no);
    streams.push(stream);
    return stream.status;
  };
  await expect.poll(again).toBe(200);
  for (const stream of [...streams, refused, elsewhere]) await stream.close();
});

test('R-201 an address has at most 40 streams, for any orders', async () => {
  const streams = [];
  for (let i = 0; i < 4; i++) {
    const order = await merchant.order();
    for (let j = 0; j < 10; j++) streams.push(await openStream(order.checkout_url, order.order_no));
  }
  expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]));
  const order = await merchant.order();
  const refused = await openStream(order.checkout_url, order.order_no);
  expect([refused.status, refused.retry_after]).toEqual([429, '20']);
  for (const stream of [...streams, refused]) await stream.close();
});

test('H-03 HEAD has the headers of a stream, ends at once, and takes no place of one', async () => {
  const order = await merchant.order();
  const url = `${service.url}/checkout/api/${order.order_no}/events`;
  const headers = { 'x-checkout-token': new URL(order.checkout_url).searchParams.get('token') ?? '' };
  for (let i = 0; i < 11; i++) {
    const { status, headers: sent } = await fetch(url, { method: 'HEAD', headers });
    expect([status, sent.get('content-type')]).toEqual([200, 'text/event-stream']);
  }
  expect((await fetch(url, { method: 'HEAD' })).status).toBe(404);
});

test('R-224 without the cookie of its order a stream is 404', async () => {
  const order = await merchant.order();
  const answer = await service.send('GET', `/checkout/api/${order.order_no}/events`);
  expect(answer).toMatchObject({ status: 404, body: { error: 'payment_not_found' } });
});
