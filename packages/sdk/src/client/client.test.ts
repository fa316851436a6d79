import { describe, expect, test } from 'vitest';
import { created, errorOf, input, order, secret, useClient } from '../../test/client-bed.ts';
import { reset } from '../../test/service.ts';
import { isPaid } from '../posting.ts';

const bed = useClient();

describe('addresses and bodies', () => {
  test('the path prefix of base_url is kept and paths are appended to it', async () => {
    bed.service.answer(created, { status: 200, body: { items: [order] } });
    await bed.client().createOrder(input);
    await bed.client().listOrders({ external_reference: 'SO 1&x', limit: 5 });
    expect(bed.service.calls.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST /prefix/openapi/v1/merchant-payments',
      'GET /prefix/openapi/v1/merchant-payments?external_reference=SO+1%26x&limit=5',
    ]);
    expect(bed.service.calls[0]?.headers['content-type']).toBe('application/json');
    expect(JSON.parse(bed.service.calls[0]?.body ?? '')).toEqual(input);
  });

  test('each call has its own path and gives what the service answers', async () => {
    const record = { event_id: 'ne_1', attempts: 10 };
    const channel = { payment_no: 'ch_1', name: 'Card' };
    bed.service.answer(
      { status: 200, body: order },
      { status: 200, body: { items: [channel] } },
      { status: 200, body: { items: [record] } },
      { status: 202, body: { accepted: true } },
    );
    const paydesk = bed.client();
    expect(await paydesk.getOrder('mp/1')).toEqual(order);
    expect(await paydesk.channels()).toEqual([channel]);
    expect(await paydesk.notifications('mp_1', { limit: 100 })).toEqual([record]);
    expect(await paydesk.retryNotification('mp_1', 'ne_1')).toEqual({ accepted: true });
    expect(bed.service.calls.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET /prefix/openapi/v1/merchant-payments/mp%2F1',
      'GET /prefix/openapi/v1/merchant-payment-channels',
      'GET /prefix/openapi/v1/merchant-payments/mp_1/notifications?limit=100',
      'POST /prefix/openapi/v1/merchant-payments/mp_1/notifications/ne_1/retry',
    ]);
    expect(bed.service.calls[3]?.body).toBe('');
  });

  test.each(['', '.', '..'])(
    'an order number %j that would address something else is refused',
    async (order_no) => {
      await expect(bed.client().getOrder(order_no)).rejects.toThrow(TypeError);
      expect(bed.service.calls).toHaveLength(0);
    },
  );

  test('an amount_minor that a number cannot hold is refused before it is rounded', async () => {
    const legacy = { external_reference: 'SO-1', idempotency_key: 'key-1', currency: 'USD' };
    await expect(bed.client().createOrder({ ...legacy, amount_minor: 2 ** 53 })).rejects.toThrow(RangeError);
    bed.service.answer(created);
    await bed.client().createOrder({ ...legacy, amount_minor: 9007199254740991 });
    expect(bed.service.calls.map(({ body }) => body)).toEqual([
      expect.stringContaining('"amount_minor":9007199254740991'),
    ]);
  });

  test.each(['http://pay.example', 'ftp://127.0.0.1/x'])('credentials do not travel to %s', (base_url) => {
    expect(() => bed.client({ base_url })).toThrow(TypeError);
    expect(() => bed.client({ token_endpoint: base_url })).toThrow(TypeError);
  });

  test.each(['127.0.0.1:8080', 'localhost:8080', ''])(
    '%j is no address, and the error says so',
    (base_url) => {
      expect(() => bed.client({ base_url })).toThrow(/^an address must be like https:\/\/pay\.example$/);
    },
  );

  test('R-019 a status of a later version is kept and is not paid', async () => {
    bed.service.answer(
      { status: 200, body: { ...order, status: 'on_hold' } },
      { status: 200, body: { ...order, status: 'paid' } },
    );
    const unknown = await bed.client().getOrder('mp_1');
    expect([unknown.status, isPaid(unknown)]).toEqual(['on_hold', false]);
    expect(isPaid(await bed.client().getOrder('mp_1'))).toBe(true);
  });
});

describe('tokens', () => {
  test('the token request is a form with both scopes, and its token is the bearer', async () => {
    bed.service.answer(created);
    await bed.client().createOrder(input);
    expect(bed.service.tokens[0]?.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(Object.fromEntries(new URLSearchParams(bed.service.tokens[0]?.body))).toEqual({
      grant_type: 'client_credentials',
      client_id: 'c1',
      client_secret: secret,
      scope: 'merchant_payments.create merchant_payments.read',
    });
    expect(bed.service.calls[0]?.headers.authorization).toBe('Bearer token-1');
  });

  test('a token is kept until shortly before expires_in, and parallel calls share one request', async () => {
    bed.service.answer({ status: 200, body: { items: [] } });
    const paydesk = bed.client();
    await Promise.all(Array.from({ length: 8 }, () => paydesk.channels()));
    bed.now_ms += 3_539_999;
    await paydesk.channels();
    expect(bed.service.tokens).toHaveLength(1);
    bed.now_ms += 1;
    await Promise.all([paydesk.channels(), paydesk.channels()]);
    expect(bed.service.tokens).toHaveLength(2);
    expect(bed.service.calls.at(-1)?.headers.authorization).toBe('Bearer token-2');
  });

  test('a short lifetime keeps nine tenths of its use', async () => {
    bed.service.answer({ status: 200, body: { items: [] } });
    bed.service.answerTokens({ status: 200, body: { access_token: 't', expires_in: 10 } });
    const paydesk = bed.client();
    await paydesk.channels();
    bed.now_ms += 8_999;
    await paydesk.channels();
    expect(bed.service.tokens).toHaveLength(1);
    bed.now_ms += 1;
    await paydesk.channels();
    expect(bed.service.tokens).toHaveLength(2);
  });
});

describe('refused tokens', () => {
  test('a refused token request is reported as such, is not repeated and is not remembered', async () => {
    bed.service.answer({ status: 200, body: { items: [] } });
    bed.service.answerTokens(
      { status: 401, body: { error: 'invalid_client' } },
      { status: 200, body: { access_token: 't', expires_in: 60 } },
    );
    const paydesk = bed.client();
    expect(await errorOf(paydesk.channels())).toMatchObject({ status: 401, code: 'invalid_client' });
    expect(bed.service.tokens).toHaveLength(1);
    expect(await paydesk.channels()).toEqual([]);
  });

  test.each([{ access_token: '' }, { access_token: 't' }, { access_token: 't', expires_in: 'soon' }])(
    'a token answer %j is not one',
    async (body) => {
      bed.service.answerTokens({ status: 200, body });
      expect(await errorOf(bed.client().channels())).toMatchObject({ code: 'invalid_response' });
    },
  );

  test('a refused token is replaced once, then the refusal stands', async () => {
    const refusal = { status: 401, body: { error: 'invalid_token' } };
    bed.service.answer(refusal, created, refusal);
    const paydesk = bed.client();
    expect(await paydesk.createOrder(input)).toEqual(order);
    expect(bed.service.calls.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer token-1',
      'Bearer token-2',
    ]);
    expect(await errorOf(paydesk.createOrder(input))).toMatchObject({ status: 401, code: 'invalid_token' });
    expect(bed.service.calls).toHaveLength(4);
  });

  test('D-1428 a token is replaced although the clock was set back behind it', async () => {
    const items = { status: 200, body: { items: [] } };
    bed.service.answer(items, { status: 401, body: { error: 'invalid_token' } }, items);
    const paydesk = bed.client();
    await paydesk.channels();
    const later = paydesk.channels();
    bed.now_ms -= 600_000;
    expect(await later).toEqual([]);
    bed.now_ms -= 600_000;
    expect(await paydesk.channels()).toEqual([]);
    expect(bed.service.calls.map(({ headers }) => headers.authorization)).toEqual(
      [1, 1, 2, 3].map((number) => `Bearer token-${number}`),
    );
  });

  test('after insufficient_scope the next call brings a new token, at most once a minute', async () => {
    bed.service.answer({ status: 403, body: { error: 'insufficient_scope' } });
    const paydesk = bed.client();
    await errorOf(paydesk.channels());
    await errorOf(paydesk.channels());
    expect(bed.service.tokens).toHaveLength(1);
    bed.now_ms += 60_000;
    await errorOf(paydesk.channels());
    await errorOf(paydesk.channels());
    expect(bed.service.tokens).toHaveLength(2);
  });
});

test.each(['client_id', 'client_secret'])('D-895 %s that is not given is named at once', (name) => {
  for (const value of [undefined, '', null, 7]) {
    expect(() => bed.client({ [name]: value })).toThrow(
      new TypeError(`${name} must be a text that is not empty`),
    );
  }
});

test('neither an error nor the client shows the secret, the token or what was sent', async () => {
  bed.service.answer(reset);
  const paydesk = bed.client();
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
