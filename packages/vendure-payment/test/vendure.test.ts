import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openShopBed, type ShopBed } from '../../server/test/support/browser/shop-bed.ts';
import { eventually } from '../../server/test/support/desks/service.ts';

/* A real Vendure with the packed plug-in, and a real Paydesk: `npm run test:shops -- vendure`. */

const home = process.env.PAYDESK_SHOP_HOME ?? '';
let bed: ShopBed;
let admin: Caller;

beforeAll(async () => {
  const html = await readFile(join(import.meta.dirname, 'shop', 'storefront.html'), 'utf8');
  bed = await openShopBed(html, /^\/(shop-api|admin-api|payments)\b/, '/payments/paydesk/books/paydesk');
  const { settings, payment_no } = bed;
  await bed.start(join(home, 'server.mjs'), home, {
    SHOP_SETTINGS: JSON.stringify({ ...settings, payment_no, expires_in: 1_800, accept_test_mode: false }),
    RETURN_URL: `${bed.origin}/thanks/{code}`,
  });
  admin = caller('/admin-api');
  await admin('mutation { login(username: "admin", password: "admin") { __typename } }');
});
afterAll(() => bed.stop());

type Caller = <T>(query: string, variables?: object) => Promise<T>;

/** Calls one of Vendure's APIs with a session of its own. */
function caller(path: string): Caller {
  let token: string | null = null;
  return async <T>(query: string, variables: object = {}) => {
    const answer = await fetch(bed.url + path, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'vendure-token': 'books',
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify({ query, variables }),
    });
    token = answer.headers.get('vendure-auth-token') ?? token;
    const { data, errors } = (await answer.json()) as {
      data: Record<string, T> | null;
      errors?: { message: string }[];
    };
    if (errors !== undefined) throw new Error(errors[0]?.message);
    return Object.values(data ?? {})[0] as T;
  };
}

interface Checkout {
  orderNo: string;
  checkoutUrl: string;
  status: string;
  amount: string;
}

/** A buyer with one book in the basket, at the checkout. */
async function buyer() {
  const ask = caller('/shop-api');
  const items = '{ products { items { variants { id } } } }';
  const { items: products } = await ask<{ items: { variants: { id: string }[] }[] }>(items);
  const id = products[0]?.variants[0]?.id;
  const add = () =>
    ask('mutation ($id: ID!) { addItemToOrder(productVariantId: $id, quantity: 1) { __typename } }', { id });
  await add();
  await ask(
    'mutation { setCustomerForOrder(input: { firstName: "Bo", lastName: "Buyer", emailAddress: "bo@people.test" }) { __typename } }',
  );
  await ask(
    'mutation { setOrderShippingAddress(input: { streetLine1: "Ring 1", city: "Wien", countryCode: "AT" }) { __typename } }',
  );
  const [method] = await ask<{ id: string }[]>('{ eligibleShippingMethods { id } }');
  await ask('mutation ($id: [ID!]!) { setOrderShippingMethod(shippingMethodId: $id) { __typename } }', {
    id: [method?.id],
  });
  const to = (state: string) =>
    ask<{ code: string }>(
      'mutation ($state: String!) { transitionOrderToState(state: $state) { ... on Order { code } } }',
      { state },
    );
  const { code } = await to('ArrangingPayment');
  const checkout = () =>
    ask<Checkout>(
      'mutation { createPaydeskCheckout(paymentMethodCode: "paydesk") { orderNo checkoutUrl status amount } }',
    );
  const check = () =>
    ask<boolean>(
      'mutation ($code: String!) { checkPaydeskPayment(orderCode: $code, paymentMethodCode: "paydesk") }',
      { code },
    );
  return { ask, add, to, code, checkout, check };
}

interface Found {
  id: string;
  state: string;
  payments: {
    id: string;
    amount: number;
    state: string;
    transactionId: string;
    refunds: { total: number; state: string }[];
  }[];
  history: { items: { type: string; data: { note?: string } }[] };
}

/** The order as the shop's people see it. */
async function found(code: string) {
  const { items } = await admin<{ items: Found[] }>(
    `query ($code: String!) { orders(options: { filter: { code: { eq: $code } } }) { items {
      id state payments { id amount state transactionId refunds { total state } }
      history { items { type data } } } } }`,
    { code },
  );
  const [order] = items;
  if (order === undefined) throw new Error(`no order ${code}`);
  const notes = order.history.items.flatMap(({ data }) => (data.note === undefined ? [] : [data.note]));
  const payments = order.payments.map(({ amount, state }) => ({ amount, state }));
  return { order, state: order.state, payments, notes };
}

const paying = (order: Checkout) => ({ order_no: order.orderNo, checkout_url: order.checkoutUrl });

async function pay(order: Checkout) {
  await bed.startCard(paying(order));
  await bed.payCard(paying(order));
  await bed.until(order.orderNo, 'paid');
}

test('D-367 a browser buys a book by redirect; deliveries that repeat, and the return, book one payment', async () => {
  const { page } = await bed.buyer();
  await page.getByRole('button', { name: 'Add to the basket' }).click();
  await page.getByText('in the basket').waitFor();
  await page.getByRole('button', { name: 'Pay', exact: true }).click();
  await page.locator('form.pay button').click();
  await page.getByTestId('hosted-payment-submit-button').click();
  const thanks = page.getByText(/^Order \w+ is paid\. Thank you!$/);
  await thanks.waitFor();
  const [, code = ''] = /Order (\w+) /.exec((await thanks.textContent()) ?? '') ?? [];
  const [order] = await bed.ordersOf(code);
  await bed.until(order?.order_no ?? '', 'paid');

  const told = bed.deliveries.filter(({ data }) => data.external_reference === code);
  expect(told.map(({ status }) => status)).toEqual([204, 204]);
  const again = await Promise.all([...told, ...told, ...told].map((one) => bed.repeat(one)));
  expect(new Set(again)).toEqual(new Set([204]));
  const { state, payments, notes } = await found(code);
  expect({ state, payments, notes }).toEqual({
    state: 'PaymentSettled',
    payments: [{ amount: 1_050, state: 'Settled' }],
    notes: [],
  });
  expect(order).toMatchObject({ amount: '10.50', currency: 'USD' });
});

test('D-367 the embedded checkout sells a book, too', async () => {
  const { page, context } = await bed.buyer();
  await page.getByRole('button', { name: 'Add to the basket' }).click();
  await page.getByText('in the basket').waitFor();
  await page.getByRole('button', { name: 'Pay here' }).click();
  const frame = page.frameLocator('iframe');
  const opened = context.waitForEvent('page');
  await frame.locator('form.pay button').click();
  await (await opened).getByTestId('hosted-payment-submit-button').click();
  await page.getByText(/^Order \w+ is paid/).waitFor();
});

test('D-367 parallel notifications and buyers who return book one payment', async () => {
  const { code, checkout, check } = await buyer();
  const order = await checkout();
  await bed.startCard(paying(order));
  const before = bed.deliveries.length;
  await bed.payCard(paying(order));
  await Promise.all([check(), check(), check(), bed.until(order.orderNo, 'paid')]);
  const paid = bed.deliveries.slice(before).filter(({ data }) => data.order_no === order.orderNo);
  await Promise.all([...paid, ...paid].map((one) => bed.repeat(one)));
  expect((await found(code)).payments).toEqual([{ amount: 1_050, state: 'Settled' }]);
});

test('D-365 who asks again gets the same collection order, and another after it expired', async () => {
  const { code, checkout } = await buyer();
  const [first, second] = await Promise.all([checkout(), checkout()]);
  expect(second.orderNo).toBe(first.orderNo);
  await bed.service.advance(1_801);
  await bed.until(first.orderNo, 'expired');
  expect((await found(code)).state).toBe('ArrangingPayment');
  const third = await checkout();
  expect(third.orderNo).not.toBe(first.orderNo);
  await pay(third);
  expect(await found(code)).toMatchObject({ state: 'PaymentSettled', payments: [{ amount: 1_050 }] });
});

test('D-367 a late payment is booked, and a second one is not: a note tells the shop', async () => {
  const { code, checkout } = await buyer();
  const order = await checkout();
  await bed.startCard(paying(order));
  await bed.payCard(paying(order), { webhook: 'none' });
  await bed.service.advance(1_801);
  await bed.until(order.orderNo, 'paid');
  expect(await found(code)).toMatchObject({ state: 'PaymentSettled', payments: [{ amount: 1_050 }] });

  const second = await bed.merchant.order({ external_reference: code, amount: '10.50' });
  await pay({ orderNo: second.order_no, checkoutUrl: second.checkout_url, status: '', amount: '' });
  const { payments, notes } = await found(code);
  expect(payments).toHaveLength(1);
  expect(notes).toEqual([
    expect.stringMatching(/^Paydesk received 10\.50 USD .*needs no further payment, so nothing was booked/),
  ]);
});

test('D-1412 an order that a payment through a test channel did not pay is paid by another', async () => {
  const { code, checkout, check } = await buyer();
  const trial = await bed.payTest(code, '10.50');
  await bed.until(trial.order_no, 'paid');
  expect(await check()).toBe(false);
  const { state, payments, notes } = await found(code);
  expect({ state, payments, notes }).toEqual({
    state: 'ArrangingPayment',
    payments: [],
    notes: [
      expect.stringMatching(/^Paydesk received 10\.50 USD .*through a test channel.*nothing was booked/),
    ],
  });
  const order = await checkout();
  expect(order).toMatchObject({ status: 'pending', amount: '10.50' });
  await pay(order);
  expect(await check()).toBe(true);
  expect(await found(code)).toMatchObject({ state: 'PaymentSettled', payments: [{ amount: 1_050 }] });
});

test('D-367 the price changed meanwhile: the old order does not pay the new cart', async () => {
  const { code, checkout, to, add } = await buyer();
  const old = await checkout();
  await to('AddingItems');
  await add();
  await to('ArrangingPayment');
  const fresh = await checkout();
  expect([old.amount, fresh.amount]).toEqual(['10.50', '21.00']);
  expect(fresh.orderNo).not.toBe(old.orderNo);
  await pay(old);
  const first = await found(code);
  expect(first).toMatchObject({ state: 'ArrangingPayment', payments: [] });
  expect(first.notes).toEqual([
    `Paydesk received 10.50 USD for this order (${old.orderNo}). The order needs 21.00 USD, so nothing was booked. Ask the operator of Paydesk to refund ${old.orderNo}.`,
  ]);
  await pay(fresh);
  expect(await found(code)).toMatchObject({ state: 'PaymentSettled', payments: [{ amount: 2_100 }] });
});

test('D-367 a buyer cannot book a payment, and a forged notification is refused', async () => {
  const { ask, code, checkout, check } = await buyer();
  const { orderNo } = await checkout();
  const add = `mutation ($metadata: JSON!) { addPaymentToOrder(input: { method: "paydesk", metadata: $metadata }) { __typename } }`;
  expect(await ask(add, { metadata: { order_no: orderNo, status: 'paid' } })).toEqual({
    __typename: 'PaymentDeclinedError',
  });
  expect(await check()).toBe(false);
  const one = bed.deliveries.at(-1);
  if (one === undefined) throw new Error('no delivery');
  const body = Buffer.from(one.body.toString().replace('"pending"', '"paid"'));
  expect(await bed.repeat({ ...one, body: Buffer.concat([body, Buffer.from(' ')]) })).toBe(400);
  expect((await found(code)).state).toBe('ArrangingPayment');
});

test('D-927 a test event of the console is taken, and an order that Paydesk does not know is asked for again', async () => {
  expect([await bed.tellOfNone(true), await bed.tellOfNone(false)]).toEqual([204, 500]);
});

test('D-368 the shop cannot refund, and says who can; the refund of the platform is booked once', async () => {
  const { code, checkout } = await buyer();
  const order = await checkout();
  await pay(order);
  const { payments } = (await found(code)).order;
  const refund = `mutation ($input: RefundOrderInput!) { refundOrder(input: $input) { __typename } }`;
  const input = { paymentId: payments[0]?.id, amount: 1_050, lines: [], shipping: 0, adjustment: 0 };
  await expect(admin(refund, { input })).rejects.toThrow(
    `ask there for a refund of ${order.orderNo}. The refund appears here by itself.`,
  );
  expect((await found(code)).order.payments[0]?.refunds).toEqual([]);

  await bed.service.admin('POST', `/collection-orders/${order.orderNo}/refunds`, { reason: 'torn pages' });
  await bed.until(order.orderNo, 'refunded');
  const told = bed.deliveries.filter(({ data }) => data.order_no === order.orderNo);
  await Promise.all([...told, ...told].map((one) => bed.repeat(one)));
  const refunded = await eventually(
    () => found(code),
    ({
      order: {
        payments: [payment],
      },
    }) => payment?.refunds.length === 1,
  );
  expect(refunded.order.payments).toMatchObject([{ refunds: [{ total: 1_050, state: 'Settled' }] }]);
});
