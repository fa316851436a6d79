import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { usualLimits } from '../../../src/base/pg/index.ts';
import { answerLimit } from '../../../src/base/pg/time-limits.ts';
import { usualTimings } from '../../../src/compose/options.ts';
import { type Direction, type FaultyLink, openFaultyLink } from '../../support/servers/faulty-link.ts';
import {
  busyMerchant,
  type Checkout,
  checkoutOf,
  fromAnywhere,
  type Merchant,
  type Order,
  type Platform,
  setUpPlatform,
  signIn,
  validOrder,
} from '../../support/desks/platform.ts';
import {
  type Answer,
  eventually,
  request,
  startTestService,
  type TestService,
} from '../../support/desks/service.ts';

/** A database that does not answer any more, as when its machine has died: packets vanish, and no connection ends. */

let service: TestService;
let link: FaultyLink;
let platform: Platform;
let merchant: Merchant;
let cookie: string;
let order: Order;
let checkout: Checkout;
let method: string;
let token: string;

/** Short, so that the tests are. */
const limits = {
  connect_ms: 2_400,
  statement_timeout_ms: 2_000,
  lookup_timeout_ms: 1_000,
  heartbeat_ms: 500,
};
/** Far beyond these limits, also on a busy machine; without the limits a call would not end at all. */
const patience_ms = 30_000;

beforeAll(async () => {
  service = await startTestService({
    env: { PAYDESK_TRUSTED_PROXIES: '127.0.0.1/32' },
    database_limits: limits,
    timings: { stop_ms: 1_500 },
    routeTo: async (url) => {
      link = await openFaultyLink(url);
      return link.url;
    },
  });
  platform = await setUpPlatform(service);
  merchant = await busyMerchant(service, platform.merchant_no, 2);
  cookie = await signIn(service, platform.buyer);
  order = await merchant.order({ expires_in: 3_600 });
  checkout = checkoutOf(service, order, cookie);
  method = await checkout.methodOf('ptk');
  token = new URL(order.checkout_url).searchParams.get('token') ?? '';
});

afterAll(async () => {
  link.restore();
  await service.stop();
  await link.close();
});

const ready = (): Promise<Answer> => service.send('GET', '/readyz');

interface Timed {
  status: number;
  retry_after: string | null;
  ms: number;
}

async function timed(ask: () => Promise<Answer>): Promise<Timed> {
  const start = performance.now();
  const { status, headers } = await ask();
  return { status, retry_after: headers.get('retry-after'), ms: performance.now() - start };
}

/** Calls of every kind that need the database: programs, buyers, people, administrators, pages. */
const calls = (): Record<string, () => Promise<Answer>> => ({
  'read an order': () => merchant.read(order.order_no),
  'create an order': () => merchant.create(validOrder()),
  'read the checkout': () => checkout.state(),
  'pay with PTK': () => checkout.start(method),
  'a page of the checkout': () =>
    service.send('GET', `/checkout/${order.order_no}?token=${token}`, { headers: fromAnywhere() }),
  'who is signed in': () => service.send('GET', '/session', { headers: { cookie, ...fromAnywhere() } }),
  'an administrator’s list': () =>
    service.send('GET', '/admin/v1/merchants', {
      headers: { authorization: 'Bearer test-administration-key' },
    }),
});

describe.each([
  ['the requests are lost', ['to the database']],
  ['the answers are lost', ['from the database']],
] as [string, Direction[]][])('H-25 a silent database, %s', (_, directions) => {
  test('every call and the question for readiness are answered in time; all work again when it is back', async () => {
    link.silence(...directions);
    const first = await timed(ready);
    expect(first).toMatchObject({ status: 503, retry_after: '1' });
    expect(first.ms).toBeLessThan(patience_ms);
    const all = calls();
    const answers = await Promise.all(Object.values(all).map(timed));
    for (const [i, name] of Object.keys(all).entries()) {
      const answer = answers[i];
      expect.soft(answer?.ms, name).toBeLessThan(patience_ms);
      // The outcome of a payment whose answer is lost is unknown.
      const expected = name === 'pay with PTK' ? [202, 503] : [503];
      expect.soft(expected, name).toContain(answer?.status);
      if (answer?.status === 503) expect.soft(answer.retry_after, name).toMatch(/^\d+$/);
    }
    link.restore();
    await eventually(ready, ({ status }) => status === 200);
    await eventually(
      async () =>
        (await Promise.all([merchant.read(order.order_no), checkout.state()])).map(({ status }) => status),
      (statuses) => statuses.every((status) => status === 200),
    );
    expect((await merchant.create(validOrder())).status).toBe(201);
  });
});

test('H-25 connections that are cut are replaced at once', async () => {
  link.cut();
  expect((await ready()).status).toBe(503);
  link.restore();
  // On a busy machine a new connection may take longer than these short limits allow.
  await eventually(ready, ({ status }) => status === 200);
  expect((await merchant.read(order.order_no)).status).toBe(200);
});

test('H-24 a process stops in time while its database is silent', async () => {
  const other = await service.another('all');
  expect((await request(`${other.url}/readyz`, 'GET')).status).toBe(200);
  link.silence('from the database');
  const start = performance.now();
  const hanging = request(`${other.url}/session`, 'GET', { headers: { cookie } }).catch(() => null);
  await other.stop();
  expect(performance.now() - start).toBeLessThan(patience_ms);
  await hanging;
});

test('H-25 H-24 with the usual limits, a call takes less than ten seconds, and so does a stop', () => {
  const { connect_ms, statement_timeout_ms, lookup_timeout_ms, lock_patience_ms, long_lock_timeout_ms } =
    usualLimits;
  const statement_ms = answerLimit(statement_timeout_ms) ?? Infinity;
  const lookup_ms = answerLimit(lookup_timeout_ms) ?? Infinity;
  expect(connect_ms + statement_ms).toBeLessThan(9_500);
  expect(lookup_ms + connect_ms + lookup_ms).toBeLessThan(9_500);
  expect(lock_patience_ms + long_lock_timeout_ms).toBeLessThan(9_500);
  expect(usualTimings.stop_ms).toBeLessThan(9_500);
});
