/** Top-ups by card: whose they are, and whose merchant they run through. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openShop } from '../../support/desks/losses.ts';
import { addUser, checkoutOf, onePtk, type Order } from '../../support/desks/platform.ts';
import { eventually, type Json } from '../../support/desks/service.ts';
import { openTopUpDesk, type TopUpDesk, type TopUpPerson } from '../../support/desks/top-ups.ts';
import { hidden, type Visitor, visitorOf, wordsOf } from '../../support/people/visitor.ts';

let desk: TopUpDesk;
let buyer: TopUpPerson;
let other: TopUpPerson;

beforeAll(async () => {
  desk = await openTopUpDesk();
  other = await desk.person('Otto Other');
});
afterAll(() => desk.stop());
beforeEach(async () => {
  await desk.set({ enabled: true, merchant_no: desk.shop.merchant_no });
  buyer = await desk.person();
});

const tokenOf = ({ checkout_url }: Order): string => new URL(checkout_url).searchParams.get('token') ?? '';
/** Every address that shows something of an order to who has its link. */
const addresses = (order: Order): string[] => [
  order.checkout_url,
  ...['receipt', 'receipt.pdf', 'qr.svg'].map((part) =>
    order.checkout_url.replace('?token', `/${part}?token`),
  ),
  `${order.checkout_url}&embed=1`,
];

test('D-360 a top-up, its receipt and its payment are only for its own person: the link alone opens nothing', async () => {
  const { order } = await buyer.paid();
  const unpaid = await buyer.started();
  const guest = visitorOf(desk.service);
  const statuses = async (visitor: Visitor, of: Order): Promise<number[]> => {
    const found = [];
    for (const address of addresses(of)) found.push((await visitor.get(address)).status);
    return found;
  };
  for (const of of [order, unpaid]) {
    expect(await statuses(other.browser, of)).toEqual([404, 404, 404, 404, 404]);
    for (const address of addresses(of)) {
      const { status, location } = await guest.get(address);
      expect([status, location]).toEqual([303, expect.stringContaining('/sign-in?return_to=')]);
      expect(wordsOf((await guest.follow({ status, location } as never)).html)).not.toContain('10.');
    }
  }
  expect(await statuses(buyer.browser, order)).toEqual([200, 200, 200, 200, 200]);
  // What a page's script asks.
  for (const [cookie, status] of [
    [other.cookie, 404],
    [undefined, 403],
  ] as const) {
    const checkout = checkoutOf(desk.service, unpaid, cookie);
    expect((await checkout.state()).status).toBe(status);
    expect((await checkout.start('pm_x')).status).toBe(status);
    const events = `/checkout/api/${unpaid.order_no}/events`;
    const headers = {
      'x-checkout-token': tokenOf(unpaid),
      ...(cookie === undefined ? {} : { cookie }),
    };
    expect((await desk.service.send('GET', events, { headers })).status).toBe(status);
  }
  // The forms of a page without a script.
  const page = await buyer.browser.get(unpaid.checkout_url);
  const method_id = /name="method_id" value="([^"]+)"/.exec(page.html)?.[1] ?? '';
  const fields = { token: hidden(page.html, 'token'), method_id };
  for (const path of ['pay', 'close', 'receipt/mail']) {
    const address = `${desk.service.url}/checkout/${unpaid.order_no}/${path}`;
    const form = { ...fields, email: 'spy@people.test' };
    expect([path, (await other.browser.post(address, form)).status]).toEqual([path, 404]);
    const asked = await guest.post(address, form);
    expect([path, asked.status, asked.location]).toEqual([path, 303, expect.stringContaining('/sign-in?')]);
  }
  expect(await other.balance()).toBe(onePtk);
});

test('D-360 who signs in on another device comes back to the own top-up, also from the provider', async () => {
  const order = await buyer.started();
  const phone = visitorOf(desk.service);
  const asked = await phone.get(order.checkout_url);
  await phone.signIn(buyer);
  const back = new URL(asked.location).searchParams.get('return_to') ?? '';
  expect(wordsOf((await phone.get(back)).html)).toContain('USD 10.00');
  const landed = await phone.get(`${desk.service.url}/checkout/return/${order.order_no}`);
  expect((await phone.follow(landed)).status).toBe(200);
});

test('D-360 other people find neither the order nor its payment in their account', async () => {
  const { order } = await buyer.paid();
  for (const path of ['/account', '/account/payments', '/account/wallet']) {
    const { html } = await other.browser.get(`${desk.service.url}${path}`);
    expect(html).not.toContain(order.order_no);
  }
  expect((await buyer.browser.get(`${desk.service.url}/account/payments`)).html).toContain(order.order_no);
});

test('D-359 a merchant that is no longer the platform’s, or holds, or is inactive sells no PTK; what is started is paid', async () => {
  const shop = await openShop(desk, { hold_days: 0, role: 'finance' });
  expect((await desk.set({ merchant_no: shop.merchant_no })).status).toBe(200);
  const path = `/merchants/${shop.merchant_no}`;
  const { owner_user_id } = await desk.service.admin<{ owner_user_id: string }>('GET', path);
  const stranger = await addUser(desk.service, 'Sam Seller');
  const changes: [Json, Json][] = [
    [{ owner_user_id: stranger.user_id }, { owner_user_id }],
    [{ hold_days: 2 }, { hold_days: 0 }],
    [
      { status: 'inactive', reason: 'for the test' },
      { status: 'active', reason: 'for the test' },
    ],
  ];
  for (const [change, back] of changes) {
    const order = await buyer.started('1.00');
    const fields = await buyer.form('1.00');
    await desk.service.admin('PATCH', path, change);
    expect([change, (await buyer.send(fields)).status]).toEqual([change, 422]);
    expect(wordsOf((await buyer.page()).html)).toContain('not available at the moment');
    // The other settings can still be changed, and top-ups switched off.
    const headers = { authorization: 'Bearer test-administration-key' };
    const terms = { headers, body: { terms_url: null } };
    expect((await desk.service.send('PUT', '/admin/v1/settings', terms)).status).toBe(200);
    expect((await desk.set({ max_per_day: null })).body.field).toBe('top_up.merchant_no');
    await desk.service.admin('PATCH', path, back);
    const before = await buyer.balance();
    await buyer.pay(order);
    await eventually(buyer.balance, (ptk) => ptk === before + 10n * onePtk);
  }
});

test('D-356 a suspended person starts nothing, and what was being paid is in the wallet', async () => {
  const order = await buyer.started();
  const fields = await buyer.form('10.00');
  const checkout = checkoutOf(desk.service, order, buyer.cookie);
  await checkout.start(await checkout.methodOf('cardprov'));
  await desk.service.admin('PATCH', `/users/${buyer.user_id}`, { disabled: true, reason: 'for the test' });
  expect((await buyer.send(fields)).location).toContain('/sign-in?');
  expect((await checkout.state()).status).toBe(403);
  const { items } = await desk.sim<{ items: { id: string; metadata: Json }[] }>('GET', '/sessions');
  const id = items.find(({ metadata }) => metadata.order_no === order.order_no)?.id ?? '';
  await desk.sim('POST', `/sessions/${id}/pay`, {});
  await eventually(buyer.balance, (ptk) => ptk === 101n * onePtk);
});

test('D-356 without a channel no top-up starts; a payment that was started on it is still booked', async () => {
  const order = await buyer.started();
  const fields = await buyer.form('10.00');
  const checkout = checkoutOf(desk.service, order, buyer.cookie);
  await checkout.start(await checkout.methodOf('cardprov'));
  const channel = `/channels/${desk.card.payment_no}`;
  await desk.service.admin('PATCH', channel, { enabled: false });
  expect((await buyer.send(fields)).status).toBe(422);
  expect(wordsOf((await buyer.page()).html)).toContain('not available at the moment');
  const { items } = await desk.sim<{ items: { id: string; metadata: Json }[] }>('GET', '/sessions');
  const id = items.find(({ metadata }) => metadata.order_no === order.order_no)?.id ?? '';
  await desk.sim('POST', `/sessions/${id}/pay`, {});
  await eventually(buyer.balance, (ptk) => ptk === 101n * onePtk);
  await desk.service.admin('PATCH', channel, { enabled: true });
});
