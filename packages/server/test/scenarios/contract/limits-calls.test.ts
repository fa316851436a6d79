import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addClient,
  addUser,
  allScopes,
  checkoutOf,
  type Client,
  fromAnywhere,
  merchantOf,
  type Order,
  type Platform,
  setUpPlatform,
  tokenFor,
  validOrder,
} from '../../support/desks/platform.ts';
import { type Answer, startTestService, type TestService } from '../../support/desks/service.ts';
import { authorizerOf } from '../../support/people/user-token.ts';

/** Each group over HTTP; how the limiter counts is in limits-groups.test.ts. */

let service: TestService;
let platform: Platform;
let order: Order;

const redirect_uri = 'https://shop.example/back';

beforeAll(async () => {
  service = await startTestService({ role: 'web', env: { PAYDESK_TRUSTED_PROXIES: '127.0.0.0/8' } });
  platform = await setUpPlatform(service);
  order = await (await merchantOf(service, platform.client)).order();
});
afterAll(() => service.stop());

/** The number of refused calls among the given number of concurrent calls, and the refusals. */
async function refused(calls: number, call: (i: number) => Promise<Answer>): Promise<number> {
  const answers = await Promise.all(Array.from({ length: calls }, (_, i) => call(i)));
  const limited = answers.filter(({ status }) => status === 429);
  for (const { body, headers } of limited) {
    expect(body.error).toBe('rate_limited');
    expect(headers.get('retry-after')).toMatch(/^[1-9]\d?$/);
  }
  return limited.length;
}

const as = (token: string) => (method: string, path: string, body?: unknown) =>
  service.send(method, path, {
    headers: { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body }),
  });

const orders = '/openapi/v1/merchant-payments';

describe('per client', () => {
  type Send = ReturnType<typeof as>;
  let client: Client;
  let send: Send;

  const fresh = async (): Promise<void> => {
    client = await addClient(service, platform.merchant_no);
    send = as(await tokenFor(service, client));
  };

  test('R-327 R-331 R-371 60 creations a minute, retries included, for all tokens of a client', async () => {
    await fresh();
    const same = validOrder();
    const create = (): Promise<Answer> => send('POST', orders, same);
    expect(await refused(30, create)).toBe(0);
    // Calls that are refused for another reason count as well.
    expect(await refused(31, () => send('POST', orders, {}))).toBe(1);
    send = as(await tokenFor(service, client, allScopes.join(' ')));
    expect((await create()).status).toBe(429);
    // Reading goes on, and so does another client of the merchant.
    expect((await send('GET', `${orders}/${order.order_no}`)).status).toBe(200);
    await fresh();
    expect((await create()).status).toBe(201);
  });

  test('R-328 D-159 300 readings a minute, of orders, lists and the directory together; records apart', async () => {
    await fresh();
    const paths = [
      `${orders}/${order.order_no}`,
      `${orders}?external_reference=x`,
      '/openapi/v1/merchant-payment-channels',
    ];
    expect(await refused(300, (i) => send('GET', paths[i % 3] ?? ''))).toBe(0);
    for (const path of paths) expect((await send('GET', path)).status).toBe(429);
    expect((await send('HEAD', paths[0] ?? '')).status).toBe(429);
    expect((await send('GET', `${orders}/${order.order_no}/notifications`)).status).toBe(200);
    // Callers without permission get that error, and are not counted.
    const blind = as(await tokenFor(service, client, 'merchant_payments.create'));
    expect((await blind('GET', paths[0] ?? '')).body.error).toBe('insufficient_scope');
  });

  test('R-329 30 replays a minute', async () => {
    await fresh();
    const path = `${orders}/${order.order_no}/notifications/ne_01JNXW900E4S8D2G6J1KC5P7VA/retry`;
    expect(await refused(31, () => send('POST', path))).toBe(1);
  });

  test('R-334 D-160 300 readings a minute of user information, products and profile together', async () => {
    const buyer = await addUser(service, 'Bo Buyer');
    const reader = await addClient(service, platform.merchant_no, {
      scopes: ['openid', 'products.read', 'merchant.profile.read'],
      redirect_uris: [redirect_uri],
    });
    const authorizer = await authorizerOf(service, buyer, reader, redirect_uri);
    const call = as(await authorizer.token('openid products.read merchant.profile.read'));
    const paths = ['/oauth/userinfo', '/openapi/v1/products', '/openapi/v1/merchant'];
    expect(await refused(300, (i) => call('GET', paths[i % 3] ?? ''))).toBe(0);
    for (const path of paths) expect((await call('GET', path)).status).toBe(429);
  });
});

describe('R-330 per address', () => {
  const look = (from: Record<string, string>, path: string): Promise<Answer> => {
    const token = new URL(order.checkout_url).searchParams.get('token') ?? '';
    return service.send('GET', path.replace('TOKEN', token), {
      headers: { 'x-checkout-token': token, ...from },
    });
  };

  test('D-161 180 looks at the checkout a minute, page and state together; another address has its own', async () => {
    const from = fromAnywhere();
    const paths = [`/checkout/${order.order_no}?token=TOKEN`, `/checkout/api/${order.order_no}`];
    expect(await refused(181, (i) => look(from, paths[i === 180 ? 1 : i % 2] ?? ''))).toBe(1);
    expect((await look(from, `/checkout/api/${order.order_no}`)).status).toBe(429);
    // The form that mails a receipt opens the order as a look does.
    const headers = { 'content-type': 'application/x-www-form-urlencoded', ...from };
    const mail = `/checkout/${order.order_no}/receipt/mail`;
    expect((await service.send('POST', mail, { headers, body: 'token=x' })).status).toBe(429);
    expect((await look(fromAnywhere(), paths[1] ?? '')).status).toBe(200);
  });

  test('30 starts of payments a minute, counted apart from looks', async () => {
    const from = fromAnywhere();
    const method_id = await checkoutOf(service, order).methodOf('ptk');
    const token = new URL(order.checkout_url).searchParams.get('token') ?? '';
    const headers = { 'x-checkout-token': token, origin: new URL(service.url).origin, ...from };
    const start = () =>
      service.send('POST', `/checkout/api/${order.order_no}/payments`, { headers, body: { method_id } });
    expect(await refused(31, start)).toBe(1);
    expect((await look(from, `/checkout/api/${order.order_no}`)).status).toBe(200);
  });

  test('D-158 30 token requests a minute that do not authenticate; right ones do not count', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', ...fromAnywhere() };
    const ask = (client_secret: string): Promise<Answer> =>
      service.send('POST', '/oauth/token', {
        raw: new URLSearchParams({
          ...{ grant_type: 'client_credentials', client_id: platform.client.client_id, client_secret },
        }).toString(),
        headers,
      });
    expect(await refused(31, () => ask(platform.client.client_secret))).toBe(0);
    expect(await refused(30, () => ask('wrong'))).toBe(0);
    expect((await ask('wrong')).status).toBe(429);
  });
});
