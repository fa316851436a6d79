import { type Cardsim, startCardsim } from '@paydesk/cardsim';
import {
  CheckoutState,
  CollectionOrder,
  CollectionOrderList,
  CreatedCollectionOrder,
  CurrentUser,
  DeliveryRecordList,
  PaymentChannelList,
  PaymentDone,
  PaymentRedirect,
  ReplayAccepted,
  SessionAnswer,
  SignedOut,
  StatusNotification,
  TokenAnswer,
} from '@paydesk/contract';
import type Type from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectAnswer, faultsOf } from '../../support/rules/contract.ts';
import {
  addCardChannel,
  allScopes,
  busyMerchant,
  checkoutOf,
  fromAnywhere,
  type Merchant,
  type Order,
  type Platform,
  setUpPlatform,
  signIn,
} from '../../support/desks/platform.ts';
import { eventually, type Json, startTestService, type TestService } from '../../support/desks/service.ts';

let service: TestService;
let platform: Platform;
let merchant: Merchant;
let cardsim: Cardsim;
let buyer: string;

/** Nothing listens there; only the record matters. */
const notify = {
  notify_url: 'https://192.0.2.1:9/hook',
  notify_secret: 'a-secret-of-thirty-two-bytes-or-so',
};

beforeAll(async () => {
  service = await startTestService({
    env: { PAYDESK_TRUSTED_PROXIES: '127.0.0.0/8', PAYDESK_NOTIFY_ALLOW_CIDRS: '192.0.2.0/24' },
  });
  platform = await setUpPlatform(service);
  cardsim = await startCardsim();
  const card = await addCardChannel(service, cardsim.url);
  await cardsim.registerWebhook({ url: card.webhook_url, secret: 'whsec_simulated' });
  merchant = await busyMerchant(service, platform.merchant_no, 3);
  buyer = await signIn(service, platform.buyer);
});

afterAll(async () => {
  await service.stop();
  await cardsim.close();
});

/** The members that a schema demands or allows. */
const membersOf = (schema: Type.TObject): string[] => Object.keys(schema.properties).sort();
const keysOf = (body: unknown): string[] => Object.keys(body as Json).sort();

async function paid(body: Json = {}): Promise<Order> {
  const order = await merchant.order(body);
  const checkout = checkoutOf(service, order, buyer);
  const answer = await checkout.start(await checkout.methodOf('ptk'));
  expectAnswer(answer, 200, PaymentDone);
  return order;
}

describe('collection orders', () => {
  test('R-052, R-054, H-28 a creation answers 201 with exactly its members', async () => {
    const answer = await merchant.create({
      external_reference: 'all',
      idempotency_key: 'all',
      amount: '10.00',
      currency: 'USD',
      description: 'Two paperbacks',
      return_url: 'https://shop.example/thanks?a=1#b',
      ...notify,
      merchant_id: 'ignored',
    });
    expectAnswer(answer, 201, CreatedCollectionOrder);
    expect(keysOf(answer.body)).toEqual(membersOf(CreatedCollectionOrder));
  });

  test('R-035 return_url is the one member that a creation answer can lack', async () => {
    const order = await merchant.order();
    const { return_url, ...always } = CreatedCollectionOrder.properties;
    expect(return_url).toBeDefined();
    expect(keysOf(order)).toEqual(Object.keys(always).sort());
  });

  test('R-058 an identical retry answers 201 with the same body', async () => {
    const body = { external_reference: 'r', idempotency_key: 'retry', amount: '3', currency: 'JPY' };
    const [first, second] = [await merchant.create(body), await merchant.create(body)];
    expectAnswer(second, 201, CreatedCollectionOrder);
    expect(second.text).toBe(first.text);
  });

  test.each([
    ['R-024 two decimals', 'USD', '10', '10.00', 1_000],
    ['R-024 no decimals', 'JPY', '1000', '1000', 1_000],
    ['R-024 three decimals', 'KWD', '1.234', '1.234', 1_234],
    ['R-024 eight decimals', 'PTK', '1', '1.00000000', 100_000_000],
    [
      'R-026, R-055 the largest exact number',
      'PTK',
      '90071992.54740991',
      '90071992.54740991',
      9007199254740991,
    ],
  ])('%s: %s %s is written as %s', async (_name, currency, amount, written, amount_minor) => {
    const order = await merchant.order({ amount, currency });
    expect(order).toMatchObject({ amount: written, amount_minor, currency });
    const read = await merchant.read(order.order_no);
    expectAnswer(read, 200, CollectionOrder);
    expect(read.text).toContain(`"amount_minor":${amount_minor},`);
    expect(read.body).toMatchObject(order);
  });

  test('R-053, R-054, R-023, R-040 an unpaid order has these members and no others', async () => {
    const order = await merchant.order({ return_url: 'https://shop.example/' });
    const answer = await merchant.read(order.order_no);
    expectAnswer(answer, 200, CollectionOrder);
    const later = [
      'event_id',
      'provider_trade_no',
      'payment_amount',
      'payment_currency',
      'buyer_fee',
      'merchant_fee',
    ];
    const present = membersOf(CollectionOrder).filter((name) => ![...later, 'settlement_ptk'].includes(name));
    expect(keysOf(answer.body)).toEqual(present);
    expect(answer.body).toMatchObject({ payment_no: '', occurred_at: null, fee_status: 'unselected' });
  });

  test('R-053, R-037, R-044, R-050 a paid order has every member', async () => {
    const order = await paid({ return_url: 'https://shop.example/' });
    const answer = await merchant.read(order.order_no);
    expectAnswer(answer, 200, CollectionOrder);
    expect(keysOf(answer.body)).toEqual(membersOf(CollectionOrder));
    expect(answer.body).toMatchObject({
      status: 'paid',
      payment_no: platform.ptk_channel,
      provider_trade_no: `PTK:${order.order_no}`,
      payment_amount: '100.00000000',
      payment_currency: 'PTK',
      buyer_fee: '0.00000000',
      merchant_fee: '0.00000000',
      settlement_ptk: '10000000000',
    });
  });

  test('R-299, R-303, R-004 a list has its items and nothing beside them', async () => {
    await paid({ external_reference: 'listed' });
    await merchant.order({ external_reference: 'listed' });
    const answer = await merchant.get<{ items: Order[] }>('/merchant-payments?external_reference=listed');
    expectAnswer(answer, 200, CollectionOrderList);
    expect(answer.body.items.map(({ status }) => status)).toEqual(['pending', 'paid']);
  });

  test('R-151, R-153, R-007 the channel directory', async () => {
    const answer = await merchant.get<{ items: Json[] }>('/merchant-payment-channels');
    expectAnswer(answer, 200, PaymentChannelList);
    expect(answer.body.items.map(({ provider }) => provider).sort()).toEqual(['cardprov', 'ptk']);
  });
});

describe('notifications', () => {
  interface Records {
    items: { event: { id: string; data: Json }; event_id: string; delivery_status: string }[];
  }

  test('R-290, R-262, R-263 delivery records contain the sent event, with the confirmation if there is one', async () => {
    const order = await paid({ ...notify, return_url: 'https://shop.example/' });
    const answer = await merchant.get<Records>(`/merchant-payments/${order.order_no}/notifications`);
    expectAnswer(answer, 200, DeliveryRecordList);
    const [confirmed, pending] = answer.body.items;
    const all = membersOf(StatusNotification.properties.data);
    expect(keysOf(confirmed?.event.data)).toEqual(all);
    const confirmation = ['event_id', 'occurred_at', 'provider_trade_no'];
    expect(keysOf(pending?.event.data)).toEqual(all.filter((name) => !confirmation.includes(name)));
    expect(confirmed?.event.id).toBe(confirmed?.event_id);
    expect(answer.text).not.toContain(notify.notify_secret);
  });

  test('R-292 a record with attempts', async () => {
    const order = await merchant.order(notify);
    const path = `/merchant-payments/${order.order_no}/notifications`;
    const tried = await eventually(
      () => merchant.get<{ items: [{ last_error: string | null }] }>(path),
      ({ body }) => body.items[0].last_error !== null,
    );
    expectAnswer(tried, 200, DeliveryRecordList);
  });

  test('R-283, D-145, H-28 a replay answers 202', async () => {
    const order = await merchant.order(notify);
    const path = `/merchant-payments/${order.order_no}/notifications`;
    const { body } = await merchant.get<Records>(path);
    const answer = await merchant.send('POST', `${path}/${body.items[0]?.event_id ?? ''}/retry`);
    expectAnswer(answer, 202, ReplayAccepted);
  });
});

describe('tokens', () => {
  test('R-314, D-163 a token request answers with exactly these members', async () => {
    const { client_id, client_secret } = platform.client;
    const answer = await service.send('POST', '/oauth/token', {
      raw: new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expectAnswer(answer, 200, TokenAnswer);
    expect(String(answer.body.scope).split(' ').sort()).toEqual(allScopes);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });
});

describe('checkout', () => {
  test.each([
    ['for a guest', false],
    ['for a signed-in buyer', true],
  ])('R-208, R-209, R-384 the state %s', async (_name, signedIn) => {
    const order = await merchant.order({ description: 'Books', return_url: 'https://shop.example/' });
    const answer = await checkoutOf(service, order, signedIn ? buyer : undefined).state();
    expectAnswer(answer, 200, CheckoutState);
    expect(answer.body.buyer === null).toBe(!signedIn);
    expect(answer.body).not.toHaveProperty('return_url');
  });

  test('R-219 the state of a paid order', async () => {
    const order = await paid({ return_url: 'https://shop.example/' });
    const answer = await checkoutOf(service, order, buyer).state();
    expectAnswer(answer, 200, CheckoutState);
    expect(keysOf(answer.body)).toEqual(membersOf(CheckoutState));
  });

  test('R-199, R-201 a card payment answers with its page, and the state with its attempt', async () => {
    const checkout = checkoutOf(service, await merchant.order());
    expectAnswer(await checkout.start(await checkout.methodOf('cardprov')), 200, PaymentRedirect);
    const { body } = await checkout.state();
    expect(faultsOf(CheckoutState, body)).toEqual([]);
    expect(body.attempt?.state).toBe('open');
  });
});

describe('sessions', () => {
  test('signing in, asking who is there and signing out', async () => {
    const { email, password } = platform.buyer;
    const headers = { origin: service.url, ...fromAnywhere() };
    const signedIn = await service.send('POST', '/session', { body: { email, password }, headers });
    expectAnswer(signedIn, 200, SessionAnswer);
    const cookie = signedIn.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
    expectAnswer(await service.send('GET', '/session', { headers: { cookie } }), 200, CurrentUser);
    expectAnswer(
      await service.send('DELETE', '/session', { headers: { ...headers, cookie } }),
      200,
      SignedOut,
    );
  });
});
