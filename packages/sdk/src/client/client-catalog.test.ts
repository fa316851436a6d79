import { createHash } from 'node:crypto';
import type * as contract from '@paydesk/contract';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { errorOf, order, secret, useClient } from '../../test/client-bed.ts';
import { reset } from '../../test/service.ts';
import type { CatalogOrder, MerchantProfile, Product } from './catalog-types.ts';
import type { Attempt } from './http.ts';
import type { CollectionOrder } from '../types.ts';

const bed = useClient();
const user_token = 'token-of-a-person';
const seen = () => bed.service.calls.map(({ method, url }) => `${method} ${url}`);

describe('orders one by one', () => {
  test('R-299 D-1133 orders of a time or a reference are read page by page, as the loop needs them', async () => {
    const numbered = (order_no: string) => ({ ...order, order_no });
    bed.service.answer(
      { status: 200, body: { items: [numbered('mp_1'), numbered('mp_2')], next_cursor: 'c 1' } },
      { status: 200, body: { items: [numbered('mp_3')] } },
    );
    const paydesk = bed.client();
    const found: string[] = [];
    const created_from = new Date('2026-03-01T00:00:00Z');
    for await (const one of paydesk.orders({ created_from, limit: 2 })) found.push(one.order_no);
    expect(found).toEqual(['mp_1', 'mp_2', 'mp_3']);
    expect(seen()).toEqual([
      'GET /prefix/openapi/v1/merchant-payments?created_from=2026-03-01T00%3A00%3A00.000Z&limit=2',
      'GET /prefix/openapi/v1/merchant-payments?created_from=2026-03-01T00%3A00%3A00.000Z&limit=2&cursor=c+1',
    ]);
    bed.service.answer({ status: 200, body: { items: [order], next_cursor: 'more' } });
    for await (const _one of paydesk.orders()) break;
    for await (const _one of paydesk.orders({ external_reference: 'SO-1' })) break;
    expect(seen().slice(2)).toEqual([
      'GET /prefix/openapi/v1/merchant-payments?created_from=1970-01-01T00%3A00%3A00Z&limit=100',
      'GET /prefix/openapi/v1/merchant-payments?created_from=1970-01-01T00%3A00%3A00Z&limit=100&external_reference=SO-1',
    ]);
  });

  test('onAttempt is told of each attempt and can neither see a secret nor end a call', async () => {
    bed.service.answer(
      reset,
      { status: 503, body: { error: 'notification_unavailable' }, headers: { 'x-request-id': 'r-2' } },
      { status: 200, body: { items: [] } },
    );
    const attempts: Attempt[] = [];
    const onAttempt = (attempt: Attempt) => {
      attempts.push(attempt);
      throw new Error('the metric is broken');
    };
    await bed.client({ onAttempt }).listOrders({ external_reference: 'SO-1' });
    expect(
      attempts.map(({ attempt, status, code, retry_in_ms, request_id }) => [
        attempt,
        status,
        code,
        retry_in_ms,
        request_id,
      ]),
    ).toEqual([
      [1, 200, undefined, undefined, undefined],
      [1, 0, 'network_error', 250, undefined],
      [2, 503, 'notification_unavailable', 500, 'r-2'],
      [3, 200, undefined, undefined, undefined],
    ]);
    expect(JSON.stringify(attempts)).not.toMatch(/never-shown|token-1|SO-1/);
  });
});

describe('the catalog', () => {
  test('profile and products are read with their own scopes, amounts are exact, and pages follow', async () => {
    const product = (gd_no: string) =>
      `{"gd_no":"${gd_no}","gd_name":"12345678901234567890, \\"12\\"","actual_price":900719925474099312,"retail_price":999000000}`;
    const page = (...list: string[]) => `{"list":[${list.join(',')}],"total":3,"page":1,"limit":2}`;
    const third = { list: [{ gd_no: 'gd_3' }], total: 3, page: 2, limit: 2 };
    bed.service.answer(
      { status: 200, body: { merchant_no: 'mr_1', name: 'Bookshop' } },
      { status: 200, body: page(product('gd_1'), product('gd_2')) },
      { status: 200, body: third },
    );
    const { catalog } = bed.client();
    expect(await catalog.merchant()).toEqual({ merchant_no: 'mr_1', name: 'Bookshop' });
    const found: Product[] = [];
    for await (const one of catalog.products({ search_value: 'gift', limit: 2 })) found.push(one);
    expect(found).toEqual([
      {
        gd_no: 'gd_1',
        gd_name: '12345678901234567890, "12"',
        actual_price: 900719925474099312n,
        retail_price: 999000000n,
      },
      expect.objectContaining({ gd_no: 'gd_2' }),
      { gd_no: 'gd_3' },
    ]);
    expect(new URLSearchParams(bed.service.tokens[0]?.body).get('scope')).toBe(
      'merchant.profile.read products.read',
    );
    expect(seen()[2]).toBe('GET /prefix/openapi/v1/products?search_value=gift&page=2&limit=2');
  });

  test('R-349 orders of a person use the person’s token, which is not replaced', async () => {
    const input = { gd_no: 'gd_1', quantity: 2, payment_no: 'ch_1' };
    bed.service.answer(
      { status: 201, body: { order_no: 'co_1' } },
      { status: 200, body: { order_no: 'co_1', status: 1, pay_amount: 1818000000 } },
      { status: 200, body: { trade_no: 't', redirect: '/orders/co_1', expire_time: 1 } },
      { status: 200, body: { status: 1 } },
      { status: 401, body: { error: 'invalid_token' } },
    );
    const { catalog } = bed.client();
    expect(await catalog.createOrder(input, { user_token })).toEqual({ order_no: 'co_1' });
    expect(await catalog.getOrder('co_1', { user_token })).toMatchObject({ pay_amount: 1818000000n });
    expect(await catalog.startPayment('co_1', 'ch_1', { user_token })).toMatchObject({
      redirect: '/orders/co_1',
    });
    expect(await catalog.paymentStatus('co_1', { user_token })).toEqual({ status: 1 });
    expect(await errorOf(catalog.getOrder('co_1', { user_token }))).toMatchObject({ code: 'invalid_token' });
    expect(seen()).toEqual([
      'POST /prefix/openapi/v1/orders',
      'GET /prefix/openapi/v1/orders/co_1',
      'POST /prefix/openapi/v1/orders/co_1/payment',
      'GET /prefix/openapi/v1/orders/co_1/payment',
      'GET /prefix/openapi/v1/orders/co_1',
    ]);
    expect(bed.service.calls.every(({ headers }) => headers.authorization === `Bearer ${user_token}`)).toBe(
      true,
    );
    expect(bed.service.tokens).toEqual([]);
  });
});

describe('the catalog: writes and types', () => {
  test('an order without an answer is not repeated, because it could exist twice; after 429 it is', async () => {
    const input = { gd_no: 'gd_1', quantity: 1, payment_no: 'ch_1' };
    const { catalog } = bed.client();
    for (const answer of [reset, { status: 500, body: { error: 'server_error' } }]) {
      bed.service.answer(answer);
      await errorOf(catalog.createOrder(input, { user_token }));
    }
    expect(bed.service.calls).toHaveLength(2);
    bed.service.answer(
      { status: 429, body: { error: 'rate_limited' }, headers: { 'retry-after': '2' } },
      { status: 201, body: { order_no: 'co_1' } },
    );
    expect(await catalog.createOrder(input, { user_token })).toEqual({ order_no: 'co_1' });
  });

  test('the types have the members of the contract', () => {
    expectTypeOf<keyof Product>().toEqualTypeOf<keyof contract.Product>();
    expectTypeOf<keyof CatalogOrder>().toEqualTypeOf<keyof contract.CatalogOrder>();
    expectTypeOf<keyof MerchantProfile>().toEqualTypeOf<keyof contract.MerchantProfile>();
    expectTypeOf<keyof CollectionOrder>().toEqualTypeOf<keyof contract.CollectionOrder>();
  });
});

describe('tokens of people', () => {
  test('the authorization has PKCE, and its code becomes a token once', async () => {
    const paydesk = bed.client();
    const redirect_uri = 'https://shop.example/back';
    const asked = paydesk.authorizationUrl({ redirect_uri, scope: ['orders.create', 'payments.create'] });
    const url = new URL(asked.url);
    expect(url.origin + url.pathname).toBe(`${bed.service.origin}/authorize`);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      response_type: 'code',
      client_id: 'c1',
      redirect_uri,
      scope: 'orders.create payments.create',
      state: asked.state,
      code_challenge: createHash('sha256').update(asked.code_verifier).digest('base64url'),
      code_challenge_method: 'S256',
    });
    expect(paydesk.authorizationUrl({ redirect_uri, scope: 'x' }).state).not.toBe(asked.state);

    const { code_verifier } = asked;
    const token = { access_token: user_token, token_type: 'Bearer', expires_in: 3600 };
    bed.service.answerTokens({ status: 200, body: token }, { status: 500 });
    expect(await paydesk.exchangeCode({ code: 'c', redirect_uri, code_verifier })).toEqual(token);
    expect(Object.fromEntries(new URLSearchParams(bed.service.tokens[0]?.body))).toEqual({
      grant_type: 'authorization_code',
      code: 'c',
      redirect_uri,
      code_verifier,
      client_id: 'c1',
      client_secret: secret,
    });
    await errorOf(paydesk.exchangeCode({ code: 'c', redirect_uri, code_verifier }));
    expect(bed.service.tokens).toHaveLength(2);
    bed.service.answer({ status: 200, body: { sub: 'us_1' } });
    expect(await paydesk.userInfo(user_token)).toEqual({ sub: 'us_1' });
    expect(seen()).toEqual(['GET /prefix/oauth/userinfo']);
  });
});
