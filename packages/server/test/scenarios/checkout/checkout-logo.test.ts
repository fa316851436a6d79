import { afterAll, beforeAll, expect, test } from 'vitest';
import { openShop, type Shop } from '../../support/desks/catalog.ts';
import { type Console, consoleOf } from '../../support/people/console.ts';
import { type LocalReceiver, localReceiver } from '../../support/notifications/notify.ts';
import { pngOf, webpOf } from '../../support/browser/pictures.ts';
import { busyMerchant, checkoutOf, type Merchant, type Order } from '../../support/desks/platform.ts';
import { eventually, type Json } from '../../support/desks/service.ts';
import { visitorOf } from '../../support/people/visitor.ts';

let source: LocalReceiver;
let shop: Shop;
let merchant: Merchant;
let order: Order;
let desk: Console;

beforeAll(async () => {
  source = await localReceiver();
  shop = await openShop(source.env);
  merchant = await busyMerchant(shop.service, shop.platform.merchant_no, 1);
  order = await merchant.order();
  desk = await consoleOf(shop.service, shop.platform.owner, shop.platform.merchant_no);
});

afterAll(async () => {
  await shop.stop();
  await source.remove();
});

const day_s = 24 * 3_600;

const setLogo = (logo_url: string): Promise<Json> =>
  shop.service.admin('PATCH', `/merchants/${shop.platform.merchant_no}`, { logo_url });

/** The merchant's part of the page, after the expected change. */
const shown = (wanted: (logo_url: string | null) => boolean): Promise<string> =>
  eventually(
    async () => {
      const { status, body } = await checkoutOf(shop.service, order).state();
      if (status !== 200) throw new Error(`the page is answered ${status}`);
      return (body.merchant as { logo_url: string | null }).logo_url;
    },
    (logo_url) => wanted(logo_url),
  ).then((logo_url) => logo_url ?? '');

/** The result of fetching the picture, in the merchant's console. */
const problem = async (): Promise<unknown> => (await desk.get('/settings')).body.logo_problem;
const until = (wanted: string) => eventually(problem, (found) => found === wanted);

test('R-382 a logo is fetched by us and shown from our own origin, and browsers may keep it without a limit', async () => {
  source.answerWith({ status: 200, body: pngOf(48, 48) });
  await setLogo(source.url('/logo.png'));
  await shop.service.advance(10);
  const path = await shown((logo_url) => logo_url !== null);
  expect(path).toMatch(/^\/checkout\/logos\/[\w-]{36}\/[0-9a-f]{64}$/);

  const [page, picture] = await Promise.all([fetch(order.checkout_url), fetch(shop.service.url + path)]);
  expect(await page.text()).toContain(`src="${path}"`);
  expect(page.headers.get('content-security-policy')).toContain(`img-src 'self' data:;`);
  expect(Buffer.from(await picture.arrayBuffer())).toEqual(pngOf(48, 48));
  expect(Object.fromEntries(picture.headers)).toMatchObject({
    'content-type': 'image/png',
    'cache-control': 'public, max-age=31536000, immutable',
    'content-security-policy': `default-src 'none'; sandbox`,
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
  });
  const etag = picture.headers.get('etag') ?? '';
  const again = await shop.service.send('GET', path, { headers: { 'if-none-match': etag } });
  expect([again.status, again.text]).toEqual([304, '']);
});

test('R-382 the page of a catalog order shows the same', async () => {
  const path = await shown((logo_url) => logo_url !== null);
  const reader = await shop.shopper();
  const order_no = await reader.order({
    gd_no: await shop.product(),
    quantity: 1,
    payment_no: shop.platform.ptk_channel,
  });
  const visitor = visitorOf(shop.service);
  await visitor.signIn(shop.buyer);
  const page = await visitor.get(`/orders/${order_no}`);
  expect(page.html).toContain(`src="${path}"`);
  expect(page.headers.get('content-security-policy')).toContain(`img-src 'self' data:;`);
});

test('R-382 a picture is looked at again after a day; a source that is away keeps it, one that has none does not', async () => {
  const first = await shown((logo_url) => logo_url !== null);
  source.answerWith({ status: 200, body: webpOf('VP8L', 64, 64) });
  await shop.service.advance(day_s);
  const second = await shown((logo_url) => logo_url !== null && logo_url !== first);
  const gone = await shop.service.send('GET', first);
  expect([gone.status, gone.body.error]).toEqual([404, 'not_found']);

  source.answerWith('reset');
  await shop.service.advance(day_s);
  await until('no_connection');
  expect(await shown(() => true)).toBe(second);

  source.answerWith({ status: 404 });
  await shop.service.advance(3_600);
  await shown((logo_url) => logo_url === null);
  expect(await problem()).toBe('http_status');

  source.answerWith({ status: 200, body: pngOf(8, 8) });
  await shop.service.advance(3_600);
  await shown((logo_url) => logo_url !== null);
  expect(await problem()).toBeNull();
});

test('R-382 a new address removes the old picture immediately, and an empty address removes the picture', async () => {
  await shown((logo_url) => logo_url !== null);
  source.answerWith({ status: 200, body: '<svg xmlns="http://www.w3.org/2000/svg"/>' });
  await setLogo(source.url('/logo.svg'));
  await shown((logo_url) => logo_url === null);
  await shop.service.advance(10);
  await until('not_a_picture');
  expect(await shown(() => true)).toBe('');

  await setLogo('');
  expect(await problem()).toBeNull();
});

test.each([
  ['an unknown merchant', `/checkout/logos/00000000-0000-0000-0000-000000000000/${'0'.repeat(64)}`],
  ['something that is no merchant', `/checkout/logos/x'/${'0'.repeat(64)}`],
])('R-382 the picture of %s does not exist', async (_name, path) => {
  const answer = await shop.service.send('GET', path);
  expect([answer.status, answer.body.error]).toEqual([404, 'not_found']);
});
