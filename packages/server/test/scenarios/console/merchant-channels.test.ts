import { type Cardsim, signatureHeader, startCardsim } from '@paydesk/cardsim';
import { ChannelAnswer, CollectionOrder, OrderDetailAnswer } from '@paydesk/contract';
import { Check } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  envelopeOf,
  isAuthentic,
  type LocalReceiver,
  localReceiver,
  recordWhere,
} from '../../support/notifications/notify.ts';
import { fee, openOwnShop, type OwnShop, simulate, withoutTimes } from '../../support/desks/own-channel.ts';
import {
  addClient,
  checkoutOf,
  free,
  merchantOf,
  type Platform,
  setUpPlatform,
} from '../../support/desks/platform.ts';
import { eventually, type Json, startTestService, type TestService } from '../../support/desks/service.ts';
import { beside } from '../../support/desks/wallets.ts';
import { sql } from '../../../src/base/pg/index.ts';

let receiver: LocalReceiver;
let cardsim: Cardsim;
let service: TestService;
let platform: Platform;
let alice: OwnShop;
let bob: OwnShop;

beforeAll(async () => {
  receiver = await localReceiver();
  cardsim = await startCardsim();
  service = await startTestService({ env: { ...receiver.env, PAYDESK_TRUSTED_PROXIES: '127.0.0.1/32' } });
  platform = await setUpPlatform(service);
  alice = await openOwnShop(service, cardsim, platform.owner, { available: 100n * fee });
  bob = await openOwnShop(service, cardsim, platform.owner, { available: 100n * fee });
});

afterAll(async () => {
  await service.stop();
  await cardsim.close();
  await receiver.remove();
});

const headers = { authorization: 'Bearer test-administration-key' };
const send = (method: string, path: string, body: unknown) =>
  service.send<Json & { payment_no: string }>(method, `/admin/v1${path}`, { headers, body });

const zero = { fixed_minor: 0, percent_ppm: 0 };
const ownCard = (body: Json = {}): Json => ({
  owner: 'merchant',
  merchant_no: alice.merchant_no,
  provider: 'cardprov',
  name: 'My cards',
  currency: 'USD',
  fees: [{ currency: 'USD', ...free }],
  config: { secret_key: 'sk_live_very-secret', webhook_secret: 'whsec_very-secret' },
  ...body,
});

const paid = (order_no: string) =>
  eventually(
    () => alice.merchant.read(order_no),
    ({ body }) => body.status === 'paid',
  );

describe('the channel of a merchant', () => {
  test('R-152 names its owner; R-383 its keys are sealed and never shown', async () => {
    const { status, body, text } = await send('POST', '/channels', ownCard());
    expect([status, Check(ChannelAnswer, body)]).toEqual([201, true]);
    expect(body).toMatchObject({ owner: 'merchant', merchant_no: alice.merchant_no });
    expect(body.webhook_url).not.toBe(alice.card.webhook_url);
    const [row] = await beside(service, (db) =>
      db.query<{ secret_key_box: Buffer; webhook_secret_box: Buffer }>(
        sql`SELECT secret_key_box, webhook_secret_box FROM channels WHERE payment_no = ${body.payment_no}`,
      ),
    );
    expect(row?.secret_key_box.includes('very-secret')).toBe(false);
    expect(row?.webhook_secret_box.includes('very-secret')).toBe(false);
    expect(text).not.toContain('very-secret');
    expect(JSON.stringify(await service.admin('GET', '/audit-log?limit=5'))).not.toContain('very-secret');
    await send('PATCH', `/channels/${body.payment_no}`, { enabled: false });
  });

  test.each<[Json, string]>([
    [{ merchant_no: undefined }, 'merchant_no'],
    [{ merchant_no: null }, 'merchant_no'],
    [{ merchant_no: 'mr_00000000000000000000000001' }, 'merchant_no'],
    [{ merchant_no: 'nobody' }, 'merchant_no'],
    [{ owner: 'platform' }, 'merchant_no'],
    [{ provider: 'ptk', currency: 'PTK', fees: [], config: undefined }, 'owner'],
    [{ fees: [{ currency: 'USD', buyer: { ...zero, fixed_minor: 1 }, merchant: zero }] }, 'fees.USD.buyer'],
    [{ fees: [{ currency: 'USD', buyer: { ...zero, percent_ppm: 1 }, merchant: zero }] }, 'fees.USD.buyer'],
  ])('D-063 %j is refused, naming %s', async (wrong, field) => {
    const refused = await send('POST', '/channels', ownCard(wrong));
    expect([refused.status, refused.body.error, refused.body.field]).toEqual([400, 'invalid_request', field]);
  });

  test('keeps its owner, who may be named again; D-063 gets no buyer fee by a change either', async () => {
    const path = `/channels/${alice.card.payment_no}`;
    const same = { owner: 'merchant', merchant_no: alice.merchant_no };
    expect((await send('PATCH', path, same)).status).toBe(200);
    const buyer = { fixed_minor: 1, percent_ppm: 0 };
    for (const [change, field] of [
      [{ merchant_no: bob.merchant_no }, 'merchant_no'],
      [{ merchant_no: null }, 'merchant_no'],
      [{ owner: 'platform' }, 'owner'],
      [{ fees: [{ currency: 'USD', buyer, merchant: zero }] }, 'fees.USD.buyer'],
    ] as const) {
      const refused = await send('PATCH', path, change);
      expect([refused.status, refused.body.field]).toEqual([400, field]);
    }
  });

  test('R-152 R-151 shows in the directory of its merchant and in no other', async () => {
    const seen = async ({ merchant }: OwnShop) =>
      (await merchant.get<{ items: Json[] }>('/merchant-payment-channels')).body.items.filter(
        ({ owner }) => owner === 'merchant',
      );
    expect(await seen(alice)).toEqual([
      {
        payment_no: alice.card.payment_no,
        name: expect.any(String) as string,
        provider: 'cardprov',
        owner: 'merchant',
        currency: 'USD',
        login_required: false,
        test_mode: false,
      },
    ]);
    expect((await seen(bob)).map(({ payment_no }) => payment_no)).toEqual([bob.card.payment_no]);
  });

  test('R-067 cannot be asked for by another merchant, who learns nothing of it; nor do its buyers see it', async () => {
    const ask = (payment_no: string) =>
      bob.merchant.create({ ...order(), payment_no, idempotency_key: `ask-${payment_no}` });
    const [foreign, unknown] = [await ask(alice.card.payment_no), await ask('ch_nobody')];
    expect([foreign.status, foreign.body]).toEqual([422, unknown.body]);
    const { body } = await checkoutOf(service, await bob.merchant.order()).state();
    expect(body.methods.map(({ provider }) => provider)).toEqual(['ptk', 'cardprov']);
  });

  test('R-067 charges the currencies it was set up for, and no others', async () => {
    const ask = { ...order(), payment_no: alice.card.payment_no, currency: 'JPY', amount: '1000' };
    const refused = await alice.merchant.create(ask);
    expect([refused.status, refused.body.error]).toEqual([422, 'channel_unavailable']);
  });

  test('R-166 R-163 R-170 D-129 an own test channel needs a grant like any other, and then settles in test mode', async () => {
    const card = { test_mode: true, config: { api_base: cardsim.url, secret_key: 'sk_test_own' } };
    const shop = await openOwnShop(service, cardsim, platform.owner, { available: fee, channel: card });
    const ask = { payment_no: shop.card.payment_no };
    const path = `/channels/${shop.card.payment_no}`;
    await send('PATCH', path, { config: { webhook_secret: 'whsec_own' } });
    const refused = await shop.merchant.create({ ...order(), ...ask });
    expect([refused.status, refused.body.error]).toEqual([403, 'payment_debug_access_denied']);
    await send('PUT', `${path}/debug-grants`, { merchants: [shop.merchant_no] });
    const made = await shop.order();
    expect(made.test_mode).toBe(true);
    expect((await shop.start(made)).status).toBe(200);
    const detail = await service.admin<{ postings: Json[] }>('GET', `/collection-orders/${made.order_no}`);
    expect(detail.postings).toMatchObject([{ posting: 'P4a', test_mode: true }]);
  });
});

let references = 0;
const order = (): Json => ({
  external_reference: `INV-${++references}`,
  idempotency_key: `key-${references}`,
  amount: '10.00',
  currency: 'USD',
});

describe('a payment through it', () => {
  test('R-131 R-132 D-050 R-051 collects for the merchant: no credit, no hold, the fee captured, all as the contract says', async () => {
    await service.admin('PATCH', `/merchants/${alice.merchant_no}`, { hold_days: 7 });
    const before = await alice.wallet();
    const secret = 's'.repeat(32);
    const made = await alice.order({ notify_url: receiver.url(), notify_secret: secret });
    const { status, body: started } = await alice.start(made);
    expect([status, started.redirect_url.startsWith(cardsim.url)]).toEqual([200, true]);
    expect(await alice.wallet()).toEqual({
      available_ptk: (99n * fee).toString(),
      fee_reserved_ptk: fee.toString(),
    });
    // R-227 D-110: asked for with the merchant's own key.
    expect(await alice.calls()).toMatchObject([{ endpoint: 'sessions.create', status: 200 }]);
    expect(await alice.sessions(made)).toMatchObject([{ amount_total: 1_000, currency: 'usd' }]);
    await alice.pay(made, { webhook: 'duplicate' });
    const { body } = await paid(made.order_no);
    expect(Check(CollectionOrder, body)).toBe(true);
    expect(body).toEqual({
      ...made,
      status: 'paid',
      status_version: 2,
      event_id: expect.stringMatching(/^pe_/) as string,
      provider_trade_no: expect.stringMatching(/^pi_/) as string,
      occurred_at: expect.stringMatching(/Z$/) as string,
      fee_status: 'quoted',
      fee_version: 1,
      payment_amount: '10.00',
      payment_currency: 'USD',
      buyer_fee: '0.00',
      merchant_fee: '0.26',
      merchant_fee_ptk: '260000000',
      gross_settlement_ptk: '10000000000',
    });
    expect(body).not.toHaveProperty('settlement_ptk');
    expect(before).toEqual({ available_ptk: (100n * fee).toString() });
    expect(await alice.wallet()).toEqual({ available_ptk: (99n * fee).toString() });

    const { events } = await eventsOf(made.order_no);
    await simulate(cardsim, 'POST', '/webhooks/replay', { event_id: events[0]?.id, times: 2 });
    await service.admin('POST', '/jobs/reconcile/run');
    expect(await alice.postings(made)).toEqual([
      'P4a m:available > m:fee_reserved:ORDER 260000000',
      'P4b m:fee_reserved:ORDER > inc:merchant_fee 260000000',
    ]);
    const detail = await service.admin('GET', `/collection-orders/${made.order_no}`);
    expect(Check(OrderDetailAnswer, detail)).toBe(true);
    expect(detail.fee_reservations).toEqual([
      {
        attempt_id: expect.stringMatching(/^pa_/) as string,
        state: 'captured',
        fee_ptk: fee.toString(),
        available_ptk: fee.toString(),
        credit_ptk: '0',
        reserved_at: expect.any(String) as string,
        released_at: null,
        captured_at: expect.any(String) as string,
      },
    ]);

    await recordWhere(alice.merchant, made, 'paid', ({ delivery_status }) => delivery_status === 'delivered');
    const sent = receiver.of(made).find((item) => envelopeOf(item).data.status === 'paid');
    if (sent === undefined) throw new Error('no notification');
    expect(isAuthentic(sent, secret)).toBe(true);
    expect(envelopeOf(sent).data).toEqual({
      order_no: made.order_no,
      external_reference: made.external_reference,
      payment_no: alice.card.payment_no,
      amount: '10.00',
      amount_minor: 1_000,
      currency: 'USD',
      currency_decimals: 2,
      status: 'paid',
      status_version: 2,
      test_mode: false,
      expires_at: made.expires_at,
      event_id: body.event_id,
      provider_trade_no: body.provider_trade_no,
      occurred_at: body.occurred_at,
    });
  });

  test('R-384 the buyer sees the invoice and no fee', async () => {
    const made = await alice.order();
    const { body, text } = await checkoutOf(service, made).state();
    expect(body.methods).toMatchObject([{ usable: true, buyer_fee: '0.00', payment_amount: '10.00' }]);
    for (const figure of [fee.toString(), '0.26']) expect(withoutTimes(text)).not.toContain(figure);
  });

  test('R-226 D-110 its webhooks count only under its own secret and at its own address', async () => {
    const made = await alice.order();
    await alice.start(made);
    // Bob's account and secret at Alice's address, and Alice's payment at Bob's: both have no effect.
    const forged = await fetch(alice.card.webhook_url, { method: 'POST', body: '{"id":"evt_1"}' });
    expect(forged.status).toBe(400);
    await alice.pay(made, { webhook: 'none' });
    const { events } = await eventsOf(made.order_no);
    const bobSecret = bob.secret_key.replace('sk_live_', 'whsec_');
    const body = JSON.stringify(events[0]);
    const signature = signatureHeader(body, bobSecret, Math.floor(Date.now() / 1_000));
    const misdirected = (url: string) =>
      fetch(url, { method: 'POST', body, headers: { 'stripe-signature': signature } });
    expect((await misdirected(alice.card.webhook_url)).status).toBe(400);
    expect((await misdirected(bob.card.webhook_url)).status).toBe(200);
    await service.admin('POST', '/jobs/reconcile/run');
    expect((await alice.merchant.read(made.order_no)).body.status).toBe('pending');
    await simulate(cardsim, 'POST', '/webhooks/replay', { event_id: events[0]?.id });
    await paid(made.order_no);
  });

  test('R-122 without a fee nothing is reserved, and an empty wallet is no obstacle', async () => {
    const shop = await openOwnShop(service, cardsim, platform.owner, {
      channel: { fees: [{ currency: 'USD', ...free }] },
    });
    const made = await shop.order();
    expect((await shop.start(made)).status).toBe(200);
    await shop.pay(made);
    const { body } = await eventually(
      () => shop.merchant.read(made.order_no),
      (answer) => answer.body.status === 'paid',
    );
    expect(body).toMatchObject({ merchant_fee: '0.00', merchant_fee_ptk: '0' });
    expect([await shop.postings(made), await shop.reservations(made), await shop.wallet()]).toEqual([
      [],
      [],
      {},
    ]);
  });

  test('R-125 later fee changes do not change the quotes of an order', async () => {
    const shop = await openOwnShop(service, cardsim, platform.owner, { available: fee });
    const made = await shop.order();
    const dearer = { currency: 'USD', buyer: zero, merchant: { fixed_minor: 500, percent_ppm: 0 } };
    await send('PATCH', `/channels/${shop.card.payment_no}`, { fees: [dearer] });
    expect((await shop.start(made)).status).toBe(200);
    expect(await shop.wallet()).toEqual({ fee_reserved_ptk: fee.toString() });
  });

  test('R-298 R-152 a second client of the merchant sees the channel as well', async () => {
    const second = await merchantOf(service, await addClient(service, alice.merchant_no));
    const { body } = await second.get<{ items: Json[] }>('/merchant-payment-channels');
    expect(body.items.map(({ payment_no }) => payment_no)).toContain(alice.card.payment_no);
  });
});

/** The simulator's events about an order. */
async function eventsOf(order_no: string) {
  const { items } = await simulate<{ items: (Json & { id: string })[] }>(cardsim, 'GET', '/events');
  return { events: items.filter((event) => JSON.stringify(event).includes(order_no)) };
}
