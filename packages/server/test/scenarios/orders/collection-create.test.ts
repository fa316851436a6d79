import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../../src/base/pg/index.ts';
import { verifyBooks } from '../../../src/payments/facts/index.ts';
import {
  addMerchant,
  addUser,
  busyMerchant,
  type Merchant,
  type Order,
  type Platform,
  setUpPlatform,
  validOrder,
} from '../../support/desks/platform.ts';
import {
  expectBalancedBooks,
  type Json,
  request,
  startTestService,
  type TestService,
} from '../../support/desks/service.ts';

let service: TestService;
let platform: Platform;
let merchant: Merchant;

beforeAll(async () => {
  service = await startTestService();
  platform = await setUpPlatform(service);
  merchant = await busyMerchant(service, platform.merchant_no, 8);
});

afterAll(() => service.stop());

/** A valid request with some members replaced; `undefined` removes one. */
function orderWith(changes: Record<string, unknown>): Json {
  const body: Json = { ...validOrder(), ...changes };
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}

async function countOrders(): Promise<bigint> {
  const [row] = await service.db.query<{ count: bigint }>(
    sql`SELECT count(*) AS count FROM collection_orders`,
  );
  return row?.count ?? -1n;
}

describe('the answer to a creation', () => {
  test('R-058, R-052, T1 a valid request answers 201 with exactly the creation members', async () => {
    const { status, body } = await merchant.create(orderWith({ return_url: 'https://shop.example/ok' }));
    expect(status).toBe(201);
    expect(Object.keys(body).sort()).toEqual(
      [
        'amount',
        'amount_minor',
        'checkout_url',
        'currency',
        'currency_decimals',
        'expires_at',
        'external_reference',
        'order_no',
        'payment_no',
        'return_url',
        'status',
        'test_mode',
      ].sort(),
    );
    expect(body).toMatchObject({
      external_reference: 'order-1',
      payment_no: '',
      amount: '10.00',
      amount_minor: 1_000,
      currency: 'USD',
      currency_decimals: 2,
      status: 'pending',
      test_mode: false,
      return_url: 'https://shop.example/ok',
    });
  });

  test('R-008, R-009, R-033 it needs no product and gives an absolute checkout address with a token', async () => {
    const { checkout_url, order_no } = await merchant.order();
    const url = new URL(checkout_url);
    expect(url.origin).toBe(service.url);
    expect(url.pathname).toBe(`/checkout/${order_no}`);
    expect(url.searchParams.get('token')).toMatch(/^[\w-]{64}$/);
    expect((await merchant.read(order_no)).body.checkout_url).toBe(checkout_url);
  });

  test('R-035 return_url is left out where none was stored', async () => {
    expect(await merchant.order({ return_url: '  ' })).not.toHaveProperty('return_url');
  });

  test('H-23 a forged Host header does not show in the checkout address', async () => {
    const { body } = await request<Order>(`${service.url}/openapi/v1/merchant-payments`, 'POST', {
      body: validOrder(),
      headers: { authorization: `Bearer ${merchant.token}`, 'x-forwarded-host': 'evil.example' },
    });
    expect(body.checkout_url.startsWith(`${service.url}/checkout/`)).toBe(true);
  });

  test('R-036, R-071 expires_at is the creation plus the lifetime and stays', async () => {
    const before = Date.now();
    const order = await merchant.order({ expires_in: 600 });
    const life_ms = new Date(order.expires_at).getTime() - before;
    expect(life_ms).toBeGreaterThan(590_000);
    expect(life_ms).toBeLessThan(610_000);
    expect((await merchant.read(order.order_no)).body.expires_at).toBe(order.expires_at);
  });

  const forms: [string, Json, string, number][] = [
    ['USD with zeros', { amount: '10.000000', currency: 'USD' }, '10.00', 1_000],
    ['USD with leading zeros', { amount: '007.50', currency: 'USD' }, '7.50', 750],
    ['JPY', { amount: '100.0', currency: 'JPY' }, '100', 100],
    ['KWD', { amount: '1.2340', currency: 'KWD' }, '1.234', 1_234],
    ['PTK', { amount: '1', currency: 'PTK' }, '1.00000000', 100_000_000],
    ['64 bytes', { amount: `10.${'0'.repeat(61)}`, currency: 'USD' }, '10.00', 1_000],
    ['legacy minor units', { amount: undefined, amount_minor: 1_000, currency: 'KWD' }, '1.000', 1_000],
  ];
  test.each(forms)('R-024, R-093, R-097 %s is normalized', async (_, changes, amount, amount_minor) => {
    const { status, body } = await merchant.create(orderWith(changes));
    expect(status).toBe(201);
    expect(body).toMatchObject({ amount, amount_minor });
  });

  test('R-015, R-083 merchant and buyer members have no effect', async () => {
    const { status, body } = await merchant.create(
      orderWith({ merchant_no: 'mr_X', merchant_id: 'x', user_id: 'y', buyer_id: 'z' }),
    );
    expect(status).toBe(201);
    expect((await merchant.read(body.order_no)).status).toBe(200);
  });
});

describe('refused creations store nothing', () => {
  const refused: [string, Record<string, unknown>, number, string, string | undefined][] = [
    ['R-060 no reference', { external_reference: '  ' }, 400, 'invalid_request', 'external_reference'],
    [
      'R-061 192 bytes',
      { external_reference: 'x'.repeat(192) },
      400,
      'invalid_request',
      'external_reference',
    ],
    ['R-061 64 × €', { external_reference: '€'.repeat(64) }, 400, 'invalid_request', 'external_reference'],
    ['R-063 no key', { idempotency_key: null }, 400, 'invalid_request', 'idempotency_key'],
    ['R-063 129 bytes', { idempotency_key: '€'.repeat(43) }, 400, 'invalid_request', 'idempotency_key'],
    ['R-064 501 bytes', { description: 'x'.repeat(501) }, 400, 'invalid_request', 'description'],
    ['R-066 a number', { payment_no: 5 }, 400, 'invalid_request', 'payment_no'],
    ['R-067 unknown channel', { payment_no: 'ch_UNKNOWN' }, 422, 'channel_unavailable', undefined],
    ['R-068 lower case', { currency: 'usd' }, 422, 'currency_unavailable', 'currency'],
    ['R-068 unknown', { currency: 'XXX' }, 422, 'currency_unavailable', 'currency'],
    ['R-069 no currency', { currency: undefined }, 400, 'invalid_request', 'currency'],
    ['R-070 59 seconds', { expires_in: 59 }, 400, 'invalid_expires_in', 'expires_in'],
    ['R-070 as text', { expires_in: '1800' }, 400, 'invalid_expires_in', 'expires_in'],
    ['R-072 as text', { notify_enabled: 'true' }, 400, 'invalid_request', 'notify_enabled'],
    ['R-075 http', { return_url: 'http://shop.example/' }, 400, 'invalid_return_url', 'return_url'],
    ['R-084 both', { amount_minor: null }, 400, 'invalid_amount', 'amount'],
    ['R-085 neither', { amount: undefined }, 400, 'invalid_amount', 'amount'],
    ['R-086 a number', { amount: 10 }, 400, 'invalid_amount', 'amount'],
    ['R-087 a sign', { amount: '+1' }, 400, 'invalid_amount', 'amount'],
    ['R-089 65 bytes', { amount: `10.${'0'.repeat(62)}` }, 400, 'invalid_amount', 'amount'],
    ['R-090 zero', { amount: '0.000' }, 400, 'invalid_amount', 'amount'],
    ['R-092 precision', { amount: '1.001' }, 400, 'invalid_amount_precision', 'amount'],
    ['R-094 range', { amount: '90071992547409.92' }, 400, 'invalid_amount', 'amount'],
    ['R-095 as text', { amount: undefined, amount_minor: '1000' }, 400, 'invalid_request', 'amount_minor'],
    ['R-098 shape first', { amount: '-1', currency: 'XXX' }, 400, 'invalid_amount', 'amount'],
    ['R-098 then currency', { amount: '1.001', currency: 'XXX' }, 422, 'currency_unavailable', 'currency'],
    [
      'R-239 off with pair',
      { notify_enabled: false, notify_url: 'x' },
      400,
      'invalid_notify_config',
      undefined,
    ],
    ['R-240 no defaults', { notify_enabled: true }, 400, 'invalid_notify_config', undefined],
    ['R-242 URL alone', { notify_url: 'https://8.8.8.8/' }, 400, 'invalid_notify_config', undefined],
  ];
  test.each(refused)('%s', async (_, changes, status, error, field) => {
    const before = await countOrders();
    const answer = await merchant.create(orderWith(changes));
    expect(answer).toMatchObject({ status, body: { error } });
    expect(answer.body).toHaveProperty('error_description');
    if (field !== undefined) expect(answer.body).toHaveProperty('field', field);
    expect(await countOrders()).toBe(before);
  });

  const bodies: [string, string][] = [
    ['nothing', ''],
    ['a broken object', '{'],
    ['an array', '[]'],
    ['null', 'null'],
    ['trailing garbage', '{} x'],
    ['duplicate members', JSON.stringify(validOrder()).replace('{', '{"currency":"USD",')],
    ['a lone surrogate', JSON.stringify(validOrder()).replace('order-1', '\\ud800')],
    [
      'a fraction that a double hides',
      '{"external_reference":"a","idempotency_key":"b","amount_minor":9007199254740991.4,"currency":"USD"}',
    ],
  ];
  test.each(bodies)('R-059, R-096, H-08, H-10 %s is 400 invalid_request', async (_, raw) => {
    const answer = await service.send('POST', '/openapi/v1/merchant-payments', {
      raw,
      headers: { authorization: `Bearer ${merchant.token}`, 'content-type': 'application/json' },
    });
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
  });

  test('R-106, R-141 a currency without a rate is 422 currency_rate_unavailable; PTK needs none', async () => {
    await service.admin('PUT', '/currencies/CHF', { decimals: 2, enabled: true });
    expect(await merchant.create(orderWith({ currency: 'CHF' }))).toMatchObject({
      status: 422,
      body: { error: 'currency_rate_unavailable' },
    });
    await service.admin('PUT', '/rates/CHF', { ptk_price: '0.08' });
    expect((await merchant.create(orderWith({ currency: 'CHF' }))).status).toBe(201);
    expect((await merchant.create(orderWith({ currency: 'PTK', amount: '2' }))).status).toBe(201);
  });
});

describe('idempotency', () => {
  const key = (): string => validOrder().idempotency_key as string;

  test('R-101, R-103 equivalent requests return the same order with the same address and deadline', async () => {
    const idempotency_key = key();
    const first = await merchant.order({ idempotency_key, description: 'x', amount: '10' });
    for (const same of [
      { amount: '10.00', description: ' x ' },
      { amount: undefined, amount_minor: 1_000, description: 'x', payment_no: null },
      { amount: '0010.0', description: 'x', payment_no: ' ', return_url: '', expires_in: 1_800 },
    ]) {
      const { status, body } = await merchant.create(orderWith({ idempotency_key, ...same }));
      expect(status).toBe(201);
      expect(body).toEqual(first);
    }
  });

  const changed: [string, Json, field?: string][] = [
    ['amount', { amount: '10.01' }],
    ['amount beyond precision', { amount: '10.001' }, 'amount'],
    ['amount_minor', { amount: undefined, amount_minor: 1_001 }],
    ['currency', { currency: 'KWD' }],
    ['payment_no', { payment_no: 'ch_OTHER' }],
    ['external_reference', { external_reference: 'order-2' }],
    ['description', { description: 'other' }],
    ['expires_in', { expires_in: 600 }],
    ['return_url', { return_url: 'https://shop.example/' }],
    [
      'notify_url and notify_secret',
      { notify_url: 'https://8.8.8.8/n', notify_secret: 'n'.repeat(32) },
      'notify_url',
    ],
    ['notify_enabled', { notify_enabled: false }],
  ];
  test.each(changed)('R-102, R-105 a changed %s is a conflict', async (what, changes, field = what) => {
    const idempotency_key = key();
    const { order_no } = await merchant.order({ idempotency_key });
    const before = (await merchant.read(order_no)).body;
    const answer = await merchant.create(orderWith({ idempotency_key, ...changes }));
    // The answer names the first member that differs, and repeats no value.
    const error_description = `The idempotency_key was used for an order with another ${field}.`;
    expect(answer).toMatchObject({
      status: 409,
      body: { error: 'payment_conflict', field, error_description },
    });
    expect((await merchant.read(order_no)).body).toEqual(before);
  });

  test('R-247, R-281 no spelling of a notify_url is a finding in the books; a wrong destination is', async () => {
    const secret = { notify_secret: 'n'.repeat(32) };
    for (const url of [
      ...[
        'https://Shop.Example/a',
        'https://shop.example.:0443',
        'https://shop.example:/',
        'HTTPS://8.8.8.8:8443?a',
      ],
      ...['https://bücher.example/', 'https://0x08.8.8.8/', 'https://134744072/', 'https://[2606:4700::1]/'],
      ...['https://%73hop.example/', 'https://xn--bcher-kva.example:444/'],
    ]) {
      expect([url, (await merchant.create(orderWith({ ...secret, notify_url: url }))).status]).toEqual([
        url,
        201,
      ]);
    }
    await expectBalancedBooks(service.db);
    for (const [url, host] of [
      ['https://Shop.Example/a', 'shop.example:443'],
      ['https://bücher.example/', 'xn--bcher-kva.example:443'],
      ['https://0x08.8.8.8/', '8.8.8.8:443'],
      ['https://134744072/', '8.8.8.8:443'],
      ['https://[2606:4700::1]/', '[2606:4700::1]:443'],
      ['https://%73hop.example/', 'shop.example:443'],
    ] as const) {
      const move = (to: string) =>
        service.db.query(sql`UPDATE notifications SET destination = ${to} WHERE url = ${url}`);
      await move('9.9.9.9:443');
      const { findings } = await verifyBooks(service.db);
      const words = expect.stringContaining(`destination should be ${host}, and is 9.9.9.9:443`) as string;
      expect(findings.map((one) => [one.kind, one.words])).toEqual([['notification_differs', words]]);
      await move(host);
    }
  });

  test('R-102 a changed notify_url or notify_secret is a conflict, the same pair is not', async () => {
    const idempotency_key = key();
    const pair = { notify_url: 'https://8.8.8.8/n', notify_secret: 'n'.repeat(32) };
    await merchant.order({ idempotency_key, ...pair });
    const again = (changes: Json) => merchant.create(orderWith({ idempotency_key, ...pair, ...changes }));
    expect((await again({})).status).toBe(201);
    for (const [field, value] of [
      ['notify_url', 'https://8.8.8.8/m'],
      ['notify_secret', 'm'.repeat(32)],
    ] as const) {
      expect(await again({ [field]: value })).toMatchObject({ status: 409, body: { field } });
    }
    const without = { notify_url: undefined, notify_secret: undefined };
    expect(await again(without)).toMatchObject({ status: 409, body: { field: 'notify_url' } });
  });

  test('R-106, R-111 a retry succeeds after the currency and the channel were disabled', async () => {
    await service.admin('PUT', '/currencies/EUR', { decimals: 2, enabled: true });
    await service.admin('PUT', '/rates/EUR', { ptk_price: '0.09' });
    const idempotency_key = key();
    const first = await merchant.order({ idempotency_key, currency: 'EUR' });
    await service.admin('PUT', '/currencies/EUR', { decimals: 3, enabled: false });
    const { status, body } = await merchant.create(orderWith({ idempotency_key, currency: 'EUR' }));
    expect(status).toBe(201);
    expect(body).toEqual(first);
  });

  test('R-108 parallel identical requests make one order', async () => {
    const body = validOrder();
    const answers = await Promise.all(Array.from({ length: 12 }, () => merchant.create(body)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map((answer) => answer.body.order_no)).size).toBe(1);
  });

  test('R-109 parallel requests with different amounts make one order and conflicts', async () => {
    const body = validOrder();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) => merchant.create({ ...body, amount: `${i + 1}.00` })),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, ...Array.from({ length: 7 }, () => 409)]);
  });

  test('R-108 two processes race for one key: one order', async () => {
    const other = await service.another();
    const body = validOrder();
    const send = (url: string) =>
      request<Order>(`${url}/openapi/v1/merchant-payments`, 'POST', {
        body,
        headers: { authorization: `Bearer ${merchant.token}` },
      });
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) => send(i % 2 === 0 ? service.url : other.url)),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    expect(new Set(answers.map((answer) => answer.body.order_no)).size).toBe(1);
  });

  test('R-062, R-110 one reference with different keys makes different orders', async () => {
    const [a, b] = [await merchant.order(), await merchant.order()];
    expect(a.order_no).not.toBe(b.order_no);
  });

  test('R-100 clients of one merchant share the keys, merchants do not', async () => {
    const stranger = await addUser(service, 'Stan Stranger');
    const { merchant_no } = await addMerchant(service, stranger);
    const other = await busyMerchant(service, merchant_no, 1);
    const body = validOrder();
    const mine = (await merchant.create(body)).body;
    expect((await merchant.create(body)).body.order_no).toBe(mine.order_no);
    const theirs = await other.create(body);
    expect(theirs.status).toBe(201);
    expect(theirs.body.order_no).not.toBe(mine.order_no);
  });

  test('R-113 after expiry the old key keeps its order, a new key makes another', async () => {
    const idempotency_key = key();
    const first = await merchant.order({ idempotency_key, expires_in: 60, external_reference: 'again' });
    await service.advance(61);
    const retry = await merchant.create(
      orderWith({ idempotency_key, expires_in: 60, external_reference: 'again' }),
    );
    expect(retry).toMatchObject({ status: 201, body: { order_no: first.order_no, status: 'expired' } });
    const second = await merchant.order({ expires_in: 60, external_reference: 'again' });
    const { body } = await merchant.get<{ items: Order[] }>('/merchant-payments?external_reference=again');
    expect(body.items.map(({ order_no }) => order_no)).toEqual([second.order_no, first.order_no]);
  });

  test('R-114 a refused creation does not use up its key', async () => {
    const idempotency_key = key();
    expect((await merchant.create(orderWith({ idempotency_key, amount: '0' }))).status).toBe(400);
    expect((await merchant.create(orderWith({ idempotency_key, amount: '5' }))).status).toBe(201);
  });

  test('R-115 the merchant is checked before the key', async () => {
    const owner = await addUser(service, 'Ina Inactive');
    const { merchant_no } = await addMerchant(service, owner);
    const closing = await busyMerchant(service, merchant_no, 1);
    const body = validOrder();
    expect((await closing.create(body)).status).toBe(201);
    await service.admin('PATCH', `/merchants/${merchant_no}`, { status: 'inactive', reason: 'closed' });
    expect(await closing.create(body)).toMatchObject({ status: 403, body: { error: 'merchant_inactive' } });
  });

  test('R-056, R-125 later rates and fees change nothing about an order', async () => {
    const order = await merchant.order({ payment_no: platform.ptk_channel });
    const before = (await merchant.read(order.order_no)).body;
    await service.admin('PUT', '/rates/USD', { ptk_price: '0.20' });
    await service.admin('PATCH', `/channels/${platform.ptk_channel}`, {
      fees: [
        {
          currency: 'PTK',
          buyer: { fixed_minor: 0, percent_ppm: 50_000 },
          merchant: { fixed_minor: 0, percent_ppm: 50_000 },
        },
      ],
    });
    expect((await merchant.read(order.order_no)).body).toEqual(before);
    expect((await merchant.order()).order_no).not.toBe(order.order_no);
  });
});
