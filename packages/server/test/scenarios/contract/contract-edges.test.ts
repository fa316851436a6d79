import type { Cardsim } from '@paydesk/cardsim';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { envelopeOf, type LocalReceiver, recordWhere } from '../../support/notifications/notify.ts';
import { type OrderDesk, openOrderDesk, type Session } from '../../support/desks/order-desk.ts';
import {
  addCardChannel,
  addMerchant,
  addUser,
  busyMerchant,
  checkoutOf,
  fromAnywhere,
  type Merchant,
  merchantOf,
  type Order,
  type Platform,
  setUpPlatform,
  signIn,
  validOrder,
} from '../../support/desks/platform.ts';
import { freePort } from '../../support/servers/ports.ts';
import {
  eventually,
  type Json,
  request,
  startTestService,
  type TestService,
} from '../../support/desks/service.ts';

let desk: OrderDesk;
let receiver: LocalReceiver;
let cardsim: Cardsim;
let service: TestService;
let platform: Platform;
let merchant: Merchant;
let card: { payment_no: string };
let buyer: string;

beforeAll(async () => {
  desk = await openOrderDesk();
  ({ receiver, cardsim, service, platform, merchant, card, buyer } = desk);
});

beforeEach(() => {
  receiver.answerWith({ status: 200 });
});

afterAll(() => desk.stop());

const notified = (): Json => ({
  notify_url: receiver.url(),
  notify_secret: randomBytes(24).toString('base64url'),
});

const payByPtk = (order: Order): Promise<void> => desk.payByPtk(order);

const startCard = (order: Order): Promise<Session> => desk.startCard(order);

async function payByCard(order: Order): Promise<void> {
  const { id } = await startCard(order);
  await request(`${cardsim.url}/_sim/sessions/${id}/pay`, 'POST', { body: {} });
  await eventually(
    () => merchant.read(order.order_no),
    ({ body }) => body.status === 'paid',
  );
}

/** Every answer that a merchant or receiver gets in the life of four orders, as name, status and text. */
const answers: { what: string; status: number; text: string; body: Json }[] = [];

/** Every member of a JSON value with its name, at every depth. */
function* membersOf(value: unknown, name = ''): Generator<[string, unknown]> {
  if (Array.isArray(value)) for (const item of value) yield* membersOf(item, name);
  else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      yield [key, inner];
      yield* membersOf(inner, key);
    }
  }
}

const everyMember = (): [string, unknown][] => answers.flatMap(({ body }) => [...membersOf(body)]);

beforeAll(async () => {
  const orders: [string, (order: Order) => Promise<unknown>, Json][] = [
    ['pending', () => Promise.resolve(), { return_url: 'https://shop.example/1' }],
    ['paid with PTK', payByPtk, { amount: '7.50' }],
    ['paid by card', payByCard, { amount: '1.234', currency: 'KWD' }],
    ['expired', () => Promise.resolve(), { amount: '100', currency: 'JPY', expires_in: 60 }],
    ['in review', startCard, { expires_in: 60 }],
  ];
  const note = ({ status, text, body }: { status: number; text: string; body: Json }, what: string): void => {
    answers.push({ what, status, text, body });
  };
  for (const [what, live, changes] of orders) {
    const created = await merchant.create({ ...validOrder(), ...notified(), ...changes });
    note(created, `creation, ${what}`);
    const { order_no } = created.body;
    await live(created.body);
    if (changes.expires_in !== undefined) await service.advance(60);
    note(await merchant.read(order_no), `reading, ${what}`);
    note(await merchant.get(`/merchant-payments?order_no=${order_no}`), `listing, ${what}`);
    const { status } = (await merchant.read(order_no)).body;
    await recordWhere(
      merchant,
      created.body,
      status,
      ({ delivery_status }) => delivery_status === 'delivered',
    );
    note(await merchant.get(`/merchant-payments/${order_no}/notifications`), `records, ${what}`);
  }
  note(await merchant.get('/merchant-payment-channels'), 'channels');
});

describe('what every answer has in common', () => {
  test('R-296 R-004 success is bare JSON: 200 or 201, an object, and no data around it', () => {
    expect(answers.length).toBeGreaterThan(20);
    for (const { what, status, body } of answers) {
      expect([what, status]).toEqual([what, what.startsWith('creation') ? 201 : 200]);
      expect(body).not.toHaveProperty('data');
      expect(body).not.toHaveProperty('error');
    }
  });

  test('R-003 the token currency is PTK, ptk and *_ptk, and has no other name', () => {
    for (const { text } of answers) {
      // Random identifiers may spell anything.
      const words = text.replace(/[\w-]{20,}/g, '');
      expect(words).not.toMatch(/tdc/i);
      for (const [spelling] of words.matchAll(/ptk/gi)) expect(['PTK', 'ptk']).toContain(spelling);
    }
    const members = everyMember();
    const valuesOf = (name: string): Set<unknown> =>
      new Set(members.filter(([member]) => member === name).map(([, value]) => value));
    expect(valuesOf('provider')).toEqual(new Set(['ptk', 'cardprov']));
    expect(valuesOf('payment_currency')).toEqual(new Set(['PTK', 'KWD', 'USD']));
  });

  test('R-006 R-036 R-051 H-27 times are RFC 3339, with a zone: ours in UTC', () => {
    const always = ['expires_at', 'occurred_at', 'created_at', 'started_at', 'finished_at'];
    // Null but while a delivery waits, which a record may or may not do when it is listed.
    const times = [...always, 'next_attempt_at'];
    const found = everyMember().filter(([name, value]) => times.includes(name) && value !== null);
    expect(found.map(([name]) => name)).toEqual(expect.arrayContaining(always));
    for (const [name, value] of found) {
      expect([name, value]).toEqual([
        name,
        expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/),
      ]);
      expect(Number.isNaN(Date.parse(value as string))).toBe(false);
    }
    // Where we say when, it is in UTC (H-27); when a payment occurred is as the channel says it.
    const ours = found.filter(([name]) => name !== 'occurred_at');
    for (const [name, value] of ours) expect([name, value]).toEqual([name, expect.stringMatching(/Z$/)]);
    for (const { headers } of receiver.received) {
      expect(headers['x-service-timestamp']).toMatch(/^[1-9][0-9]{9}$/);
    }
  });

  test('R-007 identifiers are strings', () => {
    const names = ['order_no', 'payment_no', 'event_id', 'provider_trade_no', 'id'];
    const found = everyMember().filter(([name]) => names.includes(name));
    expect(new Set(found.map(([name]) => name))).toEqual(new Set(names));
    for (const [name, value] of found) expect([name, typeof value]).toEqual([name, 'string']);
  });

  test('R-016 R-029 a status is one of six words, never a number', () => {
    const statuses = everyMember().filter(([name]) => name === 'status');
    expect(new Set(statuses.map(([, value]) => value))).toEqual(
      new Set(['pending', 'paid', 'expired', 'review']),
    );
  });

  test('R-027 R-026 R-048 R-049 codes are upper case, minor units integers, PTK figures strings of digits', () => {
    for (const [name, value] of everyMember()) {
      if (name === 'currency' || name === 'payment_currency') expect(value).toMatch(/^[A-Z]{3}$/);
      if (name.endsWith('_ptk')) expect(value).toMatch(/^(0|[1-9][0-9]*)$/);
    }
    for (const { what, text, body } of answers) {
      for (const [, token] of text.matchAll(/"amount_minor":\s*([^,}]*)/g)) {
        expect(token).toMatch(/^[1-9][0-9]*$/);
      }
      if (what.startsWith('reading')) {
        expect(body).toHaveProperty('merchant_fee_ptk');
        expect(body).toHaveProperty('gross_settlement_ptk');
      }
    }
  });

  test('R-054 R-384 no order shows what is not of it: description, keys, addresses, buyers', () => {
    const names = new Set(everyMember().map(([name]) => name));
    for (const absent of [
      'description',
      'idempotency_key',
      'notify_url',
      'notify_secret',
      'user_id',
      'buyer',
    ]) {
      expect(names).not.toContain(absent);
    }
  });

  test('R-040 a card payment occurred when the provider says, in its own words for it', async () => {
    const reading = answers.find(({ what }) => what === 'reading, paid by card');
    const { body } = await request<{ items: { created: number; type: string; data: { object: Session } }[] }>(
      `${cardsim.url}/_sim/events`,
      'GET',
    );
    const completed = body.items.find(
      ({ type, data }) =>
        type === 'checkout.session.completed' && data.object.metadata.order_no === reading?.body.order_no,
    );
    const occurred_at = reading?.body.occurred_at as string;
    expect(occurred_at).toMatch(/Z$/);
    expect(Math.abs(Date.parse(occurred_at) / 1_000 - (completed?.created ?? 0))).toBeLessThanOrEqual(2);
  });
});

describe('requests', () => {
  test('R-005 D-018 a creation says application/json', async () => {
    const raw = JSON.stringify(validOrder());
    const post = (type: string): Promise<{ status: number; body: Json }> =>
      service.send('POST', '/openapi/v1/merchant-payments', {
        raw,
        headers: { authorization: `Bearer ${merchant.token}`, 'content-type': type },
      });
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json-patch+json']) {
      expect(await post(type)).toMatchObject({ status: 415, body: { error: 'unsupported_media_type' } });
    }
    expect((await post('application/json; charset=utf-8')).status).toBe(201);
  });

  test('R-020 R-017 there is one version, and nothing to negotiate it with', async () => {
    const { order_no } = await merchant.order();
    const ask = (path: string, headers: Record<string, string> = {}) =>
      service.send('GET', path, { headers: { authorization: `Bearer ${merchant.token}`, ...headers } });
    const plain = await ask(`/openapi/v1/merchant-payments/${order_no}`);
    for (const headers of [
      { accept: 'application/vnd.paydesk.v2+json' },
      { 'api-version': '2', 'x-api-version': '2', 'accept-version': '2' },
    ]) {
      const answer = await ask(`/openapi/v1/merchant-payments/${order_no}?api_version=2`, headers);
      expect([answer.status, answer.text]).toEqual([200, plain.text]);
    }
    for (const prefix of ['/openapi/v2', '/openapi', '/v1', '']) {
      expect((await ask(`${prefix}/merchant-payments/${order_no}`)).status).toBe(404);
    }
  });

  const references = [
    '  spaced out  ',
    'e\u0301 is not \u00e9', // composed and decomposed stay apart
    'שלום / 你好 / 👩🏽‍🚀',
    '"quoted" \\ back\u2028line\ttab',
    '<b>&amp;</b>%20+',
    '0012345678901234567890',
    'null',
  ];
  test.each(references)('R-022 the reference %j comes back byte for byte', async (external_reference) => {
    const stored = external_reference.trim();
    const order = await merchant.order({ external_reference });
    expect(order.external_reference).toBe(stored);
    expect((await merchant.read(order.order_no)).body.external_reference).toBe(stored);
    const query = new URLSearchParams({ external_reference: stored }).toString();
    const { body } = await merchant.get<{ items: Order[] }>(`/merchant-payments?${query}`);
    expect(body.items.map(({ order_no }) => order_no)).toEqual([order.order_no]);
  });

  test.each([
    ['007.50', 'USD', '7.50', 750],
    ['000000000000000000000000000000000000000000000000000000000000.01', 'USD', '0.01', 1],
    ['00', 'JPY', null, 0],
    ['010', 'JPY', '10', 10],
  ] as const)('R-091 leading zeros: %s %s', async (amount, currency, normalized, amount_minor) => {
    const { status, body } = await merchant.create({ ...validOrder(), amount, currency });
    if (normalized === null) expect([status, (body as Json).error]).toEqual([400, 'invalid_amount']);
    else expect(body).toMatchObject({ amount: normalized, amount_minor });
  });

  test('R-104 R-071 no lifetime, null and 1800 are the same lifetime; another is a conflict', async () => {
    for (const first of [{}, { expires_in: null }, { expires_in: 1_800 }]) {
      const body = validOrder();
      const order = (await merchant.create({ ...body, ...first })).body;
      for (const again of [{}, { expires_in: null }, { expires_in: 1_800 }]) {
        const answer = await merchant.create({ ...body, ...again });
        expect([answer.status, answer.body]).toEqual([201, order]);
      }
      for (const other of [1_799, 1_801, 60]) {
        expect((await merchant.create({ ...body, expires_in: other })).status).toBe(409);
      }
    }
  });

  test('R-010 R-261 the service asks the merchant nothing: refusing every call changes no payment', async () => {
    receiver.answerWith({ status: 403, body: 'do not sell' });
    const order = await merchant.order({
      ...notified(),
      return_url: receiver.url('/return'),
      notify_url: receiver.url('/told'),
    });
    await payByPtk(order);
    const { body } = await merchant.read(order.order_no);
    expect(body.status).toBe('paid');
    await eventually(
      () => Promise.resolve(receiver.of(order).length),
      (count) => count === 2,
    );
    for (const { method, path } of receiver.received.filter(({ path }) => path !== '/hook')) {
      expect([method, path]).toEqual(['POST', '/told']);
    }
  });
});

describe('what a status means', () => {
  const postingsOf = async ({ order_no }: Order): Promise<unknown[]> =>
    (await service.admin<{ postings: unknown[] }>('GET', `/collection-orders/${order_no}`)).postings;

  test('R-012 R-011 R-020 neither a visit, a return nor a parameter pays an order', async () => {
    const order = await merchant.order({
      payment_no: card.payment_no,
      return_url: 'https://shop.example/ok',
    });
    const before = (await merchant.read(order.order_no)).text;
    expect(JSON.parse(before)).toMatchObject({ status: 'pending', settlement_ptk: '10000000000' });
    const page = await fetch(
      `${order.checkout_url}&status=paid&return_url=https://evil.example/&event_id=pe_1`,
    );
    expect(await page.text()).not.toContain('evil.example');
    const cookie = page.headers
      .getSetCookie()
      .map((one) => one.split(';', 1)[0])
      .join('; ');
    const back = await service.send(
      'GET',
      `/checkout/return/${order.order_no}?status=paid&session_id=cs_1&redirect_status=succeeded`,
      { headers: { cookie, ...fromAnywhere() } },
    );
    expect(back.status).toBe(303);
    expect((await merchant.read(order.order_no)).text).toBe(before);
    await startCard(order);
    await service.send('GET', `/checkout/return/${order.order_no}`, {
      headers: { cookie, ...fromAnywhere() },
    });
    const { body } = await merchant.read(order.order_no);
    expect(body).toMatchObject({ status: 'pending', status_version: 1 });
    expect(body).not.toHaveProperty('event_id');
    expect(await postingsOf(order)).toEqual([]);
  });

  test('R-011 R-142 a caller who reads paid finds it in the books; in review the money may still come', async () => {
    const order = await merchant.order();
    const checkout = checkoutOf(service, order, buyer);
    const method = await checkout.methodOf('ptk');
    const [, seen] = await Promise.all([
      checkout.start(method),
      eventually(
        async () => ({ read: await merchant.read(order.order_no), postings: await postingsOf(order) }),
        ({ read }) => read.body.status === 'paid',
      ),
    ]);
    expect(seen.postings).toHaveLength(1);

    const reviewed = await merchant.order({ expires_in: 60 });
    const { id } = await startCard(reviewed);
    // A worker may ask the provider before the order is read.
    const body = { endpoint: 'sessions.retrieve', mode: 'status', status: 500, times: 100 };
    await request(`${cardsim.url}/_sim/faults`, 'POST', { body });
    await service.advance(60);
    expect((await merchant.read(reviewed.order_no)).body).toMatchObject({
      status: 'review',
      fee_status: 'quoted',
      occurred_at: null,
    });
    expect(await postingsOf(reviewed)).toEqual([]);
    await request(`${cardsim.url}/_sim/faults`, 'DELETE');
    await service.advance(125);
    const paying = await request(`${cardsim.url}/_sim/sessions/${id}/pay`, 'POST', { body: {} });
    const end = paying.status === 200 ? 'paid' : 'expired';
    await eventually(
      async () => {
        await service.admin('POST', '/jobs/reconcile/run');
        return merchant.read(reviewed.order_no);
      },
      ({ body }) => body.status === end,
    );
  });

  test('R-176 a creation is pending, and tells so only where it was asked to', async () => {
    for (const [changes, events] of [
      [notified(), 1],
      [{}, 0],
    ] as const) {
      const order = await merchant.order(changes);
      expect(order.status).toBe('pending');
      const { body } = await merchant.get<{ items: { event: { data: Json } }[] }>(
        `/merchant-payments/${order.order_no}/notifications`,
      );
      expect(body.items.map(({ event }) => event.data.status)).toEqual(events === 1 ? ['pending'] : []);
    }
  });

  test('R-023 R-032 R-126 D-044 payment_no is empty until a channel is bound, and again after a refusal', async () => {
    const refuse = () =>
      request(`${cardsim.url}/_sim/faults`, 'POST', {
        body: {
          endpoint: 'sessions.create',
          mode: 'status',
          status: 402,
          body: { error: { type: 'card_error', message: 'no' } },
        },
      });
    const free = await merchant.order();
    const restricted = await merchant.order({ payment_no: card.payment_no });
    const payment_no = async ({ order_no }: Order): Promise<unknown> =>
      (await merchant.read(order_no)).body.payment_no;
    expect([await payment_no(free), await payment_no(restricted)]).toEqual(['', card.payment_no]);
    for (const order of [free, restricted]) {
      await refuse();
      const checkout = checkoutOf(service, order);
      expect(await checkout.start(await checkout.methodOf('cardprov'))).toMatchObject({
        status: 422,
        body: { error: 'provider_checkout_rejected' },
      });
    }
    expect([await payment_no(free), await payment_no(restricted)]).toEqual(['', card.payment_no]);
    for (const order of [free, restricted]) {
      await startCard(order);
      expect((await merchant.read(order.order_no)).body).toMatchObject({
        payment_no: card.payment_no,
        fee_status: 'quoted',
        status_version: 1,
      });
    }
  });

  test('R-204 R-202 R-205 after a connection that broke, a refusal proves nothing: the method stays locked', async () => {
    const fault = (body: Json) => request(`${cardsim.url}/_sim/faults`, 'POST', { body });
    const order = await merchant.order();
    await fault({ endpoint: 'sessions.create', mode: 'reset_after' });
    await fault({
      endpoint: 'sessions.create',
      mode: 'status',
      status: 400,
      body: { error: { type: 'invalid_request_error', message: 'no' } },
    });
    const checkout = checkoutOf(service, order, buyer);
    const method = await checkout.methodOf('cardprov');
    const pending = { status: 202, body: { error: 'provider_result_pending' } };
    expect(await checkout.start(method)).toMatchObject(pending);
    expect(await checkout.start(method)).toMatchObject(pending);
    expect(await checkout.start(await checkout.methodOf('ptk'))).toMatchObject({ status: 409 });
    expect((await checkout.start(method)).status).toBe(200);
  });
});

interface Fees {
  fixed_minor: number;
  percent_ppm: number;
  cap_minor?: number;
}
const none: Fees = { fixed_minor: 0, percent_ppm: 0 };

describe('fees and conversion, through real orders', () => {
  /** Per vector: the invoice, the price of 1 PTK, both fees, and what the order then says. */
  const vectors: [string, string, string, string, Fees, Fees, Json][] = [
    [
      'R-117 A1',
      '10.00',
      'USD',
      '0.10',
      { fixed_minor: 30, percent_ppm: 29_000 },
      { fixed_minor: 10, percent_ppm: 15_000 },
      {
        buyer_fee: '0.60',
        payment_amount: '10.60',
        merchant_fee: '0.26',
        gross_settlement_ptk: '10000000000',
        merchant_fee_ptk: '260000000',
        settlement_ptk: '9740000000',
      },
    ],
    [
      'R-121 A2',
      '100',
      'JPY',
      '15',
      { fixed_minor: 0, percent_ppm: 3_000 },
      none,
      { buyer_fee: '1', payment_amount: '101', payment_currency: 'JPY' },
    ],
    [
      'R-120 A3 up',
      '10.00',
      'USD',
      '0.10',
      { fixed_minor: 0, percent_ppm: 2_500 },
      none,
      { buyer_fee: '0.03' },
    ],
    [
      'R-120 A3 down',
      '10.00',
      'USD',
      '0.10',
      { fixed_minor: 0, percent_ppm: 2_499 },
      none,
      { buyer_fee: '0.02' },
    ],
    [
      'R-117 A4',
      '1000.00',
      'USD',
      '0.10',
      { fixed_minor: 50, percent_ppm: 30_000, cap_minor: 1_000 },
      none,
      { buyer_fee: '10.50', payment_amount: '1010.50' },
    ],
    [
      'R-122 A5',
      '10.00',
      'USD',
      '0.10',
      none,
      none,
      { buyer_fee: '0.00', merchant_fee: '0.00', merchant_fee_ptk: '0', settlement_ptk: '10000000000' },
    ],
    [
      'R-116 A6',
      '1.000',
      'KWD',
      '0.03',
      { fixed_minor: 0, percent_ppm: 10_000 },
      none,
      { buyer_fee: '0.010' },
    ],
    [
      'R-124 A7 just usable',
      '0.31',
      'USD',
      '0.10',
      none,
      { fixed_minor: 30, percent_ppm: 0 },
      { merchant_fee: '0.30', settlement_ptk: '10000000' },
    ],
    [
      'R-117 A9',
      '1000.00',
      'USD',
      '0.10',
      { fixed_minor: 500, percent_ppm: 50_000 },
      none,
      { buyer_fee: '55.25', payment_amount: '1055.25' },
    ],
    [
      'R-049 A10',
      '90071992547409.91',
      'USD',
      '0.10',
      none,
      none,
      { gross_settlement_ptk: '90071992547409910000000', payment_amount: '90071992547409.91' },
    ],
    [
      'R-117 A11',
      '10.00',
      'USD',
      '0.10',
      { fixed_minor: 0, percent_ppm: 30_000, cap_minor: 0 },
      none,
      { buyer_fee: '0.00', payment_amount: '10.00' },
    ],
    [
      'R-117 A12',
      '50.00',
      'USD',
      '1.00',
      { fixed_minor: 100, percent_ppm: 20_000 },
      { fixed_minor: 50, percent_ppm: 30_000, cap_minor: 100 },
      {
        buyer_fee: '2.02',
        payment_amount: '52.02',
        merchant_fee: '1.50',
        gross_settlement_ptk: '5000000000',
        merchant_fee_ptk: '150000000',
        settlement_ptk: '4850000000',
      },
    ],
  ];

  const channelWith = async (
    currency: string,
    buyer_fee: Fees,
    merchant_fee: Fees,
    name = `Card in ${currency}`,
  ): Promise<string> =>
    (
      await addCardChannel(service, cardsim.url, {
        name,
        currency,
        supported_currencies: [currency],
        fees: [{ currency, buyer: buyer_fee, merchant: merchant_fee }],
      })
    ).payment_no;

  const minor = (amount: unknown): bigint => BigInt((amount as string).replace('.', ''));

  test.each(vectors)(
    '%s: %s %s at %s',
    async (_, amount, currency, ptk_price, buyer_fee, merchant_fee, expected) => {
      const payment_no = await channelWith(currency, buyer_fee, merchant_fee);
      await service.admin('PUT', `/rates/${currency}`, { ptk_price });
      const order = await merchant.order({ amount, currency, payment_no });
      const { body } = await merchant.read(order.order_no);
      expect(body).toMatchObject({ payment_currency: currency, ...expected });
      // for every vector.
      expect(BigInt(body.settlement_ptk as string)).toBe(
        BigInt(body.gross_settlement_ptk as string) - BigInt(body.merchant_fee_ptk as string),
      );
      expect(BigInt(body.settlement_ptk as string)).toBeGreaterThan(0n);
      expect(minor(body.payment_amount) - minor(body.buyer_fee)).toBe(minor(body.amount));
      const state = await checkoutOf(service, order).state();
      expect(state.body.methods[0]).toMatchObject({
        payment_subtotal: body.amount,
        buyer_fee: body.buyer_fee,
        payment_amount: body.payment_amount,
      });
    },
  );

  test('R-116 R-123 R-050 R-051 A8 with PTK the invoice is converted first, and the fees are of PTK', async () => {
    await service.admin('PUT', '/rates/USD', { ptk_price: '0.07' });
    const change = (buyer_ppm: number, merchant_ppm: number) =>
      service.admin('PATCH', `/channels/${platform.ptk_channel}`, {
        fees: [
          {
            currency: 'PTK',
            buyer: { fixed_minor: 0, percent_ppm: buyer_ppm },
            merchant: { fixed_minor: 0, percent_ppm: merchant_ppm },
          },
        ],
      });
    await change(10_000, 20_000);
    const order = await merchant.order({ amount: '9.99', payment_no: platform.ptk_channel });
    await change(0, 0);
    await service.admin('PUT', '/rates/USD', { ptk_price: '0.10' });
    const before = (await merchant.read(order.order_no)).body;
    expect(before).toMatchObject({
      amount: '9.99',
      payment_currency: 'PTK',
      buyer_fee: '1.42714286',
      payment_amount: '144.14142857',
      merchant_fee: '2.88282857',
      merchant_fee_ptk: '288282857',
      gross_settlement_ptk: '14271428571',
      settlement_ptk: '13983145714',
    });
    await payByPtk(order);
    const after = (await merchant.read(order.order_no)).body;
    for (const name of Object.keys(before).filter((key) => /fee|payment|amount|settlement/.test(key))) {
      expect([name, after[name]]).toEqual([name, before[name]]);
    }
  });

  test('R-124 A7 a method whose fees reach the invoice cannot be chosen, and shows so beside others', async () => {
    const payment_no = await channelWith('USD', none, { fixed_minor: 30, percent_ppm: 0 }, 'Too dear');
    for (const amount of ['0.30', '0.29', '0.01']) {
      expect(await merchant.create({ ...validOrder(), amount, payment_no })).toMatchObject({
        status: 422,
        body: { error: 'channel_unavailable' },
      });
    }
    for (const [amount, isUsable] of [
      ['0.30', false],
      ['0.31', true],
    ] as const) {
      const { body } = await checkoutOf(service, await merchant.order({ amount })).state();
      const usable = body.methods.filter((method) => method.usable).map(({ name }) => name);
      expect(usable).toContain('PTK wallet');
      expect(usable.includes('Too dear')).toBe(isUsable);
    }
  });
});

describe('holds', () => {
  test('R-147 R-145 R-130 the held amounts of the orders add up to the merchant’s held amount, and each is released once', async () => {
    const { merchant_no } = await addMerchant(service, await addUser(service, 'Hal Hold'), { hold_days: 2 });
    const shop = await busyMerchant(service, merchant_no, 1);
    const wallet = (): Promise<Record<string, string>> =>
      service.admin('GET', `/merchants/${merchant_no}/wallet`);
    let held = 0n;
    for (const amount of ['1.00', '2.50', '10.00']) {
      const order = await shop.order({ amount });
      await payByPtk(order);
      held += BigInt((await shop.read(order.order_no)).body.settlement_ptk as string);
      expect(await wallet()).toMatchObject({ held_ptk: held.toString(), available_ptk: '0' });
    }
    await service.advance(2 * 86_400 - 60);
    await service.admin('POST', '/jobs/release-holds/run');
    expect(await wallet()).toMatchObject({ held_ptk: held.toString(), available_ptk: '0' });
    await service.advance(60);
    await Promise.all([1, 2, 3].map(() => service.admin('POST', '/jobs/release-holds/run')));
    const released = await eventually(wallet, ({ held_ptk }) => held_ptk === '0');
    expect(released).toMatchObject({ available_ptk: held.toString() });
    await service.admin('POST', '/jobs/release-holds/run');
    expect(await wallet()).toEqual(released);
  });
});

describe('a base address with a path', () => {
  test('R-001 R-002 R-033 an order lives wholly below it: token, creation, page, payment, way back, notification', async () => {
    const port = await freePort();
    const base = `http://127.0.0.1:${port}/pay/desk`;
    const prefixed = await startTestService({
      env: { ...receiver.env, PORT: String(port), PAYDESK_PUBLIC_URL: base },
    });
    expect(prefixed.url).toBe(base);
    const there = await setUpPlatform(prefixed);
    const shop = await merchantOf(prefixed, there.client);
    const order = await shop.order(notified());
    expect(order.checkout_url.startsWith(`${base}/checkout/${order.order_no}?token=`)).toBe(true);

    const page = await fetch(order.checkout_url);
    expect(page.status).toBe(200);
    const html = await page.text();
    const links = [...html.matchAll(/(?:href|src|action)="([^"#][^"]*)"/g)]
      .map(([, link]) => link ?? '')
      .filter((link) => !link.startsWith('data:'));
    // Style sheets, pictures, and the script that the page asks for once it has painted.
    const files = [...html.matchAll(/(?:src|rel="stylesheet" href)="([^"]*)"|"src":"([^"]*)"/g)].map(
      ([, link, script]) => link ?? script ?? '',
    );
    links.push(...files);
    for (const file of files) {
      expect([file, (await fetch(new URL(file, order.checkout_url))).status]).toEqual([file, 200]);
    }
    expect(files.length).toBeGreaterThan(0);
    for (const link of links) {
      const { origin, pathname } = new URL(link.replaceAll('&amp;', '&'), order.checkout_url);
      expect([link, origin === new URL(base).origin && pathname.startsWith('/pay/desk/')]).toEqual([
        link,
        true,
      ]);
    }
    for (const cookie of page.headers.getSetCookie()) expect(cookie).toMatch(/; Path=\/pay\/desk\//i);

    const cookie = await signIn(prefixed, there.buyer);
    const checkout = checkoutOf(prefixed, order, cookie);
    const paid = await checkout.start(await checkout.methodOf('ptk'));
    expect([paid.status, paid.body]).toEqual([200, { status: 'paid' }]);
    expect((await shop.read(order.order_no)).body.status).toBe('paid');
    await eventually(
      () => Promise.resolve(receiver.of(order).map((seen) => envelopeOf(seen).data.status)),
      (statuses) => statuses.includes('paid'),
    );
    const beside = await request(`http://127.0.0.1:${port}/openapi/v1/merchant-payments`, 'POST', {
      body: validOrder(),
      headers: { authorization: `Bearer ${shop.token}` },
    });
    expect(beside.status).toBe(404);
    await prefixed.stop();
  });
});
