/** People buy PTK by card: the orders of the platform's own merchant, whose proceeds go to a wallet. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { day_s, type LossDesk, openLossDesk, openShop, type Shop } from '../../support/desks/losses.ts';
import { detailOf, namesOf, pay as payCard, strangeSession } from '../../support/desks/cases.ts';
import { askDatabase } from '../../support/servers/database.ts';
import {
  addCardChannel,
  addPayer,
  checkoutOf,
  type Merchant,
  merchantOf,
  onePtk,
  type Order,
  type Payer,
  payWithPtk,
  topUp,
} from '../../support/desks/platform.ts';
import { eventually, type Json } from '../../support/desks/service.ts';
import { linesOn, transfersOn } from '../../support/desks/wallets.ts';
import { hidden, type Visitor, visitorOf, wordsOf } from '../../support/people/visitor.ts';

let desk: LossDesk;
let there: { url: string; stop(): Promise<void> };
/** The platform's own merchant. */
let shop: Shop;
/** Where PTK are spent. */
let goods: Merchant;
let buyer: Payer;
let browser: Visitor;

const set = (top_up: Json) =>
  desk.service.send('PUT', '/admin/v1/settings', {
    headers: { authorization: 'Bearer test-administration-key' },
    body: { top_up },
  });
const ptk = (amount: bigint): string => (amount * onePtk).toString();

beforeAll(async () => {
  desk = await openLossDesk();
  there = await desk.service.another('web');
  shop = await openShop(desk, { hold_days: 0, role: 'finance' });
  goods = await merchantOf(desk.service, desk.platform.client);
});
afterAll(async () => {
  await there.stop();
  await desk.stop();
});
beforeEach(async () => {
  buyer = await addPayer(desk.service, 'Toni Topup', onePtk);
  browser = visitorOf(desk.service, buyer.cookie);
  await set({ enabled: true, merchant_no: shop.merchant_no, max_per_payment: null, max_per_day: null });
});

const page = (who = browser) => who.get(`${desk.service.url}/account/top-up`);
const words = async (path: string): Promise<string> =>
  wordsOf((await browser.get(`${desk.service.url}${path}`)).html);

async function form(amount: string): Promise<Record<string, string>> {
  return { visit: hidden((await page()).html, 'visit'), amount, currency: 'USD' };
}
const send = async (fields: Record<string, string>, url = desk.service.url) =>
  browser.post(`${url}/account/top-up`, fields, { origin: url });

/** The order that a form has led to. */
function orderIn(location: string): Order {
  const { pathname } = new URL(location);
  return { order_no: pathname.split('/').at(-1) ?? '', checkout_url: location } as Order;
}

async function started(amount = '10.00'): Promise<Order> {
  const { status, location } = await send(await form(amount));
  expect(status).toBe(303);
  return orderIn(location);
}

async function sessionOf({ order_no }: Order): Promise<string> {
  const { items } = await desk.sim<{ items: (Json & { id: string; metadata: Json })[] }>('GET', '/sessions');
  return items.find(({ metadata }) => metadata.order_no === order_no)?.id ?? '';
}

/** Starts the card payment of an order, and pays it at the provider. */
async function pay(order: Order, how: Json = {}): Promise<string> {
  const checkout = checkoutOf(desk.service, order, buyer.cookie);
  expect((await checkout.start(await checkout.methodOf('cardprov'))).status).toBe(200);
  const session = await sessionOf(order);
  await desk.sim('POST', `/sessions/${session}/pay`, how);
  return session;
}

async function paid(amount = '10.00'): Promise<{ order: Order; session: string }> {
  const order = await started(amount);
  const session = await pay(order);
  await shop.until(order, 'paid');
  return { order, session };
}

const balance = async (): Promise<bigint> => {
  const { available_ptk } = await desk.service.admin<{ available_ptk: string }>(
    'GET',
    `/users/${buyer.user_id}/wallet`,
  );
  return BigInt(available_ptk);
};
const returned = async ({ order_no }: Order): Promise<string[]> =>
  (await linesOn(desk.service, order_no))
    .map(String)
    .filter((line) => !/^P1 /.test(line))
    .map((line) => line.replaceAll(order_no, 'ORDER').replaceAll(buyer.user_id, 'BUYER'));

test('D-356, D-359 topping up is off by default, and needs a merchant of the platform without hold days', async () => {
  const { top_up } = await desk.service.admin<{ top_up: Json }>('PUT', '/settings', {
    top_up: { enabled: false },
  });
  expect(top_up).toMatchObject({ enabled: false });
  expect(await words('/account')).not.toContain('Top up');
  expect(await words('/account/top-up')).toContain('not available at the moment');
  const refused = await send({ visit: 'x'.repeat(22), amount: '10.00', currency: 'USD' });
  expect(refused.status).toBe(422);
  const { merchant_no: held } = await openShop(desk, { hold_days: 2, role: 'finance' });
  // The last is an ordinary seller's.
  for (const merchant_no of [null, 'mr_unknown', held, desk.platform.merchant_no]) {
    const { status, body } = await set({ enabled: true, merchant_no });
    expect([status, body.field]).toEqual([400, 'top_up.merchant_no']);
  }
  expect((await set({ max_per_day: '-1' })).status).toBe(400);
});

test('D-356 a person buys PTK by card, once for a form that is sent twice', async () => {
  expect(await words('/account')).toContain('Top up');
  const fields = await form('10,00');
  const [first, again] = [await send(fields), await send(fields)];
  expect(again.location).toBe(first.location);
  const order = orderIn(first.location);
  // Only cards of the platform: PTK would buy itself.
  const { body } = await checkoutOf(desk.service, order, buyer.cookie).state();
  expect(body.methods.map(({ provider }) => provider)).toEqual(['cardprov']);
  await pay(order);
  await shop.until(order, 'paid');
  expect(await balance()).toBe(101n * onePtk);
  expect(await returned(order)).toEqual([
    expect.stringMatching(/^P21 .*m:available.*BUYER.*9740000000/),
    expect.stringMatching(/^P21 .*inc:merchant_fee.*BUYER.*260000000/),
  ]);
  expect(await shop.wallet()).toEqual({});
  expect(await words('/account')).toMatch(/Top-up.*100/);
  expect(await words(`/account/payments`)).toContain('USD 10.60');
});

test('D-356 a top-up without a session, from another site or without an amount is refused', async () => {
  const guest = visitorOf(desk.service);
  expect((await page(guest)).location).toContain('/sign-in?return_to=%2Faccount%2Ftop-up');
  const url = `${desk.service.url}/account/top-up`;
  const fields = await form('10.00');
  expect((await guest.post(url, fields)).status).toBe(303);
  expect((await browser.post(url, fields, { origin: 'https://evil.example' })).status).toBe(403);
  for (const amount of ['', '0', '-1', '1,000', '1.001', 'ten']) {
    const { status, html } = await send({ ...fields, amount });
    expect([amount, status]).toEqual([amount, 400]);
    expect(html).toContain('role="alert"');
  }
  expect((await send({ ...fields, currency: 'PTK' })).status).toBe(422);
});

test('D-357 the limits hold for each payment and for a day, also in two processes at once', async () => {
  await set({ max_per_payment: ptk(150n), max_per_day: ptk(250n) });
  const over = await send(await form('15.01'));
  expect(over.status).toBe(422);
  expect(wordsOf(over.html)).toMatch(/at most PTK.150/);
  const forms = [];
  for (let i = 0; i < 4; i++) forms.push(await form('10.00'));
  const answers = await Promise.all(
    forms.map((fields, i) => send(fields, i % 2 === 0 ? desk.service.url : there.url)),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 303, 422, 422]);
  expect(wordsOf(answers.find(({ status }) => status === 422)?.html ?? '')).toMatch(/PTK.250.* in 24 hours/);
  // Those that expire unpaid free their part; the next day everything is free.
  await desk.service.advance(1_801);
  for (const { location } of answers.filter(({ status }) => status === 303)) {
    await eventually(
      () => shop.merchant.read(orderIn(location).order_no),
      ({ body }) => body.status === 'expired',
    );
  }
  await paid('12.00');
  await paid('13.00');
  expect((await send(await form('1.00'))).status).toBe(422);
  await desk.service.advance(day_s);
  await started('10.00');
});

test('D-356 a top-up that expired and is paid late still reaches the wallet', async () => {
  const order = await started();
  const checkout = checkoutOf(desk.service, order, buyer.cookie);
  await checkout.start(await checkout.methodOf('cardprov'));
  // The sweep cannot close the provider's page, so that the buyer still pays there.
  await desk.sim('POST', '/faults', { endpoint: 'sessions.expire', mode: 'status', status: 500, times: 100 });
  await desk.service.advance(1_801);
  await shop.until(order, 'review');
  await desk.sim('POST', `/sessions/${await sessionOf(order)}/pay`, {});
  await shop.until(order, 'paid');
  await desk.sim('DELETE', '/faults');
  expect(await balance()).toBe(101n * onePtk);
});

const dispute = (session: string): Promise<Json> =>
  desk.sim('POST', `/sessions/${session}/dispute`, { outcome: 'lost' });
const refundAtProvider = async (session: string): Promise<Json> => {
  const { items } = await desk.sim<{ items: Json[] }>('GET', '/sessions');
  const payment_intent = String(items.find(({ id }) => id === session)?.payment_intent);
  return desk.provider('/refunds', { payment_intent });
};
const refundHere = (_: string, order: Order): Promise<unknown> => shop.refund(order);

// The buyer paid USD 10.60 for 100 PTK, and has 1 PTK of old. The loss is 106 PTK, of which the wallet gives what it got.
test.each([
  { way: 'a lost dispute', back: dispute, more: 50n, spends: null, taken: 10_000_000_000n },
  { way: 'a lost dispute', back: dispute, more: 0n, spends: '60', taken: 4_040_000_000n },
  { way: 'a lost dispute', back: dispute, more: 0n, spends: '100', taken: 0n },
  { way: 'a refund at the provider', back: refundAtProvider, more: 0n, spends: null, taken: 10_000_000_000n },
  { way: 'a refund of ours', back: refundHere, more: 0n, spends: '60', taken: 4_040_000_000n },
])('D-358, D-361 $way takes $taken from the wallet, and the rest is the platform’s', async (row) => {
  shop = await openShop(desk, { hold_days: 0, role: 'finance' });
  await set({ merchant_no: shop.merchant_no });
  const { order, session } = await paid();
  if (row.more > 0n) await topUp(desk.service, buyer, row.more * onePtk);
  if (row.spends !== null) {
    const bought = await goods.order({ amount: row.spends, currency: 'PTK' });
    await payWithPtk(desk.service, bought, buyer.cookie);
  }
  const before = await balance();
  await row.back(session, order);
  await shop.until(order, row.back === dispute ? 'chargeback' : 'refunded');
  expect(before - (await balance())).toBe(row.taken);
  const debt = 10_600_000_000n - row.taken;
  expect(await shop.wallet()).toEqual({ recovery_ptk: debt.toString() });
  const posting = row.back === dispute ? 'P8' : 'P7';
  expect((await returned(order)).filter((line) => !line.startsWith('P21'))).toEqual([
    ...(row.taken === 0n ? [] : [`P22 user:BUYER:available > m:available ${row.taken} PTK`]),
    expect.stringMatching(`^${posting} fx:USD > prov:.* 1060 USD$`),
    ...(row.taken === 0n ? [] : [`${posting} m:available > fx:PTK ${row.taken} PTK`]),
    `${posting} m:recovery > fx:PTK ${debt} PTK`,
  ]);
  if (row.taken > 0n) expect(await words('/account')).toContain('Top-up taken back');
});

test('D-361 losses in parts take no more than the top-up gave, and charges of the provider nothing', async () => {
  const { order, session } = await paid();
  await topUp(desk.service, buyer, 50n * onePtk);
  const { body } = await shop.complain(order);
  await shop.decide(body.complaint_id, { decision: 'confirm', loss_amount: '6.00', external_cost: '15.00' });
  expect(await balance()).toBe(91n * onePtk);
  await desk.sim('POST', `/sessions/${session}/dispute`, { outcome: 'lost' });
  await shop.until(order, 'chargeback');
  expect(await balance()).toBe(51n * onePtk);
  const taken = (await returned(order)).filter((line) => line.startsWith('P22'));
  expect(taken.map((line) => line.split(' ').at(-2)).sort()).toEqual(['4000000000', '6000000000']);
});

test('D-358 a payment that differs waits for a person, and fills the wallet when it is accepted', async () => {
  const order = await started();
  await pay(order, { amount_total: '1100' });
  const [found] = await eventually(
    () =>
      desk.service.admin<{ items: Json[] }>('GET', '/cases?limit=100').then(({ items }) => of(items, order)),
    (cases) => cases.length === 1,
  );
  expect(await balance()).toBe(onePtk);
  const accepted = await desk.send(`/cases/${String(found?.case_id)}/resolution`, {
    action: 'accept',
    reason: 'the buyer agrees',
  });
  expect(accepted.status).toBe(200);
  await shop.until(order, 'paid');
  expect(await balance()).toBe(101n * onePtk);
});

test('D-356 a declined card tries again, and fills the wallet once', async () => {
  const order = await started();
  const checkout = checkoutOf(desk.service, order, buyer.cookie);
  const { body } = await checkout.start(await checkout.methodOf('cardprov'));
  const card = { method: 'card', cardNumber: '4000000000009995', cardExpiry: '12 / 40', cardCvc: '123' };
  const form = new URLSearchParams({ ...card, email: 'toni@example.com' });
  expect((await fetch(String(body.redirect_url), { method: 'POST', body: form })).status).toBe(402);
  expect(await balance()).toBe(onePtk);
  await desk.sim('POST', `/sessions/${await sessionOf(order)}/pay`, { webhook: 'duplicate' });
  await shop.until(order, 'paid');
  expect(await balance()).toBe(101n * onePtk);
});

test('D-356 a second payment of a top-up is a case, and not in the wallet', async () => {
  const { order } = await paid();
  const [attempt] = (await detailOf(desk, order)).attempts;
  const names = await namesOf(desk, order, attempt?.attempt_id ?? '');
  await payCard(desk, await strangeSession(desk, names));
  await eventually(
    () => shop.cases(order),
    (cases) => cases.length === 1,
  );
  expect(await balance()).toBe(101n * onePtk);
});

test('D-356 a test channel fills only the wallets of people whom its grant names, and marks what it fills', async () => {
  const { merchant_no } = await openShop(desk, { hold_days: 0, role: 'finance' });
  const { payment_no, webhook_url } = await addCardChannel(desk.service, desk.cardsim.url, {
    test_mode: true,
    supported_currencies: ['JPY'],
    config: { api_base: desk.cardsim.url, secret_key: 'sk_test_top_up', webhook_secret: 'whsec_top_up' },
  });
  await desk.cardsim.registerWebhook({ url: webhook_url, secret: 'whsec_top_up' });
  const grant = (users: string[]): Promise<Json> =>
    desk.service.admin('PUT', `/channels/${payment_no}/debug-grants`, { merchants: [merchant_no], users });
  await grant([]);
  await set({ merchant_no });
  expect((await page()).html).not.toContain('>JPY<');
  await grant([desk.platform.buyer.user_id]);
  expect((await page()).html).not.toContain('>JPY<');
  await grant([buyer.user_id]);
  expect((await page()).html).toContain('>JPY<');
  const { location } = await send({ ...(await form('1000')), currency: 'JPY' });
  const order = orderIn(location);
  await pay(order);
  await eventually(balance, (ptk) => ptk > onePtk);
  const marks = (await transfersOn(desk.service, order.order_no)).map(({ test_mode }) => test_mode);
  expect(new Set(marks)).toEqual(new Set([true]));
});

test('D-356 a process that does not know top-ups cannot settle one', async () => {
  const { order_no } = await started();
  // As a process of the previous release writes it.
  const settle = `UPDATE collection_orders SET status = 'paid', status_version = 2, event_id = 'pe_${order_no}',
    provider_trade_no = 'pi_1', occurred_at = now(), occurred_at_text = '' WHERE order_no = '${order_no}'`;
  await expect(askDatabase(desk.service.database.url, settle)).rejects.toThrow('wallet_followed');
});

const of = (items: readonly Json[], { order_no }: Order): Json[] =>
  items.filter((item) => item.order_no === order_no);
