import { type Cardsim, signatureHeader, startCardsim } from '@paydesk/cardsim';
import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { oddDatabase } from '../../support/servers/database.ts';
import { localReceiver, type LocalReceiver, recordsOf } from '../../support/notifications/notify.ts';
import {
  addCardChannel,
  addMerchant,
  addPayer,
  addUser,
  busyMerchant,
  checkoutOf,
  type Merchant,
  onePtk,
  type Order,
  type Payer,
  type Person,
  type Platform,
  setUpPlatform,
  validOrder,
} from '../../support/desks/platform.ts';
import {
  type Answer,
  eventually,
  expectBalancedBooks,
  type Json,
  request,
  startTestService,
  type TestService,
} from '../../support/desks/service.ts';

/** Two processes on one database; `there` is the second. */
let service: TestService;
let there: TestService;
let stopThere: () => Promise<void>;
let cardsim: Cardsim;
let receiver: LocalReceiver;
let platform: Platform;
let card: { payment_no: string; webhook_url: string };

beforeAll(async () => {
  receiver = await localReceiver();
  cardsim = await startCardsim();
  service = await startTestService({
    database: await oddDatabase(),
    env: { ...receiver.env, PAYDESK_TRUSTED_PROXIES: '127.0.0.1/32' },
  });
  const second = await service.another('all');
  stopThere = () => second.stop();
  there = {
    ...service,
    url: second.url,
    send: (method, path, options) => request(second.url + path, method, options),
  };
  platform = await setUpPlatform(service);
  card = await addCardChannel(service, cardsim.url);
  await cardsim.registerWebhook({ url: card.webhook_url, secret: 'whsec_simulated' });
});

afterEach(() => expectBalancedBooks(service.db));

afterAll(async () => {
  await service.stop();
  await cardsim.close();
  await receiver.remove();
});

/** The separate records of each test, so that it can count its money. */
let shop: Merchant;
let shopThere: Merchant;
let merchant_no: string;
let buyer: Payer;

beforeEach(async () => {
  ({ merchant_no } = await addMerchant(service, await addUser(service, 'Rae Racer')));
  shop = await busyMerchant(service, merchant_no, 3);
  shopThere = await busyMerchant(there, merchant_no, 1);
  buyer = await addPayer(service, 'Bea Buyer', 10_000n * onePtk);
});

const newOrder = (body: Json = {}): Promise<Order> =>
  shop.order({
    notify_url: receiver.url(),
    notify_secret: randomBytes(24).toString('base64url'),
    external_reference: 'raced',
    ...body,
  });

const newOrders = (count: number, body: Json = {}): Promise<Order[]> =>
  Promise.all(Array.from({ length: count }, () => newOrder(body)));

const sweep = (at: TestService): Promise<unknown> => run(at, 'sweep');
const reconcile = (at: TestService): Promise<unknown> => run(at, 'reconcile');

async function run(at: TestService, job: string): Promise<void> {
  const { status, text } = await at.send('POST', `/admin/v1/jobs/${job}/run`, {
    headers: { authorization: 'Bearer test-administration-key' },
  });
  if (status !== 200) throw new Error(`${job}: ${status} ${text}`);
}

const walletOf = async ({ user_id }: Person): Promise<bigint> =>
  BigInt((await service.admin<{ available_ptk: string }>('GET', `/users/${user_id}/wallet`)).available_ptk);

const earned = async (): Promise<bigint> =>
  BigInt(
    (await service.admin<{ available_ptk: string }>('GET', `/merchants/${merchant_no}/wallet`)).available_ptk,
  );

const postingsOf = async ({ order_no }: Order): Promise<string[]> =>
  (
    await service.admin<{ postings: { posting: string }[] }>('GET', `/collection-orders/${order_no}`)
  ).postings.map(({ posting }) => posting);

/** The order's versions in its notifications: from 1 on, without gaps or duplicates. */
async function historyOf(order: Order): Promise<string[]> {
  const records = (await recordsOf(shop, order)).reverse();
  expect(records.map(({ status_version }) => status_version)).toEqual(records.map((_, i) => i + 1));
  for (const { event, status_version } of records) expect(event.data.status_version).toBe(status_version);
  const read = (await shop.read(order.order_no)).body;
  expect(read.status_version).toBe(records.length);
  const history = records.map(({ event }) => event.data.status);
  expect(history.at(-1)).toBe(read.status);
  return history;
}

describe('the very deadline', () => {
  /** The causes of an expiry. Those that take all orders take all orders of a test together. */
  const triggers: [string, (order: Order) => Promise<unknown>][] = [
    ['reads', ({ order_no }) => shop.read(order_no)],
    ['lists', ({ order_no }) => shop.get(`/merchant-payments?order_no=${order_no}`)],
    ['checkout states', (order) => checkoutOf(service, order).state()],
    ['checkout pages', (order) => fetch(order.checkout_url)],
    ['sweeps', () => sweep(service)],
    ['starts', (order) => startPtk(service, order)],
  ];

  async function startPtk(at: TestService, order: Order): Promise<Answer> {
    const method = methods.get(order.order_no);
    if (method === undefined) throw new Error('no method');
    return checkoutOf(at, order, buyer.cookie).start(method);
  }
  const methods = new Map<string, string>();

  test.each(triggers)(
    'R-196 R-197 R-142 R-178 payments on one process against %s on the other: paid or expired, never both',
    async (_, trigger) => {
      const orders = await newOrders(10, { expires_in: 60, amount: '1.00' });
      for (const order of orders) {
        methods.set(order.order_no, await checkoutOf(service, order, buyer.cookie).methodOf('ptk'));
      }
      // Half of the payments are under way as the clock reaches the deadline; the others come right after it, at
      // the process that has not noticed yet, against the cause that expires orders at the other process.
      const advanced = service.advance(60);
      const answers = await Promise.all(
        orders.map(async (order, i) => {
          if (i >= 5) await advanced;
          const [answer] = await Promise.all([startPtk(there, order), trigger(order)]);
          return answer;
        }),
      );
      await Promise.all(orders.map(trigger));
      await sweep(there);
      let paid = 0n;
      for (const [i, order] of orders.entries()) {
        const read = (await shopThere.read(order.order_no)).body;
        const answer = answers[i] as Answer;
        if (read.status === 'paid') {
          paid += 1n;
          expect([200, 409]).toContain(answer.status);
          expect(Date.parse(read.occurred_at as string)).toBeLessThan(Date.parse(read.expires_at));
          expect(await historyOf(order)).toEqual(['pending', 'paid']);
          expect(await postingsOf(order)).toEqual(['P2']);
        } else {
          expect(answer).toMatchObject({ status: 410, body: { error: 'payment_expired' } });
          expect(await historyOf(order)).toEqual(['pending', 'expired']);
          expect(await postingsOf(order)).toEqual([]);
        }
      }
      expect(10_000n * onePtk - (await walletOf(buyer))).toBe(paid * 10n * onePtk);
      expect(await earned()).toBe(paid * 10n * onePtk);
    },
  );

  test('R-193 R-195 R-178 concurrent sweeps of two processes, reads and lists move each order once', async () => {
    const orders = await newOrders(30, { expires_in: 60 });
    await service.advance(60);
    await Promise.all([
      ...[service, there, service, there].map(sweep),
      ...orders.map(({ order_no }) => shop.read(order_no)),
      ...orders.map(({ order_no }) => shopThere.read(order_no)),
      shopThere.get('/merchant-payments?external_reference=raced&limit=100'),
    ]);
    for (const order of orders) expect(await historyOf(order)).toEqual(['pending', 'expired']);
  });

  test('R-201 R-216 one buyer at two processes, twice at each: one debit', async () => {
    const order = await newOrder();
    const method = await checkoutOf(service, order).methodOf('ptk');
    const answers = await Promise.all(
      [service, there, service, there].map((at) => checkoutOf(at, order, buyer.cookie).start(method)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    expect(await historyOf(order)).toEqual(['pending', 'paid']);
    expect(10_000n * onePtk - (await walletOf(buyer))).toBe(100n * onePtk);
  });

  test('R-146 R-145 a wallet that covers three of ten, at two processes: three are paid', async () => {
    const poor = await addPayer(service, 'Pia Poor', 399n * onePtk);
    const orders = await newOrders(10);
    const answers = await Promise.all(
      orders.map(async (order, i) => {
        const checkout = checkoutOf(i % 2 === 0 ? service : there, order, poor.cookie);
        return checkout.start(await checkout.methodOf('ptk'));
      }),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...Array.from({ length: 3 }, () => 200),
      ...Array.from({ length: 7 }, () => 422),
    ]);
    expect(await walletOf(poor)).toBe(99n * onePtk);
    expect(await earned()).toBe(300n * onePtk);
  });
});

interface Session extends Json {
  id: string;
  metadata: { order_no: string };
}

const sim = async <T = Json>(method: string, path: string, body?: unknown): Promise<T> => {
  const answer = await request<T>(`${cardsim.url}/_sim${path}`, method, body === undefined ? {} : { body });
  if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.text}`);
  return answer.body;
};

/** Starts a card payment as a guest and gives the provider's session. */
async function startCard(order: Order): Promise<Session> {
  const checkout = checkoutOf(service, order);
  expect((await checkout.start(await checkout.methodOf('cardprov'))).status).toBe(200);
  const { items } = await sim<{ items: Session[] }>('GET', '/sessions');
  const session = items.find(({ metadata }) => metadata.order_no === order.order_no);
  if (session === undefined) throw new Error('no session');
  return session;
}

/** A webhook of the provider as it would deliver it, to either process. */
function postWebhook(at: TestService, id: string, type: string, object: Json): Promise<Answer> {
  const body = JSON.stringify({ id, object: 'event', type, data: { object } });
  const { pathname } = new URL(card.webhook_url);
  return at.send('POST', pathname, {
    raw: body,
    headers: {
      'content-type': 'application/json',
      'stripe-signature': signatureHeader(body, 'whsec_simulated', Math.floor(Date.now() / 1_000)),
    },
  });
}

const untilPaid = (order: Order): Promise<unknown> =>
  eventually(
    () => shop.read(order.order_no),
    ({ body }) => body.status === 'paid',
  );

describe('card payments', () => {
  test('R-228 R-144 one webhook at two processes, and another event of the same payment: paid once', async () => {
    const order = await newOrder();
    const session = await startCard(order);
    await sim('POST', `/sessions/${session.id}/pay`, { webhook: 'none' });
    const answers = await Promise.all(
      ['evt_same', 'evt_same', 'evt_other', 'evt_same', 'evt_other', 'evt_third'].map((id, i) =>
        postWebhook(
          i % 2 === 0 ? service : there,
          id + order.order_no,
          'checkout.session.completed',
          session,
        ),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    await Promise.all([reconcile(service), reconcile(there)]);
    await untilPaid(order);
    await Promise.all([reconcile(service), reconcile(there)]);
    expect(await historyOf(order)).toEqual(['pending', 'paid']);
    expect(await postingsOf(order)).toEqual(['P1', 'P1']);
    expect(await earned()).toBe(100n * onePtk);
  });

  const orders_of_events: [string, string[]][] = [
    ['completed, then expired', ['completed', 'expired']],
    ['expired, then completed', ['expired', 'completed']],
    ['expired alone', ['expired']],
  ];
  test.each(orders_of_events)('R-230 D-109 events in the order %s end in paid', async (_, types) => {
    const order = await newOrder();
    const session = await startCard(order);
    await sim('POST', `/sessions/${session.id}/pay`, { webhook: 'none' });
    for (const [i, type] of types.entries()) {
      const id = `evt_${type}_${order.order_no}`;
      const at = i % 2 === 0 ? there : service;
      expect((await postWebhook(at, id, `checkout.session.${type}`, session)).status).toBe(200);
    }
    await untilPaid(order);
    await reconcile(there);
    expect(await historyOf(order)).toEqual(['pending', 'paid']);
  });

  test('R-183 R-181 R-230 webhooks against sweeps, reads and reconciliation at the deadline: each is paid, once', async () => {
    const orders = await newOrders(8, { expires_in: 60 });
    const sessions: Session[] = [];
    for (const order of orders) sessions.push(await startCard(order));
    for (const { id } of sessions) await sim('POST', `/sessions/${id}/pay`, { webhook: 'none' });
    await Promise.all([
      service.advance(60),
      ...sessions.map((session, i) =>
        postWebhook(
          i % 2 === 0 ? service : there,
          `evt_${session.id}`,
          'checkout.session.completed',
          session,
        ),
      ),
      ...[service, there].flatMap((at) => [sweep(at), reconcile(at)]),
      ...orders.flatMap(({ order_no }) => [shop.read(order_no), shopThere.read(order_no)]),
    ]);
    await Promise.all([sweep(service), reconcile(service), reconcile(there)]);
    for (const order of orders) {
      await untilPaid(order);
      const history = await historyOf(order);
      expect([
        ['pending', 'paid'],
        ['pending', 'review', 'paid'],
      ]).toContainEqual(history);
      expect(await postingsOf(order)).toEqual(['P1', 'P1']);
    }
    expect(await earned()).toBe(8n * 100n * onePtk);
  });

  test('R-179 R-180 R-185 R-195 unpaid sessions at the deadline, at two processes: reviewed, closed and expired once', async () => {
    const orders = await newOrders(6, { expires_in: 60 });
    const sessions: Session[] = [];
    for (const order of orders) sessions.push(await startCard(order));
    await Promise.all([service.advance(60), sweep(service), sweep(there)]);
    await Promise.all([service, there].flatMap((at) => [sweep(at), reconcile(at)]));
    for (const order of orders) {
      await eventually(
        () => shop.read(order.order_no),
        ({ body }) => body.status === 'expired',
      );
      expect(await historyOf(order)).toEqual(['pending', 'review', 'expired']);
      expect(await postingsOf(order)).toEqual([]);
    }
    const { items } = await sim<{ items: Session[] }>('GET', '/sessions');
    const closed = items.filter(({ id }) => sessions.some((session) => session.id === id));
    expect(closed.map(({ status }) => status)).toEqual(closed.map(() => 'expired'));
  });

  test('R-181 R-235 a buyer who pays while the session is being closed is paid, or learns that the order has ended', async () => {
    const orders = await newOrders(8, { expires_in: 60 });
    const sessions: Session[] = [];
    for (const order of orders) sessions.push(await startCard(order));
    await service.advance(60);
    const [paying] = await Promise.all([
      Promise.all(
        sessions.map(({ id }) => request(`${cardsim.url}/_sim/sessions/${id}/pay`, 'POST', { body: {} })),
      ),
      ...[service, there].flatMap((at) => [sweep(at), reconcile(at)]),
    ]);
    for (const [i, order] of orders.entries()) {
      const wasPaid = paying[i]?.status === 200;
      await eventually(
        async () => {
          await reconcile(there);
          return shop.read(order.order_no);
        },
        ({ body }) => body.status === (wasPaid ? 'paid' : 'expired'),
      );
      const history = await historyOf(order);
      expect(history.filter((status) => status === 'paid')).toHaveLength(wasPaid ? 1 : 0);
      expect(await postingsOf(order)).toHaveLength(wasPaid ? 2 : 0);
    }
  });

  test('R-200 R-216 PTK on one process against the card on the other: one of them has the order', async () => {
    const orders = await newOrders(8);
    const outcomes = await Promise.all(
      orders.map(async (order) => {
        const [byPtk, byCard] = [checkoutOf(service, order, buyer.cookie), checkoutOf(there, order)];
        const [ptk, cardprov] = [await byPtk.methodOf('ptk'), await byCard.methodOf('cardprov')];
        return Promise.all([byPtk.start(ptk), byCard.start(cardprov)]);
      }),
    );
    for (const [i, [ptk, cardprov]] of outcomes.entries()) {
      expect([ptk.status, cardprov.status].sort()).toEqual([200, 409]);
      const order = orders[i] as Order;
      expect(await historyOf(order)).toEqual(ptk.status === 200 ? ['pending', 'paid'] : ['pending']);
      expect((await shop.read(order.order_no)).body.payment_no).toBe(
        ptk.status === 200 ? platform.ptk_channel : card.payment_no,
      );
    }
  });
});

describe('creation', () => {
  const post = (url: string, token: string, body: Json, signal?: AbortSignal): Promise<Response> =>
    fetch(`${url}/openapi/v1/merchant-payments`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      ...(signal === undefined ? {} : { signal }),
    });

  const requests = (count: number, external_reference: string): Json[] =>
    Array.from({ length: count }, () => ({
      ...validOrder(),
      external_reference,
      notify_url: receiver.url(),
      notify_secret: 'the-same-secret-for-all-of-these-orders',
    }));

  /** Retries each request until it is answered; the keys must have made one order each. */
  async function expectOneOrderEach(bodies: Json[], external_reference: string): Promise<void> {
    const numbers = new Set<string>();
    for (const body of bodies) {
      const answer = await shop.create(body);
      expect(answer.status).toBe(201);
      expect((await shop.create(body)).body).toEqual(answer.body);
      numbers.add(answer.body.order_no);
      expect(await historyOf(answer.body)).toEqual(['pending']);
    }
    const { body } = await shop.get<{ items: Order[] }>(
      `/merchant-payments?external_reference=${external_reference}&limit=100`,
    );
    expect(new Set(body.items.map(({ order_no }) => order_no))).toEqual(numbers);
    expect(numbers.size).toBe(bodies.length);
  }

  test('R-112 R-111 an answer that never came: the retry finds the order that was committed, or makes it', async () => {
    const bodies = requests(24, 'cut');
    const tokens = [shop.token, shopThere.token];
    await Promise.all(
      bodies.map(async (body, i) => {
        const cut = new AbortController();
        const answer = post(i % 2 === 0 ? service.url : there.url, tokens[i % 2] as string, body, cut.signal);
        setTimeout(() => {
          cut.abort();
        }, i);
        await answer.catch(() => undefined);
      }),
    );
    await expectOneOrderEach(bodies, 'cut');
  });

  test('R-112 R-108 creations while one of two processes stops: retried elsewhere, each key has one order', async () => {
    const bodies = requests(40, 'stopping');
    let stopped: Promise<void> | undefined;
    const statuses = await Promise.all(
      bodies.map(async (body) => {
        const answer = await post(there.url, shopThere.token, body).catch(() => null);
        // Once one is answered, while the others are under way.
        stopped ??= stopThere();
        await answer?.text().catch(() => undefined);
        return answer?.status ?? 'no answer';
      }),
    );
    await stopped;
    expect(statuses).toContain(201);
    for (const status of statuses) expect([201, 503, 'no answer']).toContain(status);
    await expectOneOrderEach(bodies, 'stopping');
  });
});
