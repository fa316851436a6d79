import { type Cardsim, startCardsim } from '@paydesk/cardsim';
import { ErrorAnswer, type ErrorCode, operations, statusOf } from '@paydesk/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectAnswer } from '../../support/rules/contract.ts';
import {
  addCardChannel,
  addClient,
  addMerchant,
  busyMerchant,
  checkoutOf,
  fromAnywhere,
  type Merchant,
  merchantOf,
  type Order,
  type Platform,
  setUpPlatform,
  signIn,
  tokenFor,
  validOrder,
} from '../../support/desks/platform.ts';
import {
  type Answer,
  type Json,
  request,
  type SendOptions,
  startTestService,
  type TestService,
} from '../../support/desks/service.ts';

let service: TestService;
let platform: Platform;
let merchant: Merchant;
let order: Order;
let cardsim: Cardsim;

beforeAll(async () => {
  service = await startTestService({ env: { PAYDESK_TRUSTED_PROXIES: '127.0.0.0/8' } });
  platform = await setUpPlatform(service);
  cardsim = await startCardsim();
  await addCardChannel(service, cardsim.url);
  merchant = await busyMerchant(service, platform.merchant_no, 3);
  order = await merchant.order();
});

afterAll(async () => {
  await service.stop();
  await cardsim.close();
});

const operationNamed = (id: string) => {
  const found = operations.find((operation) => operation.id === id);
  if (found === undefined) throw new Error(`no operation ${id}`);
  return found;
};

/** Checks the code, its status, a body of the error schema, and that the document lists the error. */
function expectError(operation_id: string, answer: Answer, code: ErrorCode, field?: string): void {
  expectAnswer(answer, statusOf(code), ErrorAnswer);
  expect(answer.body).toMatchObject({ error: code, ...(field === undefined ? {} : { field }) });
  expect(operationNamed(operation_id).errors).toContain(code);
}

describe('R-368, R-369, R-373 errors of a creation match the document', () => {
  const https = 'https://shop.example';
  test.each<[ErrorCode, string | undefined, Json]>([
    ['invalid_request', 'external_reference', { external_reference: ' ' }],
    ['invalid_request', 'idempotency_key', { idempotency_key: '' }],
    ['invalid_amount', 'amount', { amount: '1.' }],
    ['invalid_amount', 'amount', { amount_minor: null }],
    ['invalid_amount_precision', 'amount', { amount: '1.001' }],
    ['currency_unavailable', 'currency', { currency: 'usd' }],
    ['invalid_expires_in', 'expires_in', { expires_in: 59 }],
    ['invalid_return_url', 'return_url', { return_url: 'http://shop.example' }],
    ['invalid_notify_config', undefined, { notify_url: https }],
    ['invalid_notify_url', undefined, { notify_url: 'http://shop.example', notify_secret: 'x'.repeat(32) }],
    ['invalid_notify_secret', undefined, { notify_url: https, notify_secret: 'short' }],
    ['channel_unavailable', undefined, { payment_no: 'ch_unknown' }],
  ])('%s %s', async (code, field, change) => {
    expectError('createCollectionOrder', await merchant.create({ ...validOrder(), ...change }), code, field);
  });

  test('payment_conflict', async () => {
    const body = validOrder();
    await merchant.order(body);
    const answer = await merchant.create<Json>({ ...body, amount: '11.00' });
    expectError('createCollectionOrder', answer, 'payment_conflict');
  });

  test.each<[ErrorCode, SendOptions]>([
    ['invalid_request', { raw: '[]', headers: { 'content-type': 'application/json' } }],
    ['unsupported_media_type', { raw: '{}', headers: { 'content-type': 'text/plain' } }],
    ['request_too_large', { raw: ' '.repeat(70_000), headers: { 'content-type': 'application/json' } }],
  ])('of the body: %s', async (code, { raw = '', headers }) => {
    const answer = await service.send('POST', '/openapi/v1/merchant-payments', {
      raw,
      headers: { ...headers, authorization: `Bearer ${merchant.token}` },
    });
    expectError('createCollectionOrder', answer, code);
  });
});

describe('R-306, R-309, H-13 every call checks its caller in the same way', () => {
  const merchantCalls = operations.filter(({ security }) => security.by === 'merchant_token');
  const addressOf = ({ place }: (typeof operations)[number]): string =>
    ('path' in place ? place.path : '').replace('{order_no}', 'mp_x').replace('{event_id}', 'ne_x');

  test.each(merchantCalls.map((call) => [call.id, call] as const))('%s without a token', async (id, call) => {
    const answer = await service.send(call.method.toUpperCase(), addressOf(call));
    expectError(id, answer, 'invalid_token');
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer /);
  });

  test.each(merchantCalls.map((call) => [call.id, call] as const))(
    '%s without its scope',
    async (id, call) => {
      const { security } = call;
      const scope = security.by === 'merchant_token' ? security.scope : '';
      const other = scope.endsWith('.create') ? 'merchant_payments.read' : 'merchant_payments.create';
      const token = await tokenFor(service, platform.client, other);
      const answer = await service.send(call.method.toUpperCase(), addressOf(call), {
        headers: { authorization: `Bearer ${token}` },
      });
      expectError(id, answer, 'insufficient_scope');
      expect(answer.headers.get('www-authenticate')).toContain(`scope="${scope}"`);
    },
  );
});

describe('errors of reading', () => {
  test.each([
    ['readCollectionOrder', 'GET', '/merchant-payments/mp_unknown', 'payment_not_found'],
    ['listCollectionOrders', 'GET', '/merchant-payments', 'invalid_request'],
    ['listNotifications', 'GET', '/merchant-payments/mp_unknown/notifications', 'payment_not_found'],
    [
      'replayNotification',
      'POST',
      '/merchant-payments/mp_unknown/notifications/ne_x/retry',
      'payment_not_found',
    ],
  ] as const)('%s: %s %s is %s', async (id, method, path, code) => {
    expectError(id, await merchant.send(method, path), code);
  });

  test('H-01 an unknown address is JSON as well', async () => {
    expectAnswer(await service.send('GET', '/openapi/v1/nothing'), 404, ErrorAnswer);
  });
});

describe('errors of the token endpoint', () => {
  const ask = (form: Record<string, string>) =>
    service.send('POST', '/oauth/token', {
      raw: new URLSearchParams(form).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...fromAnywhere() },
    });

  test.each<[ErrorCode, Record<string, string>]>([
    ['invalid_client', { client_secret: 'wrong' }],
    ['unsupported_grant_type', { grant_type: 'password' }],
    ['invalid_scope', { scope: 'payments.create' }],
  ])('D-165 %s', async (code, change) => {
    const answer = await ask({ grant_type: 'client_credentials', ...platform.client, ...change });
    expectError('getToken', answer, code);
  });

  test('D-165 unauthorized_client', async () => {
    const unbound = await addClient(service, null);
    expectError(
      'getToken',
      await ask({ grant_type: 'client_credentials', ...unbound }),
      'unauthorized_client',
    );
  });
});

describe('errors of the checkout', () => {
  test('R-224 payment_not_found for a wrong token', async () => {
    const answer = await service.send('GET', `/checkout/api/${order.order_no}`, {
      headers: { 'x-checkout-token': 'wrong', ...fromAnywhere() },
    });
    expectError('readCheckout', answer, 'payment_not_found');
  });

  test.each<[ErrorCode, 'guest' | 'buyer' | 'owner', 'ptk' | 'unknown']>([
    ['channel_unavailable', 'buyer', 'unknown'],
    ['login_required', 'guest', 'ptk'],
    ['self_payment_not_allowed', 'owner', 'ptk'],
  ])('%s for a %s', async (code, who, method) => {
    const cookie = who === 'guest' ? undefined : await signIn(service, platform[who]);
    const checkout = checkoutOf(service, order, cookie);
    const method_id = method === 'ptk' ? await checkout.methodOf('ptk') : 'pm_unknown';
    expectError('startPayment', await checkout.start(method_id), code);
  });

  test('insufficient_balance', async () => {
    const dear = await merchant.order({ amount: '100.01' });
    const checkout = checkoutOf(service, dear, await signIn(service, platform.buyer));
    expectError('startPayment', await checkout.start(await checkout.methodOf('ptk')), 'insufficient_balance');
  });

  test('payment_expired', async () => {
    const short = await merchant.order({ expires_in: 60 });
    const checkout = checkoutOf(service, short, await signIn(service, platform.buyer));
    const method_id = await checkout.methodOf('ptk');
    await service.advance(61);
    expectError('startPayment', await checkout.start(method_id), 'payment_expired');
  });

  test('payment_conflict once it is paid', async () => {
    const mine = await merchant.order();
    const checkout = checkoutOf(service, mine, await signIn(service, platform.buyer));
    const method_id = await checkout.methodOf('ptk');
    expect((await checkout.start(method_id)).status).toBe(200);
    expectError('startPayment', await checkout.start(method_id), 'payment_conflict');
  });

  test('cross_site_request', async () => {
    const answer = await service.send('POST', `/checkout/api/${order.order_no}/payments`, {
      body: { method_id: 'x' },
      headers: { origin: 'https://evil.example', ...fromAnywhere() },
    });
    expectError('startPayment', answer, 'cross_site_request');
  });
});

describe('errors that the card provider causes', () => {
  /** Starts a card payment whose session the provider refuses with this status. */
  async function startRefused(status: number): Promise<Answer> {
    await request(`${cardsim.url}/_sim/faults`, 'POST', {
      body: { endpoint: 'sessions.create', mode: 'status', status },
    });
    const checkout = checkoutOf(service, await merchant.order());
    return checkout.start(await checkout.methodOf('cardprov'));
  }

  test('R-370 provider_result_pending is 202 and carries its code', async () => {
    const answer = await startRefused(500);
    expectAnswer(answer, 202, ErrorAnswer);
    expect(answer.body.error).toBe('provider_result_pending');
  });

  test('R-203 provider_checkout_rejected', async () => {
    expectError('startPayment', await startRefused(400), 'provider_checkout_rejected');
  });
});

describe('errors of merchants and limits', () => {
  test('R-313 merchant_inactive, for a token and for a token request', async () => {
    const { merchant_no } = await addMerchant(service, platform.owner);
    const client = await addClient(service, merchant_no);
    const closing = await merchantOf(service, client);
    await service.admin('PATCH', `/merchants/${merchant_no}`, { status: 'inactive', reason: 'closed' });
    expectError('listPaymentChannels', await closing.get('/merchant-payment-channels'), 'merchant_inactive');
    const form = new URLSearchParams({ grant_type: 'client_credentials', ...client });
    const answer = await service.send('POST', '/oauth/token', {
      raw: form.toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...fromAnywhere() },
    });
    expectError('getToken', answer, 'merchant_inactive');
  });

  test('R-286, R-371, H-16 the 31st replay of a minute is rate_limited, with the seconds to wait', async () => {
    const hasty = await merchantOf(service, await addClient(service, platform.merchant_no));
    const replay = () => hasty.send('POST', '/merchant-payments/mp_x/notifications/ne_x/retry');
    for (let i = 0; i < 30; i++) expect((await replay()).status).toBe(404);
    const answer = await replay();
    expectError('replayNotification', answer, 'rate_limited');
    expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  });

  test('D-159 delivery records have a separate limit', async () => {
    const curious = await merchantOf(service, await addClient(service, platform.merchant_no));
    const records = () => curious.get('/merchant-payments/mp_x/notifications');
    for (let i = 0; i < 10; i++) {
      const answers = await Promise.all(Array.from({ length: 30 }, records));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]));
    }
    expectError('listNotifications', await records(), 'rate_limited');
    expect((await curious.get('/merchant-payment-channels')).status).toBe(200);
    expect((await curious.send('POST', '/merchant-payments/mp_x/notifications/ne_x/retry')).status).toBe(404);
  });
});

describe('errors of sessions', () => {
  test('invalid_credentials', async () => {
    const answer = await service.send('POST', '/session', {
      body: { email: platform.buyer.email, password: 'wrong' },
      headers: { origin: service.url, ...fromAnywhere() },
    });
    expectError('signIn', answer, 'invalid_credentials');
  });

  test('authentication_required', async () => {
    expectError('readSession', await service.send('GET', '/session'), 'authentication_required');
  });

  test('cross_site_request', async () => {
    expectError('signOut', await service.send('DELETE', '/session'), 'cross_site_request');
  });
});
