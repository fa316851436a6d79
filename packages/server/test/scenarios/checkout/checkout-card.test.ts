import { type Cardsim, signatureHeader, startCardsim } from '@paydesk/cardsim';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addCardChannel,
  busyMerchant,
  checkoutOf,
  type Merchant,
  type Order,
  type Platform,
  setUpPlatform,
} from '../../support/desks/platform.ts';
import {
  eventually,
  type Json,
  request,
  startTestService,
  type TestService,
} from '../../support/desks/service.ts';
import { visitorOf } from '../../support/people/visitor.ts';

let service: TestService;
let cardsim: Cardsim;
let platform: Platform;
let merchant: Merchant;
let card: { payment_no: string; webhook_url: string };

interface Session extends Json {
  id: string;
  client_reference_id: string;
  amount_total: number;
  currency: string;
  metadata: { order_no: string };
}

beforeAll(async () => {
  cardsim = await startCardsim();
  service = await startTestService();
  platform = await setUpPlatform(service);
  card = await addCardChannel(service, cardsim.url, {
    fees: [
      {
        currency: 'USD',
        buyer: { fixed_minor: 30, percent_ppm: 29_000 },
        merchant: { fixed_minor: 10, percent_ppm: 15_000 },
      },
    ],
    supported_currencies: ['USD'],
  });
  await cardsim.registerWebhook({ url: card.webhook_url, secret: 'whsec_simulated' });
  merchant = await busyMerchant(service, platform.merchant_no, 4);
});

afterAll(async () => {
  await service.stop();
  await cardsim.close();
});

const sim = async <T = Json>(method: string, path: string, body?: unknown): Promise<T> =>
  (await request<T>(`${cardsim.url}/_sim${path}`, method, body === undefined ? {} : { body })).body;

const sessionsOf = async ({ order_no }: Order): Promise<Session[]> =>
  (await sim<{ items: Session[] }>('GET', '/sessions')).items.filter(
    ({ metadata }) => metadata.order_no === order_no,
  );

/** Starts a card payment as a guest and gives the provider's session. */
async function startCard(order: Order): Promise<{ redirect_url: string; session: Session }> {
  const checkout = checkoutOf(service, order);
  const { status, body } = await checkout.start<{ redirect_url: string }>(
    await checkout.methodOf('cardprov'),
  );
  expect(status).toBe(200);
  const [session] = await sessionsOf(order);
  if (session === undefined) throw new Error('no session');
  return { redirect_url: body.redirect_url, session };
}

const untilStatus = (order: Order, status: string) =>
  eventually(
    () => merchant.read(order.order_no),
    (answer) => answer.body.status === status,
  );

describe('a card payment', () => {
  test('R-199, R-182, R-134, R-118, R-119 is confirmed by webhook and look-up, and settled', async () => {
    const order = await merchant.order();
    const { session, redirect_url } = await startCard(order);
    expect(redirect_url.startsWith(cardsim.url)).toBe(true);
    expect(session).toMatchObject({ amount_total: 1_060, currency: 'usd' });
    expect((await merchant.read(order.order_no)).body).toMatchObject({
      status: 'pending',
      status_version: 1,
      payment_no: card.payment_no,
      fee_status: 'quoted',
      payment_amount: '10.60',
    });
    await sim('POST', `/sessions/${session.id}/pay`, {});
    const { body } = await untilStatus(order, 'paid');
    expect(body).toMatchObject({
      status_version: 2,
      amount: '10.00',
      payment_amount: '10.60',
      payment_currency: 'USD',
      buyer_fee: '0.60',
      merchant_fee: '0.26',
      merchant_fee_ptk: '260000000',
      gross_settlement_ptk: '10000000000',
      settlement_ptk: '9740000000',
    });
    expect(body.provider_trade_no).toMatch(/^pi_/);
    expect(body.occurred_at).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
    const { postings } = await service.admin<{ postings: Json[] }>(
      'GET',
      `/collection-orders/${order.order_no}`,
    );
    expect(postings).toHaveLength(4);
    expect(new Set(postings.map(({ posting }) => posting))).toEqual(new Set(['P1']));
  });

  test('R-201, R-236 clicks, refreshes and tabs meet one attempt and one session', async () => {
    const order = await merchant.order();
    const checkout = checkoutOf(service, order);
    const method = await checkout.methodOf('cardprov');
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => checkout.start<{ redirect_url: string }>(method)),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(new Set(answers.map(({ body }) => body.redirect_url)).size).toBe(1);
    expect(await sessionsOf(order)).toHaveLength(1);
  });

  test('R-201 two processes race for one order: one session', async () => {
    const other = await service.another();
    const order = await merchant.order();
    const method = await checkoutOf(service, order).methodOf('cardprov');
    const start = (url: string) =>
      request<{ redirect_url: string }>(`${url}/checkout/api/${order.order_no}/payments`, 'POST', {
        body: { method_id: method },
        headers: { 'x-checkout-token': new URL(order.checkout_url).searchParams.get('token') ?? '' },
      });
    const answers = await Promise.all([0, 1, 2, 3].map((i) => start(i % 2 === 0 ? service.url : other.url)));
    expect(new Set(answers.map(({ body }) => body.redirect_url)).size).toBe(1);
    expect(await sessionsOf(order)).toHaveLength(1);
  });

  test('R-200, R-216 the first attempt locks the method', async () => {
    const order = await merchant.order();
    await startCard(order);
    const checkout = checkoutOf(service, order);
    expect(await checkout.start(await checkout.methodOf('ptk'))).toMatchObject({
      status: 409,
      body: { error: 'payment_conflict' },
    });
    const { body } = await checkout.state();
    expect(body.attempt).toMatchObject({ state: 'open' });
    expect(body.methods.map(({ usable }) => usable).sort()).toEqual([false, true]);
  });

  test('R-213, R-154, R-376, D-131 a merchant that allows no guests asks card buyers to sign in; its directory describes only channels', async () => {
    await service.admin('PATCH', `/merchants/${platform.merchant_no}`, { guest_purchase_allowed: false });
    const order = await merchant.order();
    const checkout = checkoutOf(service, order);
    const answer = await checkout.start(await checkout.methodOf('cardprov'));
    const directory = await merchant.get<{ items: Json[] }>('/merchant-payment-channels');
    await service.admin('PATCH', `/merchants/${platform.merchant_no}`, { guest_purchase_allowed: true });
    const entry = directory.body.items.find(({ payment_no }) => payment_no === card.payment_no);
    expect(entry).toMatchObject({ provider: 'cardprov', login_required: false });
    expect(answer).toMatchObject({ status: 403, body: { error: 'login_required' } });
  });

  test('D-1216 a payment that was refused to a form without a script leaves its method chosen', async () => {
    const owner = visitorOf(service);
    await owner.signIn(platform.owner);
    const order = await merchant.order();
    const method_id = await checkoutOf(service, order).methodOf('ptk');
    const { pathname, searchParams } = new URL(order.checkout_url);
    const form = { token: searchParams.get('token') ?? '', method_id };
    const { status, html } = await owner.post(`${service.url}${pathname}/pay`, form);
    expect(status).toBe(403);
    expect(/<input[^>]* data-previewed[^>]*>/.exec(html)?.[0]).toContain(`value="${method_id}"`);
  });

  test('R-034, D-117 the provider learns the order number, never the checkout token', async () => {
    const order = await merchant.order();
    await startCard(order);
    const token = new URL(order.checkout_url).searchParams.get('token') ?? '';
    const seen = await request(`${cardsim.url}/_sim/requests`, 'GET');
    expect(seen.text).toContain(order.order_no);
    expect(seen.text).not.toContain(token);
  });

  test('D-117 the way back from the provider finds the page only by the cookie of its path', async () => {
    const order = await merchant.order();
    const page = await fetch(order.checkout_url);
    const cookies = page.headers.getSetCookie().filter((cookie) => cookie.includes('/checkout/return/'));
    expect(cookies).toHaveLength(1);
    const cookie = cookies[0]?.split(';', 1)[0] ?? '';
    const back = await service.send('GET', `/checkout/return/${order.order_no}`, { headers: { cookie } });
    expect(back.status).toBe(303);
    expect(back.headers.get('location')).toContain(`/checkout/${order.order_no}?token=`);
    expect((await service.send('GET', `/checkout/return/${order.order_no}`)).status).toBe(404);
  });

  test('R-177, R-179, R-180 past the deadline a started order is reviewed, closed and expired', async () => {
    const order = await merchant.order({ expires_in: 60 });
    const { session } = await startCard(order);
    await service.advance(61);
    expect((await merchant.read(order.order_no)).body).toMatchObject({ status: 'review', status_version: 2 });
    await service.admin('POST', '/jobs/reconcile/run');
    const { body } = await untilStatus(order, 'expired');
    expect(body.status_version).toBe(3);
    const [closed] = (await sessionsOf(order)).filter(({ id }) => id === session.id);
    expect(closed).toMatchObject({ status: 'expired' });
  });

  test('R-183 a payment just before the closing still counts', async () => {
    const order = await merchant.order({ expires_in: 60 });
    const { session } = await startCard(order);
    await sim('POST', `/sessions/${session.id}/pay`, { webhook: 'none' });
    await service.advance(61);
    await service.admin('POST', '/jobs/sweep/run');
    await service.admin('POST', '/jobs/reconcile/run');
    const { body } = await untilStatus(order, 'paid');
    expect(body.status_version).toBe(3);
  });

  test('R-203, R-198 a definite refusal unlocks: another method can be chosen', async () => {
    const order = await merchant.order();
    await sim('POST', '/faults', {
      endpoint: 'sessions.create',
      mode: 'status',
      status: 400,
      body: { error: { type: 'invalid_request_error', message: 'no' } },
    });
    const checkout = checkoutOf(service, order);
    expect(await checkout.start(await checkout.methodOf('cardprov'))).toMatchObject({
      status: 422,
      body: { error: 'provider_checkout_rejected' },
    });
    expect((await checkout.state()).body.attempt).toBeNull();
    expect((await merchant.read(order.order_no)).body).toMatchObject({
      payment_no: '',
      fee_status: 'unselected',
      status_version: 1,
    });
    await startCard(order);
  });

  test('R-202, R-205, R-233 an unclear answer keeps the lock and answers 202; the retry meets one session', async () => {
    const order = await merchant.order();
    await sim('POST', '/faults', { endpoint: 'sessions.create', mode: 'status', status: 500, times: 1 });
    const checkout = checkoutOf(service, order);
    const method = await checkout.methodOf('cardprov');
    expect(await checkout.start(method)).toMatchObject({
      status: 202,
      body: { error: 'provider_result_pending' },
    });
    expect(await checkout.start(await checkout.methodOf('ptk'))).toMatchObject({ status: 409 });
    expect((await checkout.start(method)).status).toBe(200);
    expect(await sessionsOf(order)).toHaveLength(1);
  });

  test('R-217 a session with another amount is a mismatch, and never paid', async () => {
    const order = await merchant.order();
    await sim('POST', '/faults', { endpoint: 'sessions.create', mode: 'amount', amount_total: 1 });
    const checkout = checkoutOf(service, order);
    expect(await checkout.start(await checkout.methodOf('cardprov'))).toMatchObject({
      status: 409,
      body: { error: 'provider_result_mismatch' },
    });
    expect((await checkout.state()).body.attempt).toMatchObject({ state: 'mismatch' });
    expect((await merchant.read(order.order_no)).body.status).toBe('pending');
  });
});

describe('webhooks', () => {
  const post = (body: string, signature: string) =>
    request(card.webhook_url, 'POST', {
      raw: body,
      headers: { 'content-type': 'application/json', 'stripe-signature': signature },
    });
  const now_s = (): number => Math.floor(Date.now() / 1_000);
  const event = (id: string, object: Json): string =>
    JSON.stringify({ id, object: 'event', type: 'checkout.session.completed', data: { object } });

  test('R-226 a bad or stale signature is 400 and nothing happens', async () => {
    const body = event('evt_bad', {});
    expect((await post(body, '')).status).toBe(400);
    expect((await post(body, signatureHeader(body, 'whsec_other', now_s()))).status).toBe(400);
    expect((await post(body, signatureHeader(body, 'whsec_simulated', now_s() - 400))).status).toBe(400);
    expect((await post(`${body} `, signatureHeader(body, 'whsec_simulated', now_s()))).status).toBe(400);
  });

  test('R-012, D-103 a signed webhook that claims a payment pays nothing unless the provider agrees', async () => {
    const order = await merchant.order();
    const { session } = await startCard(order);
    const body = event('evt_forged', { ...session, payment_status: 'paid', status: 'complete' });
    expect((await post(body, signatureHeader(body, 'whsec_simulated', now_s()))).status).toBe(200);
    await service.admin('POST', '/jobs/reconcile/run');
    expect((await merchant.read(order.order_no)).body.status).toBe('pending');
  });

  test('R-228, R-144 duplicates pay once', async () => {
    const order = await merchant.order();
    const { session } = await startCard(order);
    await sim('POST', `/sessions/${session.id}/pay`, { webhook: 'duplicate' });
    const { body } = await untilStatus(order, 'paid');
    const { items } = await sim<{ items: { id: string; data: { object: Json } }[] }>('GET', '/events');
    const completed = items.find(({ data }) => data.object.id === session.id);
    await sim('POST', '/webhooks/replay', { event_id: completed?.id, times: 3 });
    await service.admin('POST', '/jobs/reconcile/run');
    expect((await merchant.read(order.order_no)).body).toEqual(body);
  });

  test('R-226 an unknown channel key is 404, another method 405', async () => {
    const unknown = card.webhook_url.replace(/[^/]+$/, 'nobody');
    expect((await request(unknown, 'POST', { raw: '{}' })).status).toBe(404);
    expect((await request(card.webhook_url, 'GET')).status).toBe(405);
  });
});
