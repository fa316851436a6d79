import { type Cardsim, startCardsim } from '@paydesk/cardsim';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatMinor, ptkDecimals } from '../../../src/base/money.ts';
import { consoleOf } from '../../support/people/console.ts';
import { localReceiver, type LocalReceiver, recordsOf } from '../../support/notifications/notify.ts';
import {
  addCardChannel,
  addMerchant,
  addUser,
  busyMerchant,
  checkoutOf,
  fromAnywhere,
  type Merchant,
  type Order,
  payWithPtk,
  type Platform,
  setUpPlatform,
  signIn,
  validOrder,
} from '../../support/desks/platform.ts';
import { eventually, type Json, startTestService, type TestService } from '../../support/desks/service.ts';

let service: TestService;
let cardsim: Cardsim;
let receiver: LocalReceiver;
let platform: Platform;
let merchant: Merchant;
let channel: { payment_no: string; webhook_url: string };
/** Merchants and people by the names that the table gives them. */
let merchants: Record<string, string>;
let people: Record<string, string>;
/** Sessions of those who look; a guest has none. */
let cookies: Record<Viewer, string | undefined>;
/** Started while all buyers had access. */
let issued: { order: Order; redirect_url: string };

type Viewer = 'guest' | 'buyer' | 'stranger';
const viewers: Viewer[] = ['guest', 'buyer', 'stranger'];

beforeAll(async () => {
  receiver = await localReceiver();
  cardsim = await startCardsim();
  service = await startTestService({ env: { ...receiver.env, PAYDESK_TRUSTED_PROXIES: '127.0.0.1/32' } });
  platform = await setUpPlatform(service);
  await service.admin('PATCH', `/merchants/${platform.merchant_no}`, { hold_days: 2 });
  merchant = await busyMerchant(service, platform.merchant_no, 5);
  channel = await addCardChannel(service, cardsim.url, {
    name: 'Card, for trial',
    test_mode: true,
    supported_currencies: ['USD'],
    config: { api_base: cardsim.url, secret_key: 'sk_test_trial', webhook_secret: 'whsec_trial' },
  });
  await cardsim.registerWebhook({ url: channel.webhook_url, secret: 'whsec_trial' });
  const stranger = await addUser(service, 'Sid Stranger');
  const other = await addMerchant(service, platform.owner);
  merchants = { ours: platform.merchant_no, other: other.merchant_no };
  people = { buyer: platform.buyer.user_id, stranger: stranger.user_id };
  cookies = {
    guest: undefined,
    buyer: await signIn(service, platform.buyer),
    stranger: await signIn(service, stranger),
  };
  await grant('ours', '-');
  const order = await merchant.order();
  const { body } = await start(order, 'guest');
  issued = { order, redirect_url: body.redirect_url ?? '' };
});

afterAll(async () => {
  await service.stop();
  await cardsim.close();
  await receiver.remove();
});

const named = (names: string, of: Record<string, string>): string[] =>
  names === '-' ? [] : names.split('+').map((name) => of[name] ?? '');

const grant = (to_merchants: string, to_people: string): Promise<unknown> =>
  service.admin('PUT', `/channels/${channel.payment_no}/debug-grants`, {
    merchants: named(to_merchants, merchants),
    users: named(to_people, people),
  });

const enable = (enabled: boolean): Promise<unknown> =>
  service.admin('PATCH', `/channels/${channel.payment_no}`, { enabled });

const methods = new Map<string, string>();

/** Starts, or resumes, the payment through the test channel. */
async function start(order: Order, viewer: Viewer) {
  const checkout = checkoutOf(service, order, cookies[viewer]);
  const method = methods.get(order.order_no) ?? (await checkout.methodOf('cardprov'));
  methods.set(order.order_no, method);
  return checkout.start<{ redirect_url?: string; error?: string }>(method);
}

const outcomeOf = ({ status, body }: { status: number; body: object }): string =>
  status < 300 ? 'ok' : ((body as { error?: string }).error ?? String(status));

/** The channel in the directory. */
async function listed(): Promise<string> {
  const { body } = await merchant.get<{ items: Json[] }>('/merchant-payment-channels');
  const entry = body.items.find(({ payment_no }) => payment_no === channel.payment_no);
  if (entry === undefined) return 'absent';
  return entry.login_required === true ? 'with sign-in' : 'listed';
}

/** The method in the checkout. */
async function shown(order: Order, viewer: Viewer): Promise<string> {
  const { body } = await checkoutOf(service, order, cookies[viewer]).state();
  const method = body.methods.find(({ provider }) => provider === 'cardprov');
  if (method === undefined) return 'absent';
  return method.usable ? 'ok' : String(method.unusable_reason);
}

const denied = 'payment_debug_access_denied';
const login = 'login_required';

/**
 * The grants, and what follows for the directory, for a creation that asks for the channel, and for a guest, the
 * buyer and a stranger: what the checkout shows them, and what a start and a resume give them.
 */
const table: [rule: string, M: string, U: string, string, string, shown: string[], started: string[]][] = [
  ['R-166', '-', '-', 'absent', denied, ['absent', 'absent', 'absent'], [denied, denied, denied]],
  ['R-163', 'ours', '-', 'listed', 'ok', ['ok', 'ok', 'ok'], ['ok', 'ok', 'ok']],
  ['R-167', 'other+ours', '-', 'listed', 'ok', ['ok', 'ok', 'ok'], ['ok', 'ok', 'ok']],
  ['R-163', 'other', '-', 'absent', denied, ['absent', 'absent', 'absent'], [denied, denied, denied]],
  ['R-164', '-', 'buyer', 'with sign-in', 'ok', ['ok', 'ok', denied], [login, 'ok', denied]],
  ['R-164', '-', 'stranger', 'with sign-in', 'ok', ['ok', denied, 'ok'], [login, denied, 'ok']],
  ['R-167', '-', 'buyer+stranger', 'with sign-in', 'ok', ['ok', 'ok', 'ok'], [login, 'ok', 'ok']],
  ['R-165', 'ours', 'buyer', 'with sign-in', 'ok', ['ok', 'ok', denied], [login, 'ok', denied]],
  ['R-165', 'ours', 'stranger', 'with sign-in', 'ok', ['ok', denied, 'ok'], [login, denied, 'ok']],
  ['R-165', 'other', 'buyer', 'absent', denied, ['absent', 'absent', 'absent'], [login, denied, denied]],
];

describe('D-127 the grants of a test channel, at all five places', () => {
  test.each(table)(
    '%s merchants %s, people %s: D-128 R-155 directory %s, R-170 D-129 creation %s, R-171 checkout %j, R-172 D-130 start and resume %j',
    async (_, M, U, inDirectory, creation, inCheckout, started) => {
      // The order got the method when everyone had access; the current grant counts.
      await grant('ours', '-');
      const order = await merchant.order();
      expect((await start(order, 'guest')).status).toBe(200);
      const fresh = await merchant.order();
      methods.set(fresh.order_no, await checkoutOf(service, fresh).methodOf('cardprov'));
      await grant(M, U);

      expect(await listed()).toBe(inDirectory);
      const created = await merchant.create({ ...validOrder(), payment_no: channel.payment_no });
      expect(outcomeOf(created)).toBe(creation);
      expect(await Promise.all(viewers.map((viewer) => shown(fresh, viewer)))).toEqual(inCheckout);
      for (const [i, viewer] of viewers.entries()) {
        const resumed = await start(issued.order, viewer);
        expect([viewer, outcomeOf(resumed)]).toEqual([viewer, started[i]]);
        // The lock stays, and an authorized buyer finds the one session.
        if (resumed.status === 200) expect(resumed.body.redirect_url).toBe(issued.redirect_url);
        expect([viewer, outcomeOf(await start(fresh, viewer))]).toEqual([viewer, started[i]]);
      }
    },
  );

  test('R-158 D-129 a grant is nothing where the channel is switched off', async () => {
    await grant('ours', '-');
    const order = await merchant.order();
    methods.set(order.order_no, await checkoutOf(service, order).methodOf('cardprov'));
    await enable(false);
    try {
      expect(await listed()).toBe('absent');
      const created = await merchant.create({ ...validOrder(), payment_no: channel.payment_no });
      expect(outcomeOf(created)).toBe(denied);
      expect(await shown(order, 'buyer')).toBe(denied);
      expect(outcomeOf(await start(order, 'buyer'))).toBe(denied);
      expect(outcomeOf(await start(issued.order, 'buyer'))).toBe(denied);
    } finally {
      await enable(true);
    }
  });

  test('R-171 nothing that a request claims about its sender lets it in, but the session that it carries', async () => {
    await grant('ours', '-');
    const order = await merchant.order();
    const method_id = await checkoutOf(service, order).methodOf('cardprov');
    await grant('ours', 'buyer');
    const { user_id, email } = platform.buyer;
    const token = new URL(order.checkout_url).searchParams.get('token') ?? '';
    const path = `/checkout/api/${order.order_no}/payments`;
    const claims: [string, Json, Record<string, string>][] = [
      [`?user_id=${user_id}&buyer=${user_id}`, {}, {}],
      ['', { user_id, buyer_user_id: user_id, buyer: { user_id, email } }, {}],
      ['', {}, { 'x-user-id': user_id, 'x-buyer': user_id, from: email }],
      ['', {}, { cookie: `${cookies.stranger ?? ''}; user_id=${user_id}; buyer=${user_id}` }],
    ];
    for (const [query, members, headers] of claims) {
      const { status, body } = await service.send('POST', path + query, {
        body: { method_id, ...members },
        headers: {
          'x-checkout-token': token,
          origin: new URL(service.url).origin,
          cookie: cookies.stranger ?? '',
          ...fromAnywhere(),
          ...headers,
        },
      });
      expect([status, body.error]).toEqual([403, denied]);
    }
    expect((await merchant.read(order.order_no)).body).toMatchObject({ status: 'pending', payment_no: '' });
  });
});

describe('the directory of channels', () => {
  test('R-162, R-161 its payment_no is taken as it stands, its name never; providers are two', async () => {
    await grant('ours', '-');
    const { body } = await merchant.get<{ items: Record<string, string>[] }>('/merchant-payment-channels');
    expect(new Set(body.items.map(({ provider }) => provider))).toEqual(new Set(['cardprov', 'ptk']));
    for (const { payment_no, name } of body.items) {
      const made = await merchant.create({ ...validOrder(), payment_no });
      expect([made.status, made.body.payment_no]).toEqual([201, payment_no]);
      const byName = await merchant.create({ ...validOrder(), payment_no: name });
      expect(byName.status).toBeGreaterThanOrEqual(400);
    }
  });
});

test('R-175 a payment through a test channel shows as one, in the order, in lists and in notifications', async () => {
  await grant('ours', '-');
  const order = await merchant.order({
    external_reference: 'on-trial',
    notify_url: receiver.url(),
    notify_secret: 'a-secret-of-more-than-32-bytes-for-tests',
  });
  expect((await start(order, 'guest')).status).toBe(200);
  const { items } = (await (await fetch(`${cardsim.url}/_sim/sessions`)).json()) as {
    items: { id: string; livemode: boolean; metadata: { order_no: string } }[];
  };
  const session = items.find(({ metadata }) => metadata.order_no === order.order_no);
  expect(session?.livemode).toBe(false);
  await fetch(`${cardsim.url}/_sim/sessions/${session?.id ?? ''}/pay`, { method: 'POST' });
  const { body } = await eventually(
    () => merchant.read(order.order_no),
    (answer) => answer.body.status === 'paid',
  );
  expect(body.test_mode).toBe(true);
  const list = await merchant.get<{ items: Order[] }>('/merchant-payments?external_reference=on-trial');
  expect(list.body.items).toMatchObject([{ status: 'paid', test_mode: true }]);
  const [latest] = await recordsOf(merchant, order);
  expect(latest?.event.data).toMatchObject({ status: 'paid', test_mode: true });
});

describe('actions of the platform only', () => {
  test('R-191, R-192 merchants and buyers cannot cancel, refund or charge back an order', async () => {
    const order = await merchant.order();
    const path = `/merchant-payments/${order.order_no}`;
    for (const verb of ['cancel', 'refund', 'refunds', 'chargeback', 'close']) {
      expect((await merchant.send('POST', `${path}/${verb}`, {})).status).toBe(404);
    }
    for (const method of ['DELETE', 'PATCH', 'PUT', 'POST']) {
      expect((await merchant.send(method, path, {})).status).toBe(405);
    }
    // The buyer comes back from the provider without having paid, and closes the page.
    await service.send('GET', `/checkout/return/${order.order_no}?status=cancelled`);
    expect((await merchant.read(order.order_no)).body).toMatchObject({
      status: 'pending',
      status_version: 1,
    });
  });

  test('R-189 every order counts its own versions, from one', async () => {
    const orders = [await merchant.order(), await merchant.order({ expires_in: 60 }), await merchant.order()];
    await service.advance(60);
    const versions: unknown[] = [];
    for (const { order_no } of orders) versions.push((await merchant.read(order_no)).body.status_version);
    expect(versions).toEqual([1, 2, 1]);
  });
});

test('D-281 D-522 tests are marked and found by themselves: orders, wallet lines after their release, parts of a net', async () => {
  const desk = await consoleOf(service, platform.owner, platform.merchant_no);
  const live = await merchant.order({ external_reference: 'live' });
  await payWithPtk(service, live, await signIn(service, platform.buyer));
  const paid = await desk.get<{ items: Json[] }>('/collection-orders?test_mode=true&status=paid');
  const [test_order] = paid.body.items;
  expect(paid.body.items).toMatchObject([{ external_reference: 'on-trial', test_mode: true }]);
  const found = async (query: string): Promise<unknown[]> => {
    const mine = await desk.get<{ items: Json[] }>(`/collection-orders?limit=100&${query}`);
    const all = await service.admin<{ items: Json[] }>('GET', `/collection-orders?limit=100&${query}`);
    expect(all.items.map(({ order_no }) => order_no).sort()).toEqual(
      mine.body.items.map(({ order_no }) => order_no).sort(),
    );
    return mine.body.items.map(({ test_mode }) => test_mode);
  };
  expect(new Set(await found('test_mode=true'))).toEqual(new Set([true]));
  expect(new Set(await found('test_mode=false'))).toEqual(new Set([false]));
  expect(new Set(await found('test_mode='))).toEqual(new Set([true, false]));
  expect((await desk.get('/collection-orders?test_mode=maybe')).body).toMatchObject({ field: 'test_mode' });

  const home = await desk.get<{ wallet: Record<string, string> }>('/home?time_zone=UTC');
  const { held_ptk = '', held_test_ptk } = home.body.wallet;
  expect(held_test_ptk).toBe(test_order?.settlement_ptk);
  expect(BigInt(held_ptk)).toBeGreaterThan(BigInt(held_test_ptk ?? ''));

  await service.advance(31 * 86_400);
  await service.admin('POST', '/jobs/release-holds/run');
  const after = await desk.get<{ wallet: Record<string, string> }>('/home?time_zone=UTC');
  expect(after.body.wallet.held_test_ptk).toBe('0');
  const { body } = await desk.get<{ items: Json[] }>('/wallet/statement?limit=100');
  const marks = (order_no: unknown) =>
    body.items
      .filter(({ subject }) => subject === order_no)
      .map(({ posting, test_mode }) => [posting, test_mode]);
  expect(marks(test_order?.order_no)).toEqual(
    expect.arrayContaining([
      ['P3', true],
      ['P1', true],
    ]),
  );
  expect(marks(live.order_no)).toEqual([
    ['P3', false],
    ['P2', false],
  ]);

  // D-522: what a month came to says apart how much of it is from tests, and its parts add up.
  const from = '2000-01-01T00:00:00Z';
  const parted = await desk.get<{
    summary: { net_ptk: string; parts: { part: string; change_ptk: string }[] };
  }>(`/wallet/statement?from=${from}`);
  const { net_ptk, parts } = parted.body.summary;
  const changes = parts.map(({ change_ptk }) => BigInt(change_ptk));
  expect(changes.reduce((sum, one) => sum + one, 0n)).toBe(BigInt(net_ptk));
  expect(parts).toContainEqual({ part: 'tests', change_ptk: test_order?.settlement_ptk });
  // So does the file of its month, which adds up its lines by itself.
  const isIncome = ({ subject, posting }: Json) => subject === test_order?.order_no && posting === 'P1';
  const month = String(body.items.find(isIncome)?.at).slice(0, 7);
  const file = (await desk.get(`/statements/${month}/statement.csv`)).text.split('\r\n');
  const change = formatMinor(BigInt(String(test_order?.settlement_ptk)), ptkDecimals);
  expect(file.filter((line) => line.startsWith('"part"') && line.endsWith('"tests"'))).toEqual([
    expect.stringContaining(`"${change}"`),
  ]);

  const of = { reason: 'a test' };
  await service.admin('POST', `/collection-orders/${String(test_order?.order_no)}/complaints`, of);
  await service.admin('POST', `/collection-orders/${live.order_no}/refunds`, of);
  for (const [list, order_no, test_mode] of [
    ['complaints', test_order?.order_no, true],
    ['refunds', live.order_no, false],
  ] as const) {
    const { items } = await service.admin<{ items: Json[] }>('GET', `/${list}`);
    expect(items).toMatchObject([{ order_no, test_mode }]);
    const decision = { decision: 'dismiss', reason: 'a test' };
    if (test_mode)
      await service.admin('POST', `/complaints/${String(items[0]?.complaint_id)}/decision`, decision);
  }
});
