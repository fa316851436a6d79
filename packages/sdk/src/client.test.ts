import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { reset, silence, startService, truncated, type Answer, type FakeService } from '../test/service.ts';
import { createClient, type ClientOptions } from './client.ts';
import { isPaid } from './posting.ts';
import { PaydeskError } from './paydesk-error.ts';
import type { CreateOrderInput } from './types.ts';

const order = {
  order_no: 'mp_1',
  external_reference: 'SO-1',
  payment_no: '',
  amount: '10.00',
  amount_minor: 1000,
  currency: 'USD',
  currency_decimals: 2,
  status: 'pending',
  test_mode: false,
  checkout_url: 'https://pay.example/checkout/mp_1?token=t',
  expires_at: '2026-03-01T10:30:00.000Z',
};
const created: Answer = { status: 201, body: order };
const input: CreateOrderInput = {
  external_reference: 'SO-1',
  idempotency_key: 'key-1',
  amount: '10.00',
  currency: 'USD',
};
const secret = 'client-secret-never-shown';

let service: FakeService;
let now_ms: number;
let waits: number[];

beforeEach(async () => {
  service = await startService();
  now_ms = 1_000_000;
  waits = [];
});
afterEach(() => service.close());

function client(options: Partial<ClientOptions> = {}) {
  return createClient({
    base_url: `${service.origin}/prefix/`,
    token_endpoint: `${service.origin}/token`,
    client_id: 'c1',
    client_secret: secret,
    now: () => now_ms,
    random: () => 1,
    sleep: (ms) => {
      waits.push(ms);
      now_ms += ms;
      return Promise.resolve();
    },
    ...options,
  });
}

async function errorOf(promise: Promise<unknown>): Promise<PaydeskError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(PaydeskError);
  return error as PaydeskError;
}

describe('addresses and bodies', () => {
  test('the path prefix of base_url is kept and paths are appended to it', async () => {
    service.answer(created, { status: 200, body: { items: [order] } });
    await client().createOrder(input);
    await client().listOrders({ external_reference: 'SO 1&x', limit: 5 });
    expect(service.calls.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST /prefix/openapi/v1/merchant-payments',
      'GET /prefix/openapi/v1/merchant-payments?external_reference=SO+1%26x&limit=5',
    ]);
    expect(service.calls[0]?.headers['content-type']).toBe('application/json');
    expect(JSON.parse(service.calls[0]?.body ?? '')).toEqual(input);
  });

  test('each call has its own path and gives what the service answers', async () => {
    const record = { event_id: 'ne_1', attempts: 10 };
    const channel = { payment_no: 'ch_1', name: 'Card' };
    service.answer(
      { status: 200, body: order },
      { status: 200, body: { items: [channel] } },
      { status: 200, body: { items: [record] } },
      { status: 202, body: { accepted: true } },
    );
    const paydesk = client();
    expect(await paydesk.getOrder('mp/1')).toEqual(order);
    expect(await paydesk.channels()).toEqual([channel]);
    expect(await paydesk.notifications('mp_1', { limit: 100 })).toEqual([record]);
    expect(await paydesk.retryNotification('mp_1', 'ne_1')).toEqual({ accepted: true });
    expect(service.calls.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET /prefix/openapi/v1/merchant-payments/mp%2F1',
      'GET /prefix/openapi/v1/merchant-payment-channels',
      'GET /prefix/openapi/v1/merchant-payments/mp_1/notifications?limit=100',
      'POST /prefix/openapi/v1/merchant-payments/mp_1/notifications/ne_1/retry',
    ]);
    expect(service.calls[3]?.body).toBe('');
  });

  test.each(['', '.', '..'])(
    'an order number %j that would address something else is refused',
    async (order_no) => {
      await expect(client().getOrder(order_no)).rejects.toThrow(TypeError);
      expect(service.calls).toHaveLength(0);
    },
  );

  test('an amount_minor that a number cannot hold is refused before it is rounded', async () => {
    const legacy = { external_reference: 'SO-1', idempotency_key: 'key-1', currency: 'USD' };
    await expect(client().createOrder({ ...legacy, amount_minor: 2 ** 53 })).rejects.toThrow(RangeError);
    service.answer(created);
    await client().createOrder({ ...legacy, amount_minor: 9007199254740991 });
    expect(service.calls.map(({ body }) => body)).toEqual([
      expect.stringContaining('"amount_minor":9007199254740991'),
    ]);
  });

  test.each(['http://pay.example', 'ftp://127.0.0.1/x'])('credentials do not travel to %s', (base_url) => {
    expect(() => client({ base_url })).toThrow(TypeError);
    expect(() => client({ token_endpoint: base_url })).toThrow(TypeError);
  });

  test('R-019 a status of a later version is kept and is not paid', async () => {
    service.answer(
      { status: 200, body: { ...order, status: 'on_hold' } },
      { status: 200, body: { ...order, status: 'paid' } },
    );
    const unknown = await client().getOrder('mp_1');
    expect([unknown.status, isPaid(unknown)]).toEqual(['on_hold', false]);
    expect(isPaid(await client().getOrder('mp_1'))).toBe(true);
  });
});

describe('tokens', () => {
  test('the token request is a form with both scopes, and its token is the bearer', async () => {
    service.answer(created);
    await client().createOrder(input);
    expect(service.tokens[0]?.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(Object.fromEntries(new URLSearchParams(service.tokens[0]?.body))).toEqual({
      grant_type: 'client_credentials',
      client_id: 'c1',
      client_secret: secret,
      scope: 'merchant_payments.create merchant_payments.read',
    });
    expect(service.calls[0]?.headers.authorization).toBe('Bearer token-1');
  });

  test('a token is kept until shortly before expires_in, and parallel calls share one request', async () => {
    service.answer({ status: 200, body: { items: [] } });
    const paydesk = client();
    await Promise.all(Array.from({ length: 8 }, () => paydesk.channels()));
    now_ms += 3_539_999;
    await paydesk.channels();
    expect(service.tokens).toHaveLength(1);
    now_ms += 1;
    await Promise.all([paydesk.channels(), paydesk.channels()]);
    expect(service.tokens).toHaveLength(2);
    expect(service.calls.at(-1)?.headers.authorization).toBe('Bearer token-2');
  });

  test('a short lifetime keeps nine tenths of its use', async () => {
    service.answer({ status: 200, body: { items: [] } });
    service.answerTokens({ status: 200, body: { access_token: 't', expires_in: 10 } });
    const paydesk = client();
    await paydesk.channels();
    now_ms += 8_999;
    await paydesk.channels();
    expect(service.tokens).toHaveLength(1);
    now_ms += 1;
    await paydesk.channels();
    expect(service.tokens).toHaveLength(2);
  });

  test('a refused token request is reported as such, is not repeated and is not remembered', async () => {
    service.answer({ status: 200, body: { items: [] } });
    service.answerTokens(
      { status: 401, body: { error: 'invalid_client' } },
      { status: 200, body: { access_token: 't', expires_in: 60 } },
    );
    const paydesk = client();
    expect(await errorOf(paydesk.channels())).toMatchObject({ status: 401, code: 'invalid_client' });
    expect(service.tokens).toHaveLength(1);
    expect(await paydesk.channels()).toEqual([]);
  });

  test.each([{ access_token: '' }, { access_token: 't' }, { access_token: 't', expires_in: 'soon' }])(
    'a token answer %j is not one',
    async (body) => {
      service.answerTokens({ status: 200, body });
      expect(await errorOf(client().channels())).toMatchObject({ code: 'invalid_response' });
    },
  );

  test('a refused token is replaced once, then the refusal stands', async () => {
    const refusal = { status: 401, body: { error: 'invalid_token' } };
    service.answer(refusal, created, refusal);
    const paydesk = client();
    expect(await paydesk.createOrder(input)).toEqual(order);
    expect(service.calls.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer token-1',
      'Bearer token-2',
    ]);
    expect(await errorOf(paydesk.createOrder(input))).toMatchObject({ status: 401, code: 'invalid_token' });
    expect(service.calls).toHaveLength(4);
  });

  test('after insufficient_scope the next call brings a new token, at most once a minute', async () => {
    service.answer({ status: 403, body: { error: 'insufficient_scope' } });
    const paydesk = client();
    await errorOf(paydesk.channels());
    await errorOf(paydesk.channels());
    expect(service.tokens).toHaveLength(1);
    now_ms += 60_000;
    await errorOf(paydesk.channels());
    await errorOf(paydesk.channels());
    expect(service.tokens).toHaveLength(2);
  });
});

describe('retries', () => {
  const failures: [string, Answer][] = [
    ['500', { status: 500, body: { error: 'server_error' } }],
    ['502 of a proxy', { status: 502, body: '<html>' }],
    ['503', { status: 503, body: { error: 'notification_unavailable' } }],
    ['504', { status: 504 }],
    ['a broken connection', reset],
    ['an answer cut short', truncated],
    ['a success that is no JSON', { status: 201, body: '{"order_no":' }],
  ];
  test.each(failures)(
    'creation after %s is repeated with the same key and the same bytes',
    async (_name, answer) => {
      service.answer(answer, answer, created);
      expect(await client().createOrder(input)).toEqual(order);
      expect(service.calls).toHaveLength(3);
      expect(new Set(service.calls.map(({ body }) => body)).size).toBe(1);
      expect(waits).toEqual([250, 500]);
    },
  );

  test.each(failures)('the token request after %s is repeated', async (_name, answer) => {
    service.answer({ status: 200, body: { items: [] } });
    service.answerTokens(answer, { status: 200, body: { access_token: 't', expires_in: 60 } });
    expect(await client().channels()).toEqual([]);
    expect(service.tokens).toHaveLength(2);
  });

  test('retries are bounded, and the last failure is what the caller sees', async () => {
    service.answer({ status: 500, body: { error: 'server_error' }, headers: { 'x-request-id': 'r-9' } });
    const error = await errorOf(client().createOrder(input));
    expect(error).toMatchObject({ status: 500, code: 'server_error', request_id: 'r-9' });
    expect(service.calls).toHaveLength(4);
    expect(waits).toEqual([250, 500, 1000]);
  });

  test('429 waits for what Retry-After says', async () => {
    service.answer(
      { status: 429, body: { error: 'rate_limited' }, headers: { 'retry-after': '7' } },
      created,
    );
    await client().createOrder(input);
    expect(waits).toEqual([7000]);
  });

  test('429 understands the date that an intermediary may send', async () => {
    const date = new Date(now_ms + 3000).toUTCString();
    service.answer(
      { status: 429, body: { error: 'rate_limited' }, headers: { 'retry-after': date } },
      created,
    );
    await client().createOrder(input);
    expect(waits).toEqual([3000]);
  });

  test.each([
    ['no Retry-After', {}, undefined],
    ['an unreadable Retry-After', { 'retry-after': 'soon' }, undefined],
    ['a Retry-After beyond the time limit', { 'retry-after': '31' }, 31],
  ])('429 with %s is given to the caller at once', async (_name, headers, retry_after_s) => {
    service.answer({ status: 429, body: { error: 'rate_limited' }, headers });
    const error = await errorOf(client().createOrder(input));
    expect([error.code, error.retry_after_s]).toEqual(['rate_limited', retry_after_s]);
    expect([service.calls.length, waits]).toEqual([1, []]);
  });

  test.each([
    [400, { error: 'invalid_amount', error_description: 'no', field: 'amount' }],
    [404, { error: 'payment_not_found' }],
    [409, { error: 'payment_conflict' }],
    [422, { error: 'currency_unavailable', error_description: 'no', field: 'currency' }],
    [202, { error: 'provider_result_pending' }],
  ])('%i %j is an error with its members and is not repeated', async (status, body) => {
    service.answer({ status, body });
    const error = await errorOf(client().createOrder(input));
    const { error: code, error_description: description, field } = body as Record<string, string | undefined>;
    expect(error).toMatchObject({ status, code, description, field });
    expect(service.calls).toHaveLength(1);
  });

  test('a redirect is not followed, so the token goes nowhere else', async () => {
    service.answer({ status: 307, headers: { location: `${service.origin}/elsewhere` } });
    expect(await errorOf(client().createOrder(input))).toMatchObject({
      status: 307,
      code: 'invalid_response',
    });
    expect(service.calls).toHaveLength(1);
  });

  test.each([
    ['an order', () => client().getOrder('mp_1'), { accepted: true }],
    ['a list', () => client().channels(), { items: {} }],
    ['a replay', () => client().retryNotification('mp_1', 'ne_1'), {}],
  ])('a success that is not %s is an error', async (_name, call, body) => {
    service.answer({ status: 200, body });
    expect(await errorOf(call())).toMatchObject({ code: 'invalid_response' });
  });
});

describe('time limits', () => {
  test('one silent try is given up and repeated', async () => {
    service.answer(silence, created);
    expect(await client({ attempt_timeout_ms: 500 }).createOrder(input)).toEqual(order);
    expect(service.calls).toHaveLength(2);
  });

  test.each(['api', 'token'])('the whole call ends in time although the %s never answers', async (silent) => {
    if (silent === 'api') service.answer(silence);
    else service.answerTokens(silence);
    const error = await errorOf(client({ timeout_ms: 100 }).createOrder(input));
    expect(error).toMatchObject({ status: 0, code: 'timeout' });
  });

  test('no wait reaches beyond the time limit', async () => {
    service.answer({ status: 500, body: { error: 'server_error' } });
    expect(await errorOf(client().createOrder(input, { timeout_ms: 700 }))).toMatchObject({
      code: 'server_error',
    });
    expect(waits).toEqual([250]);
  });

  test('the caller can end a call, which leaves a shared token request alone', async () => {
    let release: (() => void) | undefined;
    const asked = new Promise<void>((resolve) => {
      service.answerTokens((response) => {
        release = () => response.end('{"access_token":"t","expires_in":60}');
        resolve();
      });
    });
    service.answer({ status: 200, body: { items: [] } });
    const paydesk = client();
    const controller = new AbortController();
    const ended = paydesk.channels({ signal: controller.signal });
    const patient = paydesk.channels();
    await asked;
    controller.abort(new Error('shutting down'));
    await expect(ended).rejects.toThrow('shutting down');
    release?.();
    expect(await patient).toEqual([]);
    expect([service.tokens.length, service.calls.length]).toEqual([1, 1]);
  });

  test('a call that is over before it begins sends nothing', async () => {
    await expect(client().channels({ signal: AbortSignal.abort(new Error('over')) })).rejects.toThrow('over');
    expect(service.tokens).toHaveLength(0);
  });
});

test('neither an error nor the client shows the secret, the token or what was sent', async () => {
  service.answer(reset);
  const paydesk = client();
  const error = await errorOf(paydesk.createOrder({ ...input, notify_secret: 'notify-secret-never-shown' }));
  const shown = [
    String(error),
    JSON.stringify(error),
    error.stack,
    JSON.stringify(paydesk),
    String(error.cause),
  ].join();
  expect(error.code).toBe('network_error');
  expect(shown).not.toMatch(/never-shown|token-1/);
});
