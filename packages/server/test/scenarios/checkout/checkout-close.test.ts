import { type Cardsim, startCardsim } from '@paydesk/cardsim';
import { ConsoleSales, declineReasons, unpaidReasons } from '@paydesk/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { merchantIdOf } from '../../../src/base/ids.ts';
import { openDatabase, sql } from '../../../src/base/pg/index.ts';
import { dayBefore } from '../../../src/base/time/zone-days.ts';
import { readFacts } from '../../../src/collection/figures/read-sales.ts';
import { salesJson, unpaidReason } from '../../../src/collection/figures/sales.ts';
import { endedBy } from '../../../src/collection/reading/order-pages.sql.ts';
import { consoleOf } from '../../support/people/console.ts';
import { expectAnswer } from '../../support/rules/contract.ts';
import { simulate } from '../../support/desks/own-channel.ts';
import {
  addCardChannel,
  busyMerchant,
  checkoutOf,
  fromAnywhere,
  type Merchant,
  type Order,
  type Platform,
  setUpPlatform,
  signIn,
} from '../../support/desks/platform.ts';
import { eventually, type Json, startTestService, type TestService } from '../../support/desks/service.ts';

/* A buyer who has begun to pay by card wants another method (D-258). */

interface Session extends Json {
  id: string;
  status: string;
  cancel_url: string;
  metadata: { order_no: string };
}

let service: TestService;
let cardsim: Cardsim;
let platform: Platform;
let merchant: Merchant;
let buyer: string;

beforeAll(async () => {
  [service, cardsim] = await Promise.all([
    startTestService({
      env: { PAYDESK_TRUSTED_PROXIES: '127.0.0.1/32' },
      timings: { provider_timeout_ms: 2_000 },
    }),
    startCardsim(),
  ]);
  await service.advanceToNoon();
  platform = await setUpPlatform(service);
  const fee = { fixed_minor: 10, percent_ppm: 15_000 };
  const card = await addCardChannel(service, cardsim.url, {
    fees: [{ currency: 'USD', buyer: { fixed_minor: 30, percent_ppm: 0 }, merchant: fee }],
  });
  await cardsim.registerWebhook({ url: card.webhook_url, secret: 'whsec_simulated' });
  merchant = await busyMerchant(service, platform.merchant_no, 1);
  buyer = await signIn(service, platform.buyer);
});

afterAll(async () => {
  await service.stop();
  await cardsim.close();
});

const sessionsOf = async ({ order_no }: Order): Promise<Session[]> =>
  (await simulate<{ items: Session[] }>(cardsim, 'GET', '/sessions')).items.filter(
    ({ metadata }) => metadata.order_no === order_no,
  );

/** Ends the orders that are overdue, and the attempts of them. */
async function endAll(): Promise<void> {
  const run = (job: string) => service.admin<{ processed: number }>('POST', `/jobs/${job}/run`);
  for (let left = 1; left > 0;) left = (await run('reconcile')).processed + (await run('sweep')).processed;
}

/** An order with an open payment page, and what its buyer does. */
async function started() {
  const order = await merchant.order();
  const checkout = checkoutOf(service, order, buyer);
  const [card, ptk] = [await checkout.methodOf('cardprov'), await checkout.methodOf('ptk')];
  const { status } = await checkout.start(card);
  expect(status).toBe(200);
  const headers = {
    'x-checkout-token': new URL(order.checkout_url).searchParams.get('token') ?? '',
    origin: new URL(service.url).origin,
    cookie: buyer,
  };
  const close = (change: Record<string, string> = {}) =>
    service.send('POST', `/checkout/api/${order.order_no}/payments/close`, {
      headers: { ...headers, ...fromAnywhere(), ...change },
    });
  const read = async () => (await merchant.read(order.order_no)).body;
  return { order, checkout, card, ptk, close, read };
}

test('D-258 R-200 the page at the provider is closed first, then any method can be chosen', async () => {
  const { order, checkout, card, ptk, close, read } = await started();
  expect(await checkout.start(ptk)).toMatchObject({ status: 409, body: { error: 'payment_conflict' } });
  expect(await close()).toMatchObject({ status: 200, body: { attempt: null, status: 'pending' } });
  expect((await sessionsOf(order)).map(({ status }) => status)).toEqual(['expired']);
  expect(await read()).toMatchObject({ payment_no: '', fee_status: 'unselected' });
  // The same method again is a new page, and the only open one.
  expect((await checkout.start(card)).status).toBe(200);
  expect((await sessionsOf(order)).map(({ status }) => status).sort()).toEqual(['expired', 'open']);
  expect((await close()).status).toBe(200);
  expect(await checkout.start(ptk)).toMatchObject({ status: 200, body: { status: 'paid' } });
  expect((await close()).body).toMatchObject({ status: 'paid' });
  expect(await read()).toMatchObject({ status: 'paid' });
});

test.each(['status', 'hang_before'])(
  'D-258 R-200 an unclear answer (%s) to the closing leaves everything as it was',
  async (mode) => {
    const { order, checkout, ptk, card, close } = await started();
    const fault = mode === 'status' ? { status: 500 } : {};
    await simulate(cardsim, 'POST', '/faults', { endpoint: 'sessions.expire', mode, ...fault });
    expect(await close()).toMatchObject({ status: 202, body: { error: 'provider_result_pending' } });
    expect((await sessionsOf(order)).map(({ status }) => status)).toEqual(['open']);
    expect((await checkout.start(ptk)).status).toBe(409);
    expect((await checkout.start(card)).status).toBe(200);
    expect((await close()).body).toMatchObject({ attempt: null });
  },
);

test('D-258 a payment that was made meanwhile counts', async () => {
  const { order, checkout, ptk, close } = await started();
  const [session] = await sessionsOf(order);
  await simulate(cardsim, 'POST', `/sessions/${session?.id ?? ''}/pay`, { webhook: 'none' });
  expect((await close()).body).toMatchObject({ status: 'paid' });
  expect((await checkout.start(ptk)).status).toBe(409);
});

test('D-258 many at once close one page, and a start beside them never leaves two open', async () => {
  const { order, checkout, card, close } = await started();
  const answers = await Promise.all([close(), close(), checkout.start(card), close()]);
  for (const { status } of answers) expect([200, 202]).toContain(status);
  const open = (await sessionsOf(order)).filter(({ status }) => status === 'open');
  expect(open.length).toBeLessThanOrEqual(1);
});

test('R-224 H-19 H-20 only who has the link closes it, from our own page, and no GET does', async () => {
  const { order, close } = await started();
  expect((await close({ 'x-checkout-token': 'x'.repeat(64) })).status).toBe(404);
  expect((await close({ origin: 'https://evil.example' })).status).toBe(403);
  expect((await service.send('GET', `/checkout/api/${order.order_no}/payments/close`)).status).toBe(405);
  expect((await sessionsOf(order)).map(({ status }) => status)).toEqual(['open']);
});

test('D-258 H-20 a buyer who cancels at the provider is told so, and cancelling alone changes nothing', async () => {
  const { order } = await started();
  const page = await fetch(order.checkout_url);
  const cookie = page.headers.getSetCookie().find((text) => text.includes('/checkout/return/')) ?? '';
  const [session] = await sessionsOf(order);
  const back = await fetch(session?.cancel_url ?? '', {
    headers: { cookie: cookie.split(';', 1)[0] ?? '' },
    redirect: 'manual',
  });
  expect(back.status).toBe(303);
  const text = await (await fetch(new URL(back.headers.get('location') ?? '', service.url))).text();
  expect(text).toContain('Nothing was charged');
  expect(text).toContain(`action="/checkout/${order.order_no}/close"`);
  expect((await sessionsOf(order)).map(({ status }) => status)).toEqual(['open']);
});

/** Sends the provider's page of an order with a card whose issuer declines it for lack of money. */
async function declineOnPage(order: Order): Promise<void> {
  const [session] = await sessionsOf(order);
  const card = {
    ...{ method: 'card', cardNumber: '4000000000009995', cardExpiry: '12 / 40', cardCvc: '123' },
    email: 'ada@example.com',
  };
  const { status } = await fetch(String(session?.url), { method: 'POST', body: new URLSearchParams(card) });
  expect(status).toBe(402);
}

test('D-330 D-331 D-332 D-556 D-614 the sales of a day: how far orders came, by which method, and why they were not paid', async () => {
  // Of a day before.
  await started();
  await service.advance(2 * 86_400);
  await endAll();
  const desk = await consoleOf(service, platform.owner, platform.merchant_no);
  const readSales = async (query = '') => (await desk.get<ConsoleSales>(`/sales${query}`)).body;
  const today = (await readSales('?time_zone=Asia/Tokyo')).period.until;
  // No buyer opens the first one: programs that preview a link are not buyers.
  const unopened = await merchant.order();
  await fetch(unopened.checkout_url);
  await fetch(unopened.checkout_url, {
    headers: { 'sec-fetch-dest': 'document', 'sec-purpose': 'prefetch' },
  });
  const opened = await merchant.order({ amount: '7.00' });
  for (let i = 0; i < 2; i++) {
    await fetch(opened.checkout_url, { headers: { 'sec-fetch-dest': 'document' } });
  }
  const declined = await started();
  await declineOnPage(declined.order);
  expect((await declined.close()).body).toMatchObject({ attempt: null });
  const changed = await started();
  expect((await changed.close()).body).toMatchObject({ attempt: null });
  expect((await changed.checkout.start(changed.ptk)).status).toBe(200);
  // Declined once, and the page is still open.
  const open = await started();
  await declineOnPage(open.order);
  // Openings are written once a second, and figures are a minute old at most.
  const ofToday = `?from=${today}&until=${today}`;
  await eventually(
    async () => {
      await service.advance(61);
      return readSales(ofToday);
    },
    ({ period: { orders } }) => orders.opened === 4,
  );
  const answer = await desk.get<ConsoleSales>(`/sales${ofToday}`);
  expectAnswer(answer, 200, ConsoleSales);
  const { period, before, series, methods } = answer.body;
  expect(period).toEqual({
    ...{ from: today, until: today, conversion: '0.2000' },
    orders: { created: 5, opened: 4, method_chosen: 3, started: 3, paid: 1 },
    volume: [{ currency: 'USD', amount: '10.00', orders: 1 }],
  });
  expect(before).toMatchObject({
    ...{ from: dayBefore(today, 1), until: dayBefore(today, 1), conversion: null, volume: [] },
    orders: { created: 0, opened: 0, method_chosen: 0, started: 0, paid: 0 },
  });
  expect(series).toEqual([{ day: today, created: 5, paid: 1, volume: period.volume }]);
  expect(methods).toMatchObject([
    {
      ...{ method_chosen: 3, started: 3, paid: 0, conversion: '0.0000' },
      unpaid: [
        { reason: 'insufficient_funds', orders: 1 },
        { reason: 'method_changed', orders: 1 },
      ],
    },
    { method_chosen: 1, started: 1, paid: 1, conversion: '1.0000', unpaid: [] },
  ]);
  // Each step leads to its orders.
  for (const [step, count] of Object.entries(period.orders)) {
    const reached = step === 'created' ? '' : `&reached=${step}`;
    const list = await desk.get<{ items: Json[] }>(
      `/collection-orders?from=${today}T00:00:00Z&test_mode=false${reached}`,
    );
    expect([step, list.body.items.length]).toEqual([step, count]);
  }
  // Each reason leads to its orders by its method, and the others to none, also for the orders of the other tests.
  const all = await readSales('?time_zone=UTC');
  const found = all.methods.flatMap(({ provider, unpaid }) =>
    unpaid.map(({ reason, orders }) => ({ of: `${provider ?? ''} ${reason}`, orders })),
  );
  expect(found.length).toBeGreaterThan(2);
  for (const method of ['cardprov', 'ptk', 'none']) {
    for (const reason of unpaidReasons) {
      const list = await desk.get<{ items: Json[] }>(
        `/collection-orders?limit=100&from=${all.period.from}T00:00:00Z&test_mode=false&unpaid=${reason}&method=${method}`,
      );
      const of = `${method} ${reason}`;
      const orders = found.find((one) => one.of === of)?.orders ?? 0;
      expect([of, list.body.items.length]).toEqual([of, orders]);
    }
  }
  // The days before this range have orders as well.
  const earlier = await readSales(`?from=${dayBefore(today, 1)}&until=${today}`);
  expect(earlier.before.orders.created).toBeGreaterThan(0);
  expect(earlier.period.orders.created).toBe(5);
});

test('D-556 the filter finds the attempts that the figures count for a reason, with every kind of end', async () => {
  const endings = ['closed', 'failed', 'rejected', 'absent', 'mismatch', 'paid', 'open'].flatMap((state) =>
    ['', 'of a newer release', ...declineReasons].flatMap((declined) =>
      [true, false].map((had_page) => ({ state, declined, had_page })),
    ),
  );
  const ends = sql`jsonb_to_recordset(${JSON.stringify(endings)}::jsonb) AS e (state text, declined text, had_page boolean)`;
  for (const reason of unpaidReasons) {
    const found = await service.db.query<(typeof endings)[number]>(
      sql`SELECT state, declined, had_page FROM ${ends} WHERE ${endedBy(reason)}`,
    );
    const counted = endings.filter(
      (one) => unpaidReason({ ...one, declined: one.declined || null }) === reason,
    );
    expect([reason, found]).toEqual([reason, counted]);
  }
});

test('D-503 sales that are read day by day are those that are read at once', async () => {
  const db = openDatabase({ url: service.database.url, max: 3 });
  try {
    const desk = await consoleOf(service, platform.owner, platform.merchant_no);
    const { period } = (await desk.get<ConsoleSales>('/sales?time_zone=Asia/Tokyo')).body;
    // The orders of the other tests are in the days before.
    const days = { from: period.until, until: dayBefore(period.until, -1) };
    const merchant_id = merchantIdOf(platform.merchant_no) ?? '';
    const salesOf = async (most?: number) =>
      salesJson(await readFacts(db, merchant_id, days, 'Asia/Tokyo', most));
    const atOnce = await salesOf();
    expect(atOnce.period.orders.created).toBe(5n);
    expect(atOnce.before.orders.method_chosen).toBeGreaterThan(0n);
    expect(atOnce.methods.map(({ method_chosen }) => method_chosen)).toEqual([3n, 1n]);
    expect(await salesOf(1)).toEqual(atOnce);
  } finally {
    await db.close();
  }
});

test.each([
  ['from', '?from=2026-02-30&until=2026-03-01'],
  ['from', '?until=2026-03-01'],
  ['until', '?from=2026-03-02&until=2026-03-01'],
  ['until', '?from=2026-03-01&until=2027-03-02'],
  ['time_zone', '?time_zone=Mars'],
])('D-332 sales refuse a %s that is none: %s', async (field, query) => {
  const desk = await consoleOf(service, platform.owner, platform.merchant_no);
  const { status, body } = await desk.get(`/sales${query}`);
  expect([status, body.error, body.field]).toEqual([400, 'invalid_request', field]);
});
