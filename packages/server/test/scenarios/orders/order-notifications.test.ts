import type { Cardsim } from '@paydesk/cardsim';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type DeliveryRecord,
  envelopeOf,
  isAuthentic,
  type LocalReceiver,
  recordsOf,
  recordWhere,
  setDefaults,
} from '../../support/notifications/notify.ts';
import { type OrderDesk, openOrderDesk } from '../../support/desks/order-desk.ts';
import {
  addClient,
  addMerchant,
  addUser,
  busyMerchant,
  checkoutOf,
  type Merchant,
  merchantOf,
  type Order,
  type Platform,
  setUpPlatform,
  tokenFor,
  validOrder,
} from '../../support/desks/platform.ts';
import type { Received } from '../../support/servers/receiver.ts';
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

const newSecret = (): string => randomBytes(24).toString('base64url');

beforeAll(async () => {
  desk = await openOrderDesk();
  ({ receiver, cardsim, service, platform, merchant } = desk);
});

beforeEach(() => {
  receiver.answerWith({ status: 200 });
});

afterAll(() => desk.stop());

/** An order that notifies this receiver under a secret of its own. */
async function notifyingOrder(body: Json = {}): Promise<{ order: Order; secret: string }> {
  const secret = newSecret();
  const order = await merchant.order({ notify_url: receiver.url(), notify_secret: secret, ...body });
  return { order, secret };
}

/** A merchant of its own with these notification defaults. */
async function merchantWith(
  defaults?: Omit<Parameters<typeof setDefaults>[2], 'url'> & { url?: string },
): Promise<{ shop: Merchant; merchant_no: string }> {
  const { merchant_no } = await addMerchant(service, await addUser(service, 'Dora Defaults'));
  if (defaults !== undefined) await setDefaults(service, merchant_no, { url: receiver.url(), ...defaults });
  return { shop: await busyMerchant(service, merchant_no, 2), merchant_no };
}

/** All deliveries of an order, once there are this many. */
const deliveries = (order: Pick<Order, 'order_no'>, count: number): Promise<Received[]> =>
  eventually(
    () => Promise.resolve(receiver.of(order)),
    (found) => found.length >= count,
  );

const payByPtk = (order: Order): Promise<void> => desk.payByPtk(order);

const replay = (caller: Merchant, { order_no }: Order, event_id: string) =>
  caller.send('POST', `/merchant-payments/${order_no}/notifications/${event_id}/retry`);

const delivered = ({ delivery_status }: DeliveryRecord): boolean => delivery_status === 'delivered';
const attempted =
  (times: number) =>
  ({ delivery_attempts }: DeliveryRecord): boolean =>
    delivery_attempts.filter(({ finished_at }) => finished_at !== undefined).length === times;

/** After failed attempts 1 to 9. */
const delays_s = [60, 300, 900, 1_800, 3_600, 7_200, 14_400, 21_600, 28_800];

/** Lets the ten automatic attempts of an order's pending event fail. */
async function exhaust(caller: Merchant, order: Order): Promise<DeliveryRecord> {
  for (const [i, delay_s] of delays_s.entries()) {
    await recordWhere(caller, order, 'pending', attempted(i + 1));
    await service.advance(delay_s);
  }
  return recordWhere(caller, order, 'pending', ({ delivery_status }) => delivery_status === 'failed');
}

describe('how a creation configures notifications', () => {
  const secrets = { enabled: newSecret(), disabled: newSecret(), explicit: newSecret() };
  const shops: Record<string, Merchant> = {};

  beforeAll(async () => {
    shops.none = (await merchantWith()).shop;
    for (const state of ['enabled', 'disabled'] as const) {
      const url = receiver.url(`/default/${state}`);
      const { shop } = await merchantWith({ url, enabled: state === 'enabled', secret: secrets[state] });
      shops[state] = shop;
    }
  });

  const members = (): Json => ({ notify_url: receiver.url('/explicit'), notify_secret: secrets.explicit });
  const pair = ['notify_url', 'notify_secret'];
  const url = ['notify_url'];
  const secret = ['notify_secret'];
  const never: string[] = [];
  const nulls = 'null for both';

  type Outcome = 'nothing' | 'defaults' | 'explicit' | 'refused';
  /** Per row: what stands beside `notify_enabled`, its value, and the outcome without, with and with disabled defaults. */
  const table: [
    string,
    string[] | typeof nulls,
    unknown,
    Record<'none' | 'enabled' | 'disabled', Outcome>,
  ][] = [
    ['R-237', never, undefined, { none: 'nothing', enabled: 'defaults', disabled: 'nothing' }],
    ['R-237 R-081', nulls, null, { none: 'nothing', enabled: 'defaults', disabled: 'nothing' }],
    ['R-238', never, false, { none: 'nothing', enabled: 'nothing', disabled: 'nothing' }],
    ['R-239', nulls, false, { none: 'nothing', enabled: 'nothing', disabled: 'nothing' }],
    ['R-239', pair, false, { none: 'refused', enabled: 'refused', disabled: 'refused' }],
    ['R-239', url, false, { none: 'refused', enabled: 'refused', disabled: 'refused' }],
    ['R-239', secret, false, { none: 'refused', enabled: 'refused', disabled: 'refused' }],
    ['R-240', never, true, { none: 'refused', enabled: 'defaults', disabled: 'refused' }],
    ['R-240', pair, true, { none: 'explicit', enabled: 'explicit', disabled: 'explicit' }],
    ['R-241', pair, undefined, { none: 'explicit', enabled: 'explicit', disabled: 'explicit' }],
    ['R-241', pair, null, { none: 'explicit', enabled: 'explicit', disabled: 'explicit' }],
    ['R-242', url, true, { none: 'refused', enabled: 'refused', disabled: 'refused' }],
    ['R-242', url, null, { none: 'refused', enabled: 'refused', disabled: 'refused' }],
    ['R-242', url, undefined, { none: 'refused', enabled: 'refused', disabled: 'refused' }],
    ['R-242', secret, true, { none: 'refused', enabled: 'refused', disabled: 'refused' }],
    ['R-242', secret, null, { none: 'refused', enabled: 'refused', disabled: 'refused' }],
    ['R-242', secret, undefined, { none: 'refused', enabled: 'refused', disabled: 'refused' }],
  ];
  const rows = table.flatMap(([names, beside, enabled, outcomes]) =>
    (['none', 'enabled', 'disabled'] as const).map((defaults) => ({
      names,
      said: `notify_enabled ${String(enabled)}, ${beside.length === 0 ? 'no pair' : String(beside)}`,
      beside,
      enabled,
      defaults,
      outcome: outcomes[defaults],
    })),
  );

  function requestOf({ beside, enabled }: Pick<(typeof rows)[number], 'beside' | 'enabled'>): Json {
    const all = members();
    const notify = pair
      .filter((name) => beside === nulls || beside.includes(name))
      .map((name): [string, unknown] => [name, beside === nulls ? null : all[name]]);
    return {
      ...validOrder(),
      ...Object.fromEntries<unknown>(notify),
      ...(enabled === undefined ? {} : { notify_enabled: enabled }),
    };
  }

  // What is sent is looked at together at the end: nothing that arrives late must escape the rows of 'nothing'.
  const made: { order_no: string; outcome: Outcome; defaults: 'none' | 'enabled' | 'disabled' }[] = [];

  test.each(rows)('$names $said, defaults $defaults: $outcome', async (row) => {
    const shop = shops[row.defaults] as Merchant;
    const answer = await shop.create(requestOf(row));
    if (row.outcome === 'refused') {
      expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_notify_config' } });
      return;
    }
    expect(answer.status).toBe(201);
    made.push({ ...row, order_no: answer.body.order_no });
    const records = await recordsOf(shop, answer.body);
    expect(records.map(({ event }) => event.data.status)).toEqual(
      row.outcome === 'nothing' ? [] : ['pending'],
    );
  });

  test('R-237 R-238 R-240 R-241 R-270 each is delivered where it says, under its key, or not at all', async () => {
    const told = made.filter(({ outcome }) => outcome !== 'nothing');
    expect(told.length).toBeGreaterThan(9);
    for (const { order_no, outcome, defaults } of told) {
      const [first] = await deliveries({ order_no }, 1);
      const [path, key] =
        outcome === 'explicit'
          ? ['/explicit', secrets.explicit]
          : [`/default/${defaults}`, secrets[defaults as 'enabled']];
      expect([first?.path, isAuthentic(first as Received, key)]).toEqual([path, true]);
    }
    const silent = made.filter(({ outcome }) => outcome === 'nothing');
    expect(silent.length).toBeGreaterThan(7);
    await service.admin('POST', '/jobs/deliver/run');
    expect(silent.flatMap((order) => receiver.of(order))).toEqual([]);
  });

  test('R-257 D-140 defaults that cannot be read are 503, nothing is created, and the same key works later', async () => {
    const { shop, merchant_no } = await merchantWith({
      enabled: true,
      secret: newSecret(),
      key: randomBytes(32),
    });
    const body = { ...validOrder(), external_reference: 'unreadable defaults' };
    const refused = await shop.create(body);
    expect(refused).toMatchObject({ status: 503, body: { error: 'notification_unavailable' } });
    expect(refused.headers.get('retry-after')).toMatch(/^[1-9][0-9]*$/);
    const listed = await shop.get('/merchant-payments?external_reference=unreadable%20defaults');
    expect(listed.body).toEqual({ items: [] });
    const secret = newSecret();
    await setDefaults(service, merchant_no, { url: receiver.url(), enabled: true, secret });
    const created = await shop.create(body);
    expect(created.status).toBe(201);
    const [first] = await deliveries(created.body, 1);
    expect(isAuthentic(first as Received, secret)).toBe(true);
  });

  test('R-254 R-288 defaults changed, rotated or disabled later do not touch the orders there are', async () => {
    const [old, rotated] = [newSecret(), newSecret()];
    const { shop, merchant_no } = await merchantWith({
      url: receiver.url('/old'),
      enabled: true,
      secret: old,
    });
    receiver.answerWith({ status: 500 });
    const order = await shop.order();
    const { event_id } = await exhaust(shop, order);
    const paid = await shop.order();
    await recordWhere(shop, paid, 'pending', attempted(1));

    await setDefaults(service, merchant_no, { url: receiver.url('/new'), enabled: true, secret: rotated });
    receiver.answerWith({ status: 204 });
    expect((await replay(shop, order, event_id)).status).toBe(202);
    await recordWhere(shop, order, 'pending', delivered);
    await payByPtk(paid);
    await recordWhere(shop, paid, 'paid', delivered);
    const ofPending = receiver.of(order).filter((one) => envelopeOf(one).id === event_id);
    for (const seen of [ofPending.at(-1), receiver.of(paid).at(-1)]) {
      expect([seen?.path, isAuthentic(seen as Received, old)]).toEqual(['/old', true]);
    }

    const later = await shop.order();
    const [first] = await deliveries(later, 1);
    expect([first?.path, isAuthentic(first as Received, rotated)]).toEqual(['/new', true]);
    await setDefaults(service, merchant_no, { url: receiver.url('/new'), enabled: false, secret: rotated });
    await payByPtk(later);
    await recordWhere(shop, later, 'paid', delivered);
    expect(await recordsOf(shop, await shop.order())).toEqual([]);
  });

  test('R-107 a retry does not read the defaults again, also if they have changed', async () => {
    const secret = newSecret();
    const { shop, merchant_no } = await merchantWith();
    const set = (enabled: boolean, key?: Buffer): Promise<void> =>
      setDefaults(service, merchant_no, {
        url: receiver.url(),
        enabled,
        secret,
        ...(key === undefined ? {} : { key }),
      });
    const silent = { ...validOrder() };
    const first = await shop.create(silent);
    await set(true);
    const loud = { ...validOrder(), notify_enabled: true };
    const told = await shop.create(loud);
    expect(told.status).toBe(201);
    for (const change of [() => set(true), () => set(false), () => set(true, randomBytes(32))]) {
      await change();
      for (const [body, before, events] of [
        [silent, first, 0],
        [loud, told, 1],
      ] as const) {
        const again = await shop.create(body);
        expect([again.status, again.body]).toEqual([201, before.body]);
        expect(await recordsOf(shop, before.body)).toHaveLength(events);
      }
    }
  });

  test('R-108 parallel identical creations make one pending event', async () => {
    const body = { ...validOrder(), notify_url: receiver.url(), notify_secret: newSecret() };
    const answers = await Promise.all(Array.from({ length: 16 }, () => merchant.create(body)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    const [{ order_no } = { order_no: '' }] = answers.map(({ body }) => body);
    const [record, ...others] = await recordsOf(merchant, { order_no });
    expect(others).toEqual([]);
    expect(record?.event.data).toMatchObject({ order_no, status: 'pending', status_version: 1 });
    await recordWhere(merchant, { order_no }, 'pending', delivered);
    await merchant.create(body);
    await service.admin('POST', '/jobs/deliver/run');
    expect(receiver.of({ order_no })).toHaveLength(1);
  });
});

/** In the contract's own order. */
const data_members = [
  'order_no',
  'external_reference',
  'payment_no',
  'amount',
  'amount_minor',
  'currency',
  'currency_decimals',
  'status',
  'status_version',
  'test_mode',
  'expires_at',
];
const confirmation_members = ['event_id', 'provider_trade_no', 'occurred_at'];
const envelope_members = ['id', 'type', 'api_version', 'created_at', 'data'];

const utc = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

function expectEnvelope(seen: Received, order: Order, isConfirmed: boolean): void {
  const envelope = envelopeOf(seen);
  expect(Object.keys(envelope).sort()).toEqual([...envelope_members].sort());
  expect(envelope).toMatchObject({ type: 'merchant_payment.status_changed', api_version: 1 });
  expect(typeof envelope.id).toBe('string');
  expect(envelope.created_at).toMatch(utc);
  expect(Object.keys(envelope.data).sort()).toEqual(
    [...data_members, ...(isConfirmed ? confirmation_members : [])].sort(),
  );
  expect(envelope.data).toMatchObject({
    order_no: order.order_no,
    external_reference: order.external_reference,
    amount: order.amount,
    amount_minor: order.amount_minor,
    currency: order.currency,
    currency_decimals: order.currency_decimals,
    expires_at: order.expires_at,
    test_mode: false,
  });
}

describe('what a receiver gets', () => {
  test('R-259 R-262 R-263 R-265 R-268 R-018 a pending and a paid event, with exactly these members', async () => {
    const { order, secret } = await notifyingOrder({
      external_reference: ' Bestellung „7“ 🧾 ',
      return_url: 'https://shop.example/thanks?order=7',
      description: 'not for the receiver',
    });
    await deliveries(order, 1);
    await payByPtk(order);
    const [first, second] = (await deliveries(order, 2)) as [Received, Received];
    expect(receiver.of(order)).toHaveLength(2);
    for (const [seen, status, status_version] of [
      [first, 'pending', 1],
      [second, 'paid', 2],
    ] as const) {
      expectEnvelope(seen, order, status === 'paid');
      expect(envelopeOf(seen).data).toMatchObject({
        status,
        status_version,
        external_reference: 'Bestellung „7“ 🧾',
      });
      expect([seen.method, seen.path]).toEqual(['POST', '/hook']);
      expect(seen.headers['content-type']).toMatch(/^application\/json(;|$)/);
      expect(seen.headers['x-service-event-id']).toBe(envelopeOf(seen).id);
      expect(seen.headers['x-service-signature']).toMatch(/^sha256=[0-9a-f]{64}$/);
      expect(seen.headers['x-service-timestamp']).toMatch(/^[0-9]{10}$/);
      expect(isAuthentic(seen, secret)).toBe(true);
      expect(isAuthentic(seen, newSecret())).toBe(false);
      expect(isAuthentic({ ...seen, body: Buffer.from(`${seen.body.toString()} `) }, secret)).toBe(false);
      // The integer is the JSON token 1, not "1" and not 1.0.
      expect(seen.body.toString()).toMatch(/"api_version":\s*1[,}]/);
    }
    expect(envelopeOf(first).id).not.toBe(envelopeOf(second).id);
    expect(envelopeOf(first).data.payment_no).toBe('');
    expect(envelopeOf(second).data.payment_no).toBe(platform.ptk_channel);
  });

  test('R-265 R-266 R-037 R-057 the paid event agrees with the order as it is read', async () => {
    const { order } = await notifyingOrder({ amount: '7.5' });
    await payByPtk(order);
    const paid = await recordWhere(merchant, order, 'paid', delivered);
    const read = (await merchant.read(order.order_no)).body;
    for (const member of [...data_members, ...confirmation_members]) {
      expect([member, paid.event.data[member]]).toEqual([member, read[member]]);
    }
    expect(read.amount).toBe('7.50');
    expect(paid.event.data.event_id).not.toBe(paid.event.id);
    expect(paid.event.data.provider_trade_no).toBe(`PTK:${order.order_no}`);
    expect(Date.parse(paid.event.data.occurred_at as string)).toBeLessThanOrEqual(
      Date.parse(paid.event.created_at),
    );
  });

  test('R-264 R-258 R-034 no token, return address, secret, fee, buyer or description is in it', async () => {
    const { order, secret } = await notifyingOrder({
      return_url: 'https://shop.example/back-here',
      description: 'a described book',
      idempotency_key: 'a-key-of-the-merchant',
    });
    await payByPtk(order);
    await recordWhere(merchant, order, 'paid', delivered);
    const token = new URL(order.checkout_url).searchParams.get('token') ?? 'none';
    expect(receiver.of(order)).toHaveLength(2);
    for (const { body, raw_headers } of receiver.of(order)) {
      const text = `${body.toString()} ${raw_headers.join(' ')}`;
      for (const absent of [
        token,
        'checkout',
        'back-here',
        'described',
        'a-key-of-the-merchant',
        secret,
        '"fee',
        '_fee',
        'settlement',
        'payment_amount',
        platform.buyer.user_id,
        platform.buyer.email,
        platform.merchant_no,
      ]) {
        expect(text).not.toContain(absent);
      }
    }
  });

  test('R-055 R-026 exact big amounts survive creation, reading, listing and notification', async () => {
    for (const [currency, amount, minor] of [
      ['PTK', '90071992.54740991', '9007199254740991'],
      ['PTK', '0.30000001', '30000001'],
      ['JPY', '9007199254740991', '9007199254740991'],
      ['KWD', '9007199254740.993', '9007199254740993'],
    ] as const) {
      const fits = BigInt(minor) <= 9_007_199_254_740_991n;
      const answer = await merchant.create({
        ...validOrder(),
        amount,
        currency,
        external_reference: `big ${amount}`,
        notify_url: receiver.url(),
        notify_secret: newSecret(),
      });
      if (!fits) {
        expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_amount' } });
        continue;
      }
      const { order_no } = answer.body;
      const [seen] = await deliveries({ order_no }, 1);
      const texts = [
        answer.text,
        (await merchant.read(order_no)).text,
        (await merchant.get(`/merchant-payments?order_no=${order_no}`)).text,
        (await merchant.get(`/merchant-payments/${order_no}/notifications`)).text,
        seen?.body.toString() ?? '',
      ];
      for (const text of texts) {
        expect(text).toMatch(new RegExp(`"amount":\\s*"${amount.replace('.', '\\.')}"`));
        expect(text).toMatch(new RegExp(`"amount_minor":\\s*${minor}[,}]`));
      }
    }
  });

  test('R-259 D-042 an order restricted to a channel says so in its first event', async () => {
    const { order } = await notifyingOrder({ payment_no: platform.ptk_channel });
    const [first] = await deliveries(order, 1);
    expect(envelopeOf(first as Received).data).toMatchObject({
      payment_no: platform.ptk_channel,
      test_mode: false,
      status: 'pending',
    });
  });

  test('R-259 R-177 the read that finds an unpaid order overdue notifies that it expired', async () => {
    const { order, secret } = await notifyingOrder({ expires_in: 60 });
    await deliveries(order, 1);
    await service.advance(60);
    expect((await merchant.read(order.order_no)).body.status).toBe('expired');
    const seen = (await deliveries(order, 2))[1] as Received;
    expectEnvelope(seen, order, false);
    expect(envelopeOf(seen).data).toMatchObject({ status: 'expired', status_version: 2 });
    expect(isAuthentic(seen, secret)).toBe(true);
  });

  test('R-259 R-179 R-183 review and the payment found afterwards are told in turn', async () => {
    const { order } = await notifyingOrder({ expires_in: 60 });
    const session = (await desk.startCard(order)).id;
    await request(`${cardsim.url}/_sim/sessions/${session}/pay`, 'POST', { body: { webhook: 'none' } });
    // A worker may look for the payment before the order is read.
    const body = { endpoint: 'sessions.retrieve', mode: 'status', status: 500, times: 100 };
    await request(`${cardsim.url}/_sim/faults`, 'POST', { body });
    await service.advance(60);
    expect((await merchant.read(order.order_no)).body.status).toBe('review');
    await request(`${cardsim.url}/_sim/faults`, 'DELETE');
    await service.advance(125);
    await service.admin('POST', '/jobs/reconcile/run');
    await recordWhere(merchant, order, 'paid', delivered);
    await recordWhere(merchant, order, 'review', delivered);
    const events = receiver
      .of(order)
      .map(envelopeOf)
      .sort((a, b) => a.data.status_version - b.data.status_version);
    expect(events.map(({ data }) => [data.status_version, data.status])).toEqual([
      [1, 'pending'],
      [2, 'review'],
      [3, 'paid'],
    ]);
    expect(events.map(({ data }) => confirmation_members.filter((member) => member in data))).toEqual([
      [],
      [],
      confirmation_members,
    ]);
    expect(new Set(events.map(({ id }) => id)).size).toBe(3);
    expect(events[2]?.data.provider_trade_no).toMatch(/^pi_/);
  });

  test('R-186 R-188 a payment found after the order had expired is told under a higher version', async () => {
    const fault = (body: Json) => request(`${cardsim.url}/_sim/faults`, 'POST', { body });
    const { order } = await notifyingOrder({ expires_in: 60 });
    // The creation is carried out but its answer lost, and then the provider's records do not show it.
    await fault({ endpoint: 'sessions.create', mode: 'truncate' });
    await fault({
      endpoint: 'sessions.list',
      mode: 'status',
      status: 200,
      body: { object: 'list', url: '/v1/checkout/sessions', has_more: false, data: [] },
      times: 100,
    });
    const checkout = checkoutOf(service, order);
    expect((await checkout.start(await checkout.methodOf('cardprov'))).status).toBe(202);
    await service.advance(61);
    await service.admin('POST', '/jobs/sweep/run');
    for (let look = 0; look < 3; look++) {
      await service.advance(125);
      await service.admin('POST', '/jobs/reconcile/run');
    }
    await recordWhere(merchant, order, 'expired', delivered);
    await request(`${cardsim.url}/_sim/faults`, 'DELETE');
    const session = (await desk.sessionOf(order)).id;
    await request(`${cardsim.url}/_sim/sessions/${session}/pay`, 'POST', { body: {} });
    const paid = await recordWhere(merchant, order, 'paid', delivered);
    expect(paid.status_version).toBe(4);
    expect((await recordsOf(merchant, order)).map(({ event }) => event.data.status)).toEqual([
      'paid',
      'expired',
      'review',
      'pending',
    ]);
  });

  test('R-267 a pending event that arrives after the payment still says pending', async () => {
    receiver.answerWith({ status: 500 });
    const { order } = await notifyingOrder();
    await recordWhere(merchant, order, 'pending', attempted(1));
    await payByPtk(order);
    await recordWhere(merchant, order, 'paid', attempted(1));
    receiver.answerWith({ status: 200 });
    await service.advance(60);
    await recordWhere(merchant, order, 'paid', delivered);
    await recordWhere(merchant, order, 'pending', delivered);
    const told = receiver
      .of(order)
      .slice(2)
      .map(envelopeOf)
      .map(({ data }) => [data.status_version, data.status, data.payment_no])
      .sort();
    expect(told).toEqual([
      [1, 'pending', ''],
      [2, 'paid', platform.ptk_channel],
    ]);
  });

  test('R-261 a payment stays confirmed if its notification fails, for any reason', async () => {
    receiver.answerWith((seen) => (envelopeOf(seen).data.status === 'paid' ? 'reset' : { status: 410 }));
    const { order } = await notifyingOrder();
    await payByPtk(order);
    const record = await recordWhere(merchant, order, 'paid', attempted(1));
    expect(record).toMatchObject({ delivery_status: 'pending', attempts: 1, last_http_status: null });
    const before = (await merchant.read(order.order_no)).body;
    expect(before.status).toBe('paid');
    await service.advance(60);
    await recordWhere(merchant, order, 'paid', attempted(2));
    expect((await merchant.read(order.order_no)).body).toEqual(before);
  });
});

describe('repetition', () => {
  test('R-272 R-271 R-277 R-283 R-284 R-291 ten attempts with the same bytes, then a replay, all freshly signed', async () => {
    receiver.answerWith({ status: 503 });
    const { order, secret } = await notifyingOrder();
    const failed = await exhaust(merchant, order);
    expect(failed).toMatchObject({
      attempts: 10,
      next_attempt_at: null,
      last_http_status: 503,
      last_error: 'http_error',
    });
    await service.advance(100_000);
    await service.admin('POST', '/jobs/deliver/run');
    const first = (): Received[] =>
      receiver.of(order).filter((one) => envelopeOf(one).data.status === 'pending');
    expect(first()).toHaveLength(10);

    receiver.answerWith({ status: 200 });
    const status_before = (await merchant.read(order.order_no)).body;
    const answer = await replay(merchant, order, failed.event_id);
    expect([answer.status, answer.body]).toEqual([202, { accepted: true }]);
    const done = await recordWhere(merchant, order, 'pending', delivered);
    expect(done).toMatchObject({ event_id: failed.event_id, attempts: 11, next_attempt_at: null });
    expect((await merchant.read(order.order_no)).body).toEqual(status_before);

    const seen = first();
    expect(seen).toHaveLength(11);
    for (const one of seen) {
      expect(one.body.equals((seen[0] as Received).body)).toBe(true);
      expect(one.headers['x-service-event-id']).toBe(failed.event_id);
      // The test clock is days ahead; the timestamp is of real time, or no receiver could believe it.
      expect(isAuthentic(one, secret)).toBe(true);
    }

    const again = await replay(merchant, order, failed.event_id);
    expect([again.status, again.body]).toEqual([202, { accepted: true }]);
    await service.admin('POST', '/jobs/deliver/run');
    expect(await recordWhere(merchant, order, 'pending', delivered)).toEqual(done);
  });

  test('R-284 R-287 R-285 a pending event is not queued again; strangers and readers cannot ask', async () => {
    receiver.answerWith({ status: 500 });
    const { order } = await notifyingOrder();
    const before = await recordWhere(merchant, order, 'pending', attempted(1));
    const { shop } = await merchantWith();
    const reader = await tokenFor(
      service,
      await addClient(service, platform.merchant_no, { scopes: ['merchant_payments.read'] }),
      'merchant_payments.read',
    );
    const path = `/merchant-payments/${order.order_no}/notifications/${before.event_id}/retry`;
    expect(await replay(merchant, order, before.event_id)).toMatchObject({
      status: 202,
      body: { accepted: true },
    });
    expect(await replay(shop, order, before.event_id)).toMatchObject({
      status: 404,
      body: { error: 'payment_not_found' },
    });
    const other = await notifyingOrder();
    expect((await replay(merchant, other.order, before.event_id)).status).toBe(404);
    expect((await replay(merchant, order, 'ne_01HZZZZZZZZZZZZZZZZZZZZZZZ')).status).toBe(404);
    expect(
      await service.send('POST', `/openapi/v1${path}`, { headers: { authorization: `Bearer ${reader}` } }),
    ).toMatchObject({ status: 403, body: { error: 'insufficient_scope' } });
    await service.admin('POST', '/jobs/deliver/run');
    expect(await recordWhere(merchant, order, 'pending', () => true)).toEqual(before);
    expect(receiver.of(order)).toHaveLength(1);
  });

  test('R-276 R-274 redirects are not followed, and what a receiver answers with is ignored', async () => {
    receiver.answerWith(({ path }) =>
      path === '/target'
        ? { status: 200 }
        : { status: 302, headers: { location: receiver.url('/target') }, body: 'go there' },
    );
    const { order } = await notifyingOrder();
    const record = await recordWhere(merchant, order, 'pending', attempted(1));
    expect(record).toMatchObject({
      delivery_status: 'pending',
      last_http_status: 302,
      last_error: 'redirect',
    });
    expect(receiver.received.filter(({ path }) => path === '/target')).toEqual([]);
    receiver.answerWith({ status: 299, body: '{"error":"not really"}' });
    await service.advance(60);
    expect(await recordWhere(merchant, order, 'pending', delivered)).toMatchObject({
      attempts: 2,
      last_http_status: 299,
      last_error: null,
    });
  });
});

describe('delivery records', () => {
  const record_members = [
    'event_id',
    'status_version',
    'event',
    'delivery_status',
    'attempts',
    'next_attempt_at',
    'last_http_status',
    'last_error',
    'delivery_attempts',
  ];

  test('R-289 R-290 R-291 R-292 R-294 D-147 D-148 D-149 newest first, with exactly these members', async () => {
    receiver.answerWith((seen) => ({ status: envelopeOf(seen).data.status === 'paid' ? 404 : 202 }));
    const { order } = await notifyingOrder();
    await recordWhere(merchant, order, 'pending', delivered);
    await payByPtk(order);
    await recordWhere(merchant, order, 'paid', attempted(1));
    const answer = await merchant.get<{ items: DeliveryRecord[] }>(
      `/merchant-payments/${order.order_no}/notifications`,
    );
    expect([answer.status, Object.keys(answer.body)]).toEqual([200, ['items']]);
    const [paid, pending] = answer.body.items as [DeliveryRecord, DeliveryRecord];
    expect(answer.body.items.map(({ status_version }) => status_version)).toEqual([2, 1]);
    const [told_pending, told_paid] = receiver.of(order) as [Received, Received];
    for (const [record, seen] of [
      [pending, told_pending],
      [paid, told_paid],
    ] as const) {
      expect(Object.keys(record).sort()).toEqual([...record_members].sort());
      expect(record.event).toEqual(envelopeOf(seen));
      expect(record.event_id).toBe(record.event.id);
      expect(record.delivery_attempts).toHaveLength(1);
    }
    expect(pending).toMatchObject({
      delivery_status: 'delivered',
      attempts: 1,
      next_attempt_at: null,
      last_http_status: 202,
      last_error: null,
    });
    expect(paid).toMatchObject({
      delivery_status: 'pending',
      attempts: 1,
      last_http_status: 404,
      last_error: 'http_error',
    });
    const [done] = pending.delivery_attempts;
    expect(Object.keys(done ?? {}).sort()).toEqual(
      ['attempt', 'trigger', 'started_at', 'finished_at', 'http_status', 'duration_ms'].sort(),
    );
    const [missed] = paid.delivery_attempts;
    expect(missed).toMatchObject({ attempt: 1, trigger: 'automatic', http_status: 404, error: 'http_error' });
    expect(Date.parse(paid.next_attempt_at ?? '') - Date.parse(missed?.finished_at ?? '')).toBe(60_000);
    expect(Number.isInteger(missed?.duration_ms)).toBe(true);
  });

  test('R-289 R-293 the limit is 20, or 1 to 100, and falls back to 20', async () => {
    const { order } = await notifyingOrder();
    await payByPtk(order);
    const count = async (limit: string): Promise<number> =>
      (
        await merchant.get<{ items: unknown[] }>(
          `/merchant-payments/${order.order_no}/notifications?limit=${limit}`,
        )
      ).body.items.length;
    expect(await count('1')).toBe(1);
    for (const limit of ['100', '0', '101', 'x', '', '1.0', '-1']) {
      expect([limit, await count(limit)]).toEqual([limit, 2]);
    }
  });

  test('R-295 R-014 no notifications is an empty list; unknown and foreign orders are 404 alike', async () => {
    const order = await merchant.order();
    expect(await recordsOf(merchant, order)).toEqual([]);
    const { shop } = await merchantWith();
    const ask = (caller: Merchant, order_no: string) =>
      caller.get(`/merchant-payments/${order_no}/notifications`);
    const foreign = await ask(shop, order.order_no);
    expect(foreign).toMatchObject({ status: 404, body: { error: 'payment_not_found' } });
    expect((await ask(shop, 'mp_01HZZZZZZZZZZZZZZZZZZZZZZZ')).text).toBe(foreign.text);
  });

  test('R-258 a secret is in no answer, of the merchant, the checkout or the administration', async () => {
    const [own, standing] = [newSecret(), newSecret()];
    const { shop, merchant_no } = await merchantWith({ enabled: true, secret: standing });
    const texts: string[] = [];
    for (const [secret, changes] of [
      [own, { notify_url: receiver.url(), notify_secret: own }],
      [standing, {}],
    ] as const) {
      const body = { ...validOrder(), ...changes };
      const created = await shop.create(body);
      expect(created.status).toBe(201);
      const { order_no } = created.body;
      await payByPtk(created.body);
      await recordWhere(shop, created.body, 'paid', delivered);
      expect(isAuthentic(receiver.of({ order_no })[0] as Received, secret)).toBe(true);
      const admin = (path: string) => service.admin('GET', path).then((answer) => JSON.stringify(answer));
      texts.push(
        created.text,
        (await shop.create(body)).text,
        (await shop.create({ ...body, amount: '11' })).text,
        (await shop.create({ ...body, notify_enabled: false })).text,
        (await shop.create({ ...body, idempotency_key: 'x', notify_secret: `${own} ` })).text,
        (await shop.read(order_no)).text,
        (await shop.get(`/merchant-payments?order_no=${order_no}`)).text,
        (await shop.get(`/merchant-payments/${order_no}/notifications`)).text,
        (await checkoutOf(service, created.body).state()).text,
        await (await fetch(created.body.checkout_url)).text(),
        await admin(`/collection-orders/${order_no}`),
        await admin(`/audit-log?limit=100`),
      );
    }
    for (const text of texts) {
      expect(text).not.toContain(own);
      expect(text).not.toContain(standing);
    }
    expect(texts.join('')).toContain('payment_conflict');
    expect(texts.join('')).toContain('invalid_notify');
    expect(merchant_no).toMatch(/^mr_/);
  });

  test('D-151 R-280 R-281 the events of many orders reach one receiver, each once', async () => {
    const made = await Promise.all(Array.from({ length: 24 }, () => notifyingOrder()));
    await Promise.all(made.map(({ order }) => payByPtk(order)));
    for (const { order, secret } of made) {
      const seen = await deliveries(order, 2);
      expect(seen.map((one) => envelopeOf(one).data.status).sort()).toEqual(['paid', 'pending']);
      expect(seen.every((one) => isAuthentic(one, secret))).toBe(true);
    }
  });
});

describe('what was stored', () => {
  test('R-273 R-057 is sent unchanged by a process that starts later, also if the settings have changed since', async () => {
    const elsewhere = await startTestService({ role: 'web', env: receiver.env });
    const there = await setUpPlatform(elsewhere);
    const shop = await merchantOf(elsewhere, there.client);
    const secret = newSecret();
    receiver.answerWith({ status: 500 });
    const worker = await elsewhere.another('worker');
    const order = await shop.order({ notify_url: receiver.url(), notify_secret: secret, amount: '3.3' });
    await recordWhere(shop, order, 'pending', attempted(1));
    await worker.stop();
    await elsewhere.admin('PUT', '/currencies/USD', { decimals: 3, enabled: false });
    await elsewhere.admin('PUT', '/rates/USD', { ptk_price: '5' });
    await elsewhere.admin('PATCH', `/merchants/${there.merchant_no}`, { name: 'Renamed' });
    receiver.answerWith({ status: 200 });
    await elsewhere.another('worker');
    await elsewhere.advance(60);
    await recordWhere(shop, order, 'pending', delivered);
    const [first, second] = receiver.of(order) as [Received, Received];
    expect(second.body.equals(first.body)).toBe(true);
    expect(envelopeOf(second).data).toMatchObject({ amount: '3.30', currency_decimals: 2 });
    expect(isAuthentic(second, secret)).toBe(true);
    await elsewhere.stop();
  });
});
