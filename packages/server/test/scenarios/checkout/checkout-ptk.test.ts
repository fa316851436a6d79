import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { consoleOf } from '../../support/people/console.ts';
import {
  addMerchant,
  addPayer,
  addUser,
  busyMerchant,
  checkoutOf,
  fromAnywhere,
  type Merchant,
  onePtk,
  type Order,
  type Person,
  type Platform,
  setUpPlatform,
  signIn,
  topUp,
} from '../../support/desks/platform.ts';
import { type Json, request, startTestService, type TestService } from '../../support/desks/service.ts';

let service: TestService;
let platform: Platform;
let merchant: Merchant;
let buyer: string;

beforeAll(async () => {
  // Checkout limits are per address; each call comes from one of its own, through a trusted proxy.
  service = await startTestService({ env: { PAYDESK_TRUSTED_PROXIES: '127.0.0.1/32' } });
  platform = await setUpPlatform(service);
  merchant = await busyMerchant(service, platform.merchant_no, 6);
  buyer = await signIn(service, platform.buyer);
});

afterAll(() => service.stop());

const walletOf = async ({ user_id }: Person): Promise<bigint> =>
  BigInt((await service.admin<{ available_ptk: string }>('GET', `/users/${user_id}/wallet`)).available_ptk);

const merchantWallet = (merchant_no: string): Promise<Record<string, string>> =>
  service.admin('GET', `/merchants/${merchant_no}/wallet`);

/** A merchant of its own, so that a test can count its money. */
async function newMerchant(
  settings: Json = {},
): Promise<{ merchant: Merchant; merchant_no: string; owner: Person }> {
  const owner = await addUser(service, 'Nia New');
  const { merchant_no } = await addMerchant(service, owner, settings);
  return { merchant: await busyMerchant(service, merchant_no, 1), merchant_no, owner };
}

/** Starts the PTK payment of an order as the signed-in person. */
async function payWithPtk(order: Order, cookie?: string) {
  const checkout = checkoutOf(service, order, cookie);
  return checkout.start(await checkout.methodOf('ptk'));
}

describe('the content of the checkout', () => {
  test('R-208, R-209, R-210 the order, the countdown, and the price of each method', async () => {
    const order = await merchant.order({ description: 'A book', expires_in: 600 });
    const { status, body } = await checkoutOf(service, order, buyer).state();
    expect(status).toBe(200);
    expect(body).toMatchObject({
      order_no: order.order_no,
      merchant: { name: 'Bookshop' },
      description: 'A book',
      external_reference: 'order-1',
      amount: '10.00',
      currency: 'USD',
      currency_decimals: 2,
      status: 'pending',
      test_mode: false,
      attempt: null,
      buyer: { name: 'Bo Buyer', ptk_available: '1000.00000000' },
    });
    expect(body.seconds_left).toBeGreaterThan(590);
    expect(body.methods).toHaveLength(1);
    expect(body.methods[0]).toMatchObject({
      name: 'PTK wallet',
      provider: 'ptk',
      login_required: true,
      test_mode: false,
      usable: true,
      payment_currency: 'PTK',
      payment_subtotal: '100.00000000',
      buyer_fee: '0.00000000',
      payment_amount: '100.00000000',
    });
  });

  test('R-209, R-384 a guest sees no balance, and buyers do not see merchant fees or settlement', async () => {
    const order = await merchant.order();
    const { body, text } = await checkoutOf(service, order).state();
    expect(body.buyer).toBeNull();
    expect(text).not.toMatch(/merchant_fee|settlement|user_id|idempotency/);
  });

  test('R-198 looking and previewing changes nothing about the order', async () => {
    const order = await merchant.order();
    const before = (await merchant.read(order.order_no)).text;
    await checkoutOf(service, order, buyer).state();
    const page = await fetch(`${order.checkout_url}&method=x`);
    expect(page.status).toBe(200);
    expect((await merchant.read(order.order_no)).text).toBe(before);
  });

  test('R-224 a wrong, a missing and a foreign token answer like an unknown order', async () => {
    const order = await merchant.order();
    const other = await merchant.order();
    const ask = (order_no: string, token: string) =>
      service.send('GET', `/checkout/api/${order_no}`, { headers: { 'x-checkout-token': token } });
    const token = new URL(order.checkout_url).searchParams.get('token') ?? '';
    const unknown = await ask('mp_01HZZZZZZZZZZZZZZZZZZZZZZZ', token);
    expect(unknown).toMatchObject({ status: 404, body: { error: 'payment_not_found' } });
    for (const wrong of ['', 'x', `${token.slice(0, -1)}!`, token.slice(0, 63), 'A'.repeat(64)]) {
      const answer = await ask(order.order_no, wrong);
      expect([answer.status, answer.text]).toEqual([404, unknown.text]);
    }
    expect((await ask(other.order_no, token)).status).toBe(404);
    expect((await ask(order.order_no, token)).status).toBe(200);
  });

  test('R-381, R-382, H-17 the page encodes all values and sends its headers', async () => {
    const evil = '<script>alert(1)</script>';
    const order = await merchant.order({ description: evil, external_reference: evil });
    const page = await fetch(order.checkout_url);
    const html = await page.text();
    expect(html).not.toContain(evil);
    expect(html).toContain('&lt;script');
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect(page.headers.get('cache-control')).toBe('no-store');
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
  });
});

describe('paying with PTK', () => {
  test('R-199, R-182, R-142, R-148, T4, table 3.2 PTK: debit, settlement, status and books come together', async () => {
    const { merchant: shop, merchant_no } = await newMerchant({ hold_days: 3 });
    await service.admin('PATCH', `/channels/${platform.ptk_channel}`, {
      fees: [
        {
          currency: 'PTK',
          buyer: { fixed_minor: 0, percent_ppm: 10_000 },
          merchant: { fixed_minor: 0, percent_ppm: 20_000 },
        },
      ],
    });
    const order = await shop.order({ amount: '9.99' });
    await service.admin('PATCH', `/channels/${platform.ptk_channel}`, {
      fees: [
        {
          currency: 'PTK',
          buyer: { fixed_minor: 0, percent_ppm: 0 },
          merchant: { fixed_minor: 0, percent_ppm: 0 },
        },
      ],
    });
    const before = await walletOf(platform.buyer);
    expect(await payWithPtk(order, buyer)).toMatchObject({ status: 200, body: { status: 'paid' } });
    // 99.9 PTK, 1 % on top for the buyer; the merchant gives up 2 % of 100.899 PTK.
    expect(before - (await walletOf(platform.buyer))).toBe(10_089_900_000n);
    const paid = (await shop.read(order.order_no)).body;
    expect(paid).toMatchObject({
      status: 'paid',
      status_version: 2,
      payment_no: platform.ptk_channel,
      provider_trade_no: `PTK:${order.order_no}`,
      fee_status: 'quoted',
      payment_amount: '100.89900000',
      payment_currency: 'PTK',
      buyer_fee: '0.99900000',
      merchant_fee: '2.01798000',
      merchant_fee_ptk: '201798000',
      gross_settlement_ptk: '9990000000',
      settlement_ptk: '9788202000',
    });
    expect(paid.event_id).toMatch(/^pe_/);
    expect(await merchantWallet(merchant_no)).toMatchObject({ available_ptk: '0', held_ptk: '9788202000' });
  });

  test('R-130 without a hold the net amount is available immediately', async () => {
    const { merchant: shop, merchant_no } = await newMerchant({ hold_days: 0 });
    await payWithPtk(await shop.order(), buyer);
    expect(await merchantWallet(merchant_no)).toMatchObject({ available_ptk: '10000000000', held_ptk: '0' });
  });

  test('R-201, R-216 twelve concurrent clicks debit once', async () => {
    const order = await merchant.order();
    const checkout = checkoutOf(service, order, buyer);
    const method = await checkout.methodOf('ptk');
    const before = await walletOf(platform.buyer);
    const answers = await Promise.all(Array.from({ length: 12 }, () => checkout.start(method)));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array.from({ length: 11 }, () => 409)]);
    expect(before - (await walletOf(platform.buyer))).toBe(100n * onePtk);
  });

  test('R-146 twenty orders on a wallet that covers three: three are paid', async () => {
    const poor = await addPayer(service, 'Petra Poor', 350n * onePtk);
    const { merchant: shop } = await newMerchant();
    const orders = [];
    for (let i = 0; i < 20; i++) orders.push(await shop.order());
    const answers = await Promise.all(orders.map((order) => payWithPtk(order, poor.cookie)));
    const codes = answers.map(({ status, body }) => (status === 200 ? 'paid' : body.error));
    expect(codes.filter((code) => code === 'paid')).toHaveLength(3);
    expect(codes.filter((code) => code === 'insufficient_balance')).toHaveLength(17);
    expect(await walletOf(poor)).toBe(50n * onePtk);
  });

  test('R-212 a guest is asked to sign in', async () => {
    expect(await payWithPtk(await merchant.order())).toMatchObject({
      status: 403,
      body: { error: 'login_required' },
    });
  });

  test('R-214 owners cannot pay their own orders from their own balance', async () => {
    await topUp(service, platform.owner, 500n * onePtk);
    const owner = await signIn(service, platform.owner);
    expect(await payWithPtk(await merchant.order(), owner)).toMatchObject({
      status: 403,
      body: { error: 'self_payment_not_allowed' },
    });
    expect(await walletOf(platform.owner)).toBe(500n * onePtk);
  });

  test('D-085 people with the console role owner are owners too, while they have it; other members are not', async () => {
    const desk = await consoleOf(service, platform.owner, platform.merchant_no);
    const partner = await addUser(service, 'Paula Partner');
    await topUp(service, partner, 500n * onePtk);
    const { user_id, email } = partner;
    await desk.send('POST', '/people', { email, role: 'owner' });
    const cookie = await signIn(service, partner);
    const order = await merchant.order();
    expect(await payWithPtk(order, cookie)).toMatchObject({
      status: 403,
      body: { error: 'self_payment_not_allowed' },
    });
    const { methods } = (await checkoutOf(service, order, cookie).state()).body;
    expect(methods.find(({ provider }) => provider === 'ptk')).toMatchObject({
      usable: false,
      unusable_reason: 'self_payment_not_allowed',
    });
    expect(await walletOf(partner)).toBe(500n * onePtk);
    await desk.send('PATCH', `/people/${user_id}`, { role: 'finance' });
    expect((await payWithPtk(order, cookie)).status).toBe(200);
    expect(await walletOf(partner)).toBe(400n * onePtk);
  });

  test('R-215 too little is refused without lock or debit, exactly enough succeeds', async () => {
    const exact = await addPayer(service, 'Eve Exact', 100n * onePtk - 1n);
    const { cookie } = exact;
    const order = await merchant.order();
    expect(await payWithPtk(order, cookie)).toMatchObject({
      status: 422,
      body: { error: 'insufficient_balance' },
    });
    expect((await checkoutOf(service, order, cookie).state()).body.attempt).toBeNull();
    await topUp(service, exact, 1n);
    expect((await payWithPtk(order, cookie)).status).toBe(200);
    expect(await walletOf(exact)).toBe(0n);
  });

  test('R-197, R-196 at the deadline a start is 410, though no sweep has run', async () => {
    const order = await merchant.order({ expires_in: 60 });
    const checkout = checkoutOf(service, order, buyer);
    const method = await checkout.methodOf('ptk');
    await service.advance(60);
    expect(await checkout.start(method)).toMatchObject({ status: 410, body: { error: 'payment_expired' } });
    expect((await merchant.read(order.order_no)).body.status).toBe('expired');
  });

  test("R-211 the channel's identifier, another order's method and nonsense grant nothing", async () => {
    const order = await merchant.order();
    const other = checkoutOf(service, await merchant.order(), buyer);
    const checkout = checkoutOf(service, order, buyer);
    for (const method of [platform.ptk_channel, await other.methodOf('ptk'), 'pm_x', '']) {
      expect(await checkout.start(method)).toMatchObject({
        status: 422,
        body: { error: 'channel_unavailable' },
      });
    }
    expect((await merchant.read(order.order_no)).body.status).toBe('pending');
  });

  test('R-059 a start without a method is 400', async () => {
    const order = await merchant.order();
    const token = new URL(order.checkout_url).searchParams.get('token') ?? '';
    const answer = await service.send('POST', `/checkout/api/${order.order_no}/payments`, {
      headers: { ...fromAnywhere(), 'x-checkout-token': token, origin: service.url },
      body: {},
    });
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request', field: 'method_id' } });
  });

  test('H-19 a start that another site caused is refused', async () => {
    const order = await merchant.order();
    const method = await checkoutOf(service, order, buyer).methodOf('ptk');
    const token = new URL(order.checkout_url).searchParams.get('token') ?? '';
    const answer = await service.send('POST', `/checkout/api/${order.order_no}/payments`, {
      headers: {
        ...fromAnywhere(),
        'x-checkout-token': token,
        origin: 'https://evil.example',
        cookie: buyer,
      },
      body: { method_id: method },
    });
    expect(answer).toMatchObject({ status: 403, body: { error: 'cross_site_request' } });
    expect((await merchant.read(order.order_no)).body.status).toBe('pending');
  });

  test('R-067 a channel disabled after creation is refused at the start', async () => {
    const order = await merchant.order();
    const checkout = checkoutOf(service, order, buyer);
    const method = await checkout.methodOf('ptk');
    await service.admin('PATCH', `/channels/${platform.ptk_channel}`, { enabled: false });
    const answer = await checkout.start(method);
    await service.admin('PATCH', `/channels/${platform.ptk_channel}`, { enabled: true });
    expect(answer).toMatchObject({ status: 422, body: { error: 'channel_unavailable' } });
  });

  test('R-313 orders of a merchant that was deactivated later cannot be paid', async () => {
    const { merchant: shop, merchant_no } = await newMerchant();
    const order = await shop.order();
    await service.admin('PATCH', `/merchants/${merchant_no}`, { status: 'inactive', reason: 'closed' });
    expect(await payWithPtk(order, buyer)).toMatchObject({
      status: 403,
      body: { error: 'merchant_inactive' },
    });
  });
});

describe('forms, without a script', () => {
  const formOf = (order: Order, method_id: string, headers: Record<string, string>) =>
    request(`${service.url}/checkout/${order.order_no}/pay`, 'POST', {
      raw: new URLSearchParams({
        token: new URL(order.checkout_url).searchParams.get('token') ?? '',
        method_id,
      }).toString(),
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'sec-fetch-site': 'same-origin',
        origin: 'null',
        ...fromAnywhere(),
        ...headers,
      },
    });

  test('R-199 paying by form leads back to the page, which shows it', async () => {
    const order = await merchant.order();
    const method = await checkoutOf(service, order).methodOf('ptk');
    const answer = await formOf(order, method, { cookie: buyer });
    expect(answer.status).toBe(303);
    expect((await merchant.read(order.order_no)).body.status).toBe('paid');
    const page = await fetch(`${service.url}${answer.headers.get('location') ?? ''}`);
    expect(page.status).toBe(200);
  });

  test('R-212 D-1216 a guest is led to the sign-in page and back, with the method that was chosen', async () => {
    const order = await merchant.order();
    const method = await checkoutOf(service, order).methodOf('ptk');
    const answer = await formOf(order, method, {});
    expect(answer.status).toBe(303);
    const location = answer.headers.get('location') ?? '';
    expect(location).toMatch(/^\/sign-in\?return_to=%2Fcheckout%2F/);
    const back = new URL(new URL(location, service.url).searchParams.get('return_to') ?? '', service.url);
    expect(back.searchParams.get('method')).toBe(method);
  });

  test('H-19 a form of another site is refused, without effect', async () => {
    const order = await merchant.order();
    const method = await checkoutOf(service, order).methodOf('ptk');
    const answer = await formOf(order, method, { cookie: buyer, 'sec-fetch-site': 'cross-site' });
    expect(answer.status).toBe(403);
    expect((await merchant.read(order.order_no)).body.status).toBe('pending');
  });

  test('H-20 no GET starts a payment', async () => {
    const order = await merchant.order();
    const method = await checkoutOf(service, order).methodOf('ptk');
    const query = `?token=${new URL(order.checkout_url).searchParams.get('token') ?? ''}&method_id=${method}`;
    const headers = { cookie: buyer };
    for (const path of [
      `/checkout/${order.order_no}/pay${query}`,
      `/checkout/api/${order.order_no}/payments${query}`,
    ]) {
      expect((await service.send('GET', path, { headers })).status).toBe(405);
    }
    expect((await merchant.read(order.order_no)).body.status).toBe('pending');
  });
});
