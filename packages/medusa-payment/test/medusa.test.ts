import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askDatabase } from '../../server/test/support/servers/database.ts';
import { eventually } from '../../server/test/support/desks/service.ts';
import { openShopBed, type ShopBed } from '../../server/test/support/browser/shop-bed.ts';

/* A real Medusa with the packed plug-in, and a real Paydesk: `npm run test:shops -- medusa`. */

const home = process.env.PAYDESK_SHOP_HOME ?? '';
const provider_id = 'pp_paydesk_paydesk';
let bed: ShopBed;
let start: () => Promise<void>;
let seeded: { publishable: string; secret: string; region: string };

beforeAll(async () => {
  const html = await readFile(join(import.meta.dirname, 'shop', 'storefront.html'), 'utf8');
  bed = await openShopBed(html, /^\/(store|admin|hooks)\b/, '/hooks/paydesk/paydesk');
  const { settings, payment_no, origin } = bed;
  const return_url = `${origin}/thanks/{reference}`;
  start = () =>
    bed.start(join(home, 'server.mjs'), home, {
      PAYDESK_URL: settings.base_url,
      PAYDESK_CLIENT_ID: settings.client_id,
      PAYDESK_CLIENT_SECRET: settings.client_secret,
      NOTIFY_SECRETS: settings.notify_secret,
      SHOP_SETTINGS: JSON.stringify({ payment_no, return_url, expires_in: 1_800 }),
    });
  await start();
  seeded = JSON.parse(await readFile(join(bed.folder, 'seeded.json'), 'utf8')) as typeof seeded;
}, 1_200_000);
afterAll(() => bed.stop());

async function ask<T>(path: string, body?: object): Promise<T> {
  const answer = await fetch(bed.url + path, {
    headers: {
      'content-type': 'application/json',
      'x-publishable-api-key': seeded.publishable,
      ...(path.startsWith('/admin')
        ? { authorization: `Basic ${Buffer.from(`${seeded.secret}:`).toString('base64')}` }
        : {}),
    },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
  return JSON.parse(text) as T;
}

interface Session {
  order_no: string;
  checkout_url: string;
  amount: string;
}

/** A buyer with one book in the basket. */
async function buyer() {
  const { products } = await ask<{ products: { variants: { id: string }[] }[] }>('/store/products');
  const variant_id = products[0]?.variants[0]?.id;
  const { cart } = await ask<{ cart: { id: string } }>('/store/carts', {
    region_id: seeded.region,
    email: 'bo@people.test',
  });
  const add = () => ask(`/store/carts/${cart.id}/line-items`, { variant_id, quantity: 1 });
  await add();
  const { payment_collection } = await ask<{ payment_collection: { id: string } }>(
    '/store/payment-collections',
    { cart_id: cart.id },
  );
  const checkout = async () => {
    const path = `/store/payment-collections/${payment_collection.id}/payment-sessions`;
    const answer = await ask<{ payment_collection: { payment_sessions: { data: Session }[] } }>(path, {
      provider_id,
    });
    const [session] = answer.payment_collection.payment_sessions;
    if (session === undefined) throw new Error('no session');
    return session.data;
  };
  const complete = () =>
    ask<{ type: string; order?: { id: string } }>(`/store/carts/${cart.id}/complete`, {});
  return { add, checkout, complete, collection: payment_collection.id, cart: cart.id };
}

/** What the shop has of a payment collection: its payments, its orders, and what its people are told. */
async function found(collection: string) {
  const { url } = bed.database;
  const payments = await askDatabase<{ id: string; amount: string; captured: string; refunded: string }>(
    url,
    `SELECT p.id, p.amount::text,
       (SELECT coalesce(sum(amount), 0)::text FROM capture WHERE payment_id = p.id AND deleted_at IS NULL) captured,
       (SELECT coalesce(sum(amount), 0)::text FROM refund WHERE payment_id = p.id AND deleted_at IS NULL) refunded
     FROM payment p WHERE payment_collection_id = $1 AND deleted_at IS NULL`,
    [collection],
  );
  const orders = await askDatabase<{ order_id: string; paid: string }>(
    url,
    `SELECT l.order_id, (SELECT sum(amount)::text FROM order_transaction t
        WHERE t.order_id = l.order_id AND t.reference = 'capture' AND deleted_at IS NULL) paid
     FROM order_payment_collection l WHERE payment_collection_id = $1 AND deleted_at IS NULL`,
    [collection],
  );
  const told = await askDatabase<{ text: string }>(
    url,
    `SELECT data->>'description' AS text FROM notification WHERE data->>'description' LIKE '%' || $1 || '%'`,
    [collection],
  );
  return {
    payments: payments.map(({ captured, refunded }) => ({ captured, refunded })),
    payment_id: payments[0]?.id ?? '',
    orders: orders.map(({ paid }) => paid),
    told: told.map(({ text }) => text),
  };
}

const once = { payments: [{ captured: '10.5', refunded: '0' }], orders: ['10.5'], told: [] };

async function pay(session: Session) {
  await bed.startCard(session);
  await bed.payCard(session);
  await bed.until(session.order_no, 'paid');
}

const deliveriesOf = ({ order_no }: { order_no: string }) =>
  bed.deliveries.filter(({ data }) => data.order_no === order_no);

test('D-367 a browser buys a book by redirect; deliveries that repeat, and the return, book one payment', async () => {
  const { page } = await bed.buyer();
  await page.getByRole('button', { name: 'Add to the basket' }).click();
  await page.getByText('in the basket').waitFor();
  await page.getByRole('button', { name: 'Pay', exact: true }).click();
  await page.locator('form.pay button').click();
  await page.getByTestId('hosted-payment-submit-button').click();
  await page.getByText(/^Order order_\w+ is paid\. Thank you!$/).waitFor();
  const collection = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  const [order] = await bed.ordersOf(collection);
  await bed.until(order?.order_no ?? '', 'paid');
  const told = deliveriesOf({ order_no: order?.order_no ?? '' });
  const again = await Promise.all([...told, ...told, ...told].map((one) => bed.repeat(one)));
  expect(new Set(again)).toEqual(new Set([204]));
  expect(await found(collection)).toMatchObject(once);
  expect(order).toMatchObject({ amount: '10.50', currency: 'USD' });
});

test('D-367 the embedded checkout sells a book, too', async () => {
  const { page, context } = await bed.buyer();
  await page.getByRole('button', { name: 'Add to the basket' }).click();
  await page.getByText('in the basket').waitFor();
  await page.getByRole('button', { name: 'Pay here' }).click();
  const opened = context.waitForEvent('page');
  await page.frameLocator('iframe').locator('form.pay button').click();
  await (await opened).getByTestId('hosted-payment-submit-button').click();
  await page.getByText(/^Order order_\w+ is paid/).waitFor();
});

test('D-367 a buyer who never comes back has an order, and who comes back meanwhile has the same', async () => {
  const { collection, checkout, complete } = await buyer();
  const session = await checkout();
  await bed.startCard(session);
  await bed.payCard(session);
  await Promise.all([bed.until(session.order_no, 'paid'), complete().catch(() => null)]);
  expect(await complete()).toMatchObject({ type: 'order' });
  await Promise.all(deliveriesOf(session).map((one) => bed.repeat(one)));
  expect(await found(collection)).toMatchObject(once);
});

test('D-367 an unpaid cart is not completed, and a forged notification is refused', async () => {
  const { collection, checkout, complete } = await buyer();
  const session = await checkout();
  await expect(complete()).rejects.toThrow('was not authorized with the provider');
  const [one] = bed.deliveries;
  if (one === undefined) throw new Error('no delivery');
  expect(await bed.repeat({ ...one, body: Buffer.concat([one.body, Buffer.from(' ')]) })).toBe(400);
  expect(await found(collection)).toMatchObject({ payments: [], orders: [] });
  await pay(session);
  expect(await found(collection)).toMatchObject(once);
});

test('D-365 who asks again gets the same collection order, and another after it expired', async () => {
  const { collection, checkout } = await buyer();
  const first = await checkout();
  expect((await checkout()).order_no).toBe(first.order_no);
  await bed.service.advance(1_801);
  await bed.until(first.order_no, 'expired');
  const third = await checkout();
  expect(third.order_no).not.toBe(first.order_no);
  await pay(third);
  expect(await found(collection)).toMatchObject(once);
});

test('D-367 a late payment is booked, and a second one is not: the shop is told', async () => {
  const { collection, checkout } = await buyer();
  const session = await checkout();
  await bed.startCard(session);
  await bed.payCard(session, { webhook: 'none' });
  await bed.service.advance(1_801);
  await bed.until(session.order_no, 'paid');
  expect(await found(collection)).toMatchObject(once);

  const second = await bed.merchant.order({ external_reference: collection, amount: '10.50' });
  await pay({ ...second, amount: '10.50' });
  await Promise.all(deliveriesOf(second).map((one) => bed.repeat(one)));
  const { payments, told } = await found(collection);
  expect(payments).toHaveLength(1);
  expect(told).toEqual([expect.stringContaining('nothing was booked. The cart is paid already.')]);
});

test('D-1412 a cart that a payment through a test channel did not pay is paid by another', async () => {
  const { collection, checkout, complete } = await buyer();
  const trial = await bed.payTest(collection, '10.50');
  await bed.until(trial.order_no, 'paid');
  const session = await checkout();
  expect(session.order_no).not.toBe(trial.order_no);
  await expect(complete()).rejects.toThrow('was not authorized with the provider');
  const told = [expect.stringContaining('It came through a test channel, which this shop does not accept')];
  expect(await found(collection)).toMatchObject({ payments: [], orders: [], told });
  await pay(session);
  expect(await complete()).toMatchObject({ type: 'order' });
  expect(await found(collection)).toMatchObject({ ...once, told });
});

test('D-367 the price changed meanwhile: the old order does not pay the new cart', async () => {
  const { collection, checkout, add } = await buyer();
  const old = await checkout();
  await add();
  const fresh = await checkout();
  expect([old.amount, fresh.amount]).toEqual(['10.50', '21.00']);
  await pay(old);
  expect(await found(collection)).toMatchObject({
    payments: [],
    orders: [],
    told: [expect.stringContaining('nothing was booked. The cart needs 21 USD.')],
  });
  await pay(fresh);
  expect(await found(collection)).toMatchObject({
    payments: [{ captured: '21', refunded: '0' }],
    orders: ['21'],
  });
});

test('D-927 a test event of the console is taken, and an order that Paydesk does not know is asked for again', async () => {
  expect([await bed.tellOfNone(true), await bed.tellOfNone(false)]).toEqual([204, 500]);
});

test('D-368 the shop cannot refund, and says who can; the refund of the platform is booked once', async () => {
  const { collection, checkout } = await buyer();
  const session = await checkout();
  await pay(session);
  const { payment_id } = await found(collection);
  await expect(ask(`/admin/payments/${payment_id}/refund`, { amount: 10.5 })).rejects.toThrow(
    `ask there for a refund of ${session.order_no}. The refund appears here by itself.`,
  );
  expect(await found(collection)).toMatchObject(once);

  await bed.service.admin('POST', `/collection-orders/${session.order_no}/refunds`, { reason: 'torn pages' });
  await bed.until(session.order_no, 'refunded');
  const told = deliveriesOf(session);
  await Promise.all([...told, ...told].map((one) => bed.repeat(one)));
  expect(await found(collection)).toMatchObject({ payments: [{ captured: '10.5', refunded: '10.5' }] });
});

/** The next completion of a cart fails there, at once or after the file `go-on` is there, or its process ends. */
const interrupt = (where: 'before-payment' | 'after-payment', how: 'throw' | 'wait' | 'die') =>
  writeFile(join(bed.folder, 'interrupt'), `${where} ${how}`);

/** Pays, and waits until the shop has refused the notification of it. */
async function payInterrupted(session: Session): Promise<void> {
  await bed.startCard(session);
  // Later it would find the order paid, and be the one that is refused.
  await bed.until(session.order_no, 'pending');
  await bed.payCard(session);
  const refused = () => Promise.resolve(deliveriesOf(session).some(({ status }) => status === 500));
  await eventually(refused, (isRefused) => isRefused);
}

test('D-372 a completion that fails after the payment is told, and the next notification books no second payment', async () => {
  const { collection, checkout } = await buyer();
  const session = await checkout();
  await interrupt('after-payment', 'throw');
  await payInterrupted(session);
  const failed = await found(collection);
  expect(failed.orders).toEqual([]);
  expect(failed.told).toContainEqual(expect.stringContaining('could not be completed: the shop is tired'));
  await bed.service.advance(60);
  await bed.until(session.order_no, 'paid');
  const after = await found(collection);
  expect(after).toMatchObject({ payments: once.payments, orders: [] });
  expect(after.told).toContainEqual(expect.stringContaining('has not become an order'));
});

test.each([
  ['the same session', false],
  ['another session', true],
])(
  'D-339 a buyer who completes again with %s, after a completion failed, leaves one payment',
  async (_session, isOther) => {
    const { collection, checkout, complete } = await buyer();
    const session = await checkout();
    await interrupt('after-payment', 'throw');
    await payInterrupted(session);
    if (isOther) await checkout();
    await expect(complete()).rejects.toThrow('is paid and booked as');
    expect(await found(collection)).toMatchObject({ payments: once.payments, orders: [] });
  },
);

test('D-1293 a notification that comes while a buyer completes the cart tells where that fails after the payment', async () => {
  const { collection, checkout, complete } = await buyer();
  const session = await checkout();
  await interrupt('before-payment', 'throw');
  await payInterrupted(session);
  await interrupt('after-payment', 'wait');
  const completed = complete().catch((error: unknown) => String(error));
  await eventually(
    () => found(collection),
    ({ payments }) => payments.length === 1,
  );
  const [paid] = deliveriesOf(session).filter(({ data }) => data.status === 'paid');
  if (paid === undefined) throw new Error('no delivery');
  const answered = bed.repeat(paid);
  // It must not answer before the completion has ended; one that does has had its time.
  await Promise.race([answered, pause(2_000)]);
  await writeFile(join(bed.folder, 'go-on'), '');
  // Medusa hides the failure's reason from a buyer.
  expect([await answered, await completed]).toEqual([204, expect.stringContaining('500')]);
  const { payments, orders, told } = await found(collection);
  expect({ payments, orders }).toEqual({ payments: once.payments, orders: [] });
  expect(told).toContainEqual(expect.stringContaining('has not become an order'));
});

test('D-372 two carts that are paid at the same time are two orders', async () => {
  const buyers = await Promise.all([buyer(), buyer()]);
  const sessions = await Promise.all(buyers.map(({ checkout }) => checkout()));
  await Promise.all(sessions.map(pay));
  for (const { collection } of buyers) expect(await found(collection)).toMatchObject(once);
});

test.each(['after-payment', 'before-payment'] as const)(
  'D-372 a shop that dies %s and starts again has an order with its payment, or tells what is missing',
  async (where) => {
    const { collection, checkout } = await buyer();
    const session = await checkout();
    await interrupt(where, 'die');
    await bed.startCard(session);
    await bed.payCard(session);
    await bed.ended();
    await start();
    const shown = await eventually(
      async () => {
        await bed.service.advance(60);
        return found(collection);
      },
      ({ payments, told }) => payments.length + told.length > 0 && bed.lastStatus(session.order_no) !== 502,
    );
    if (where === 'after-payment') expect(shown).toMatchObject(once);
    else
      expect(shown.told).toEqual([expect.stringContaining('the order is there, but without this payment')]);
  },
  300_000,
);
