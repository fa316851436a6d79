import { type Cardsim, signatureHeader, startCardsim } from '@paydesk/cardsim';
import { randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLog } from '../../../src/base/log.ts';
import { localReceiver, type LocalReceiver, recordWhere } from '../../support/notifications/notify.ts';
import {
  addCardChannel,
  checkoutOf,
  type Merchant,
  merchantOf,
  type Order,
  payWithPtk,
  type Platform,
  setUpPlatform,
  signIn,
  validOrder,
} from '../../support/desks/platform.ts';
import { type Json, request, startTestService, type TestService } from '../../support/desks/service.ts';

let receiver: LocalReceiver;
let cardsim: Cardsim;
let service: TestService;
let platform: Platform;
let merchant: Merchant;
let session: string;
let webhook_path: string;

const lines: string[] = [];
const stream = new Writable({
  write(chunk: Buffer, _encoding, done) {
    lines.push(chunk.toString());
    done();
  },
});

const unguessable = (): string => randomBytes(24).toString('base64url');

/** Secrets that no log may contain, by kind. */
const secrets = new Map<string, string>();

function secret(name: string, value = unguessable()): string {
  secrets.set(name, value);
  return value;
}

function tokenOf(order: Order, name: string): string {
  return secret(name, new URL(order.checkout_url).searchParams.get('token') ?? '');
}

const receiverPath = `/hooks/${secret('path of the receiver')}?key=${secret('query of the receiver')}`;

beforeAll(async () => {
  receiver = await localReceiver();
  cardsim = await startCardsim();
  service = await startTestService({
    env: receiver.env,
    log: createLog('trace', stream),
  });
  platform = await setUpPlatform(service);
  const webhook_secret = secret('webhook secret', `whsec_${unguessable()}`);
  const card = await addCardChannel(service, cardsim.url, {
    config: {
      api_base: cardsim.url,
      secret_key: secret('key of the provider', `sk_live_${unguessable()}`),
      webhook_secret,
    },
  });
  webhook_path = new URL(card.webhook_url).pathname;
  secret('key of the address of webhooks', webhook_path.slice(webhook_path.lastIndexOf('/') + 1));
  await cardsim.registerWebhook({ url: card.webhook_url, secret: webhook_secret });
  secret('client secret', platform.client.client_secret);
  secret('password of the buyer', platform.buyer.password);
  secret('password of the owner', platform.owner.password);
  secret('administration key', 'test-administration-key');
  secret('key at rest', service.secret_key.toString('base64'));
  merchant = await merchantOf(service, platform.client);
  secret('access token', merchant.token);
  session = await signIn(service, platform.buyer);
  secret('session', session.split('=')[1]);

  await wholeOrder();
  await whatGoesWrong();
});

afterAll(async () => {
  await service.stop();
  await cardsim.close();
  await receiver.remove();
});

/** The values of a creation, stored under these names. */
const notified = (name: string): Json => ({
  notify_url: receiver.url(receiverPath),
  notify_secret: secret(`notify_secret ${name}`),
});

let paid: Order;

/** Creation, pages, both payments, notifications, records, a replay. */
async function wholeOrder(): Promise<void> {
  paid = await merchant.order(notified('of the PTK order'));
  tokenOf(paid, 'checkout token of the PTK order');
  const page = await fetch(paid.checkout_url, { headers: { cookie: session } });
  for (const cookie of page.headers.getSetCookie()) secret('checkout cookie', /=([^;]+)/.exec(cookie)?.[1]);
  await payWithPtk(service, paid, session);
  const told = await recordWhere(
    merchant,
    paid,
    'paid',
    ({ delivery_status }) => delivery_status === 'delivered',
  );
  for (const { headers } of receiver.of(paid)) {
    secret(`signature of ${String(headers['x-service-event-id'])}`, String(headers['x-service-signature']));
    secret(`standard signature of ${String(headers['webhook-id'])}`, String(headers['webhook-signature']));
  }
  await merchant.send('POST', `/merchant-payments/${paid.order_no}/notifications/${told.event_id}/retry`);

  const byCard = await merchant.order(notified('of the card order'));
  tokenOf(byCard, 'checkout token of the card order');
  const guest = checkoutOf(service, byCard);
  const { body } = await guest.start<{ redirect_url: string }>(await guest.methodOf('cardprov'));
  secret('address of the provider’s page', new URL(body.redirect_url).pathname.split('/').at(-1));
  const { body: sessions } = await request<{ items: { id: string }[] }>(
    `${cardsim.url}/_sim/sessions`,
    'GET',
  );
  await request(`${cardsim.url}/_sim/sessions/${sessions.items[0]?.id ?? ''}/pay`, 'POST', { body: {} });
  await recordWhere(merchant, byCard, 'paid', ({ delivery_status }) => delivery_status === 'delivered');
  await merchant.get(`/merchant-payments?order_no=${byCard.order_no}`);
}

/** Requests and deliveries that fail, each holding a secret that an error might quote. */
async function whatGoesWrong(): Promise<void> {
  const post = (path: string, raw: string, headers: Record<string, string>) =>
    service.send('POST', path, { raw, headers });
  const bearer = { authorization: `Bearer ${merchant.token}`, 'content-type': 'application/json' };
  const form = { 'content-type': 'application/x-www-form-urlencoded' };

  const refused = [
    await merchant.create({
      ...validOrder(),
      ...notified('with a space'),
      notify_secret: `${secret('a')} b`,
    }),
    await merchant.create({ ...validOrder(), notify_secret: secret('without an address') }),
    await merchant.create({
      ...validOrder(),
      ...notified('private'),
      notify_url: `https://10.0.0.1${receiverPath}`,
    }),
    await merchant.create({
      ...validOrder(),
      return_url: `http://shop.example/${secret('path of a return address')}`,
    }),
    await merchant.create({ ...validOrder(), ...notified('conflict'), idempotency_key: 'twice' }),
    await merchant.create({ ...validOrder(), ...notified('conflict 2'), idempotency_key: 'twice' }),
    await post('/openapi/v1/merchant-payments', `{"notify_secret":"${secret('in broken JSON')}",`, bearer),
    await post('/openapi/v1/merchant-payments', `{}`, {
      ...bearer,
      authorization: `Bearer ${secret('a false token')}`,
    }),
    await service.send('GET', `/openapi/v1/merchant-payments?access_token=${merchant.token}`),
    await service.send('GET', `/${paid.order_no}?token=${secret('a token somewhere else')}`),
    await post(
      '/oauth/token',
      `grant_type=client_credentials&client_secret=${secret('a false client secret')}`,
      form,
    ),
    await post('/oauth/token', 'grant_type=client_credentials', {
      ...form,
      authorization: `Basic ${secret('basic credentials', Buffer.from(`${platform.client.client_id}:${platform.client.client_secret}x`).toString('base64'))}`,
    }),
    await post(`/oauth/token?client_secret=${platform.client.client_secret}`, 'grant_type=nothing', form),
    await service.send('POST', '/session', {
      body: { email: platform.buyer.email, password: secret('a false password') },
      headers: { origin: service.url },
    }),
    await service.send('GET', `/checkout/${paid.order_no}?token=${secret('a false checkout token')}`),
    await service.send('GET', `/checkout/api/${paid.order_no}`, {
      headers: { 'x-checkout-token': secret('another false checkout token') },
    }),
    await service.send('GET', '/admin/v1/audit-log', {
      headers: { authorization: `Bearer ${secret('a false administration key')}` },
    }),
  ];
  expect(refused.filter(({ status }) => status < 300)).toHaveLength(1);

  const body = JSON.stringify({ id: 'evt_forged', object: 'event' });
  const { body: events } = await request<{ items: unknown[] }>(`${cardsim.url}/_sim/events`, 'GET');
  expect(events.items.length).toBeGreaterThan(0);
  await service.send('POST', webhook_path, {
    raw: body,
    headers: {
      'content-type': 'application/json',
      'stripe-signature': secret('a forged signature', signatureHeader(body, 'whsec_false', 1_700_000_000)),
    },
  });

  await request(`${cardsim.url}/_sim/faults`, 'POST', {
    body: { endpoint: 'sessions.create', mode: 'status', status: 500 },
  });
  const unclear = await merchant.order(notified('of an unclear order'));
  tokenOf(unclear, 'checkout token of an unclear order');
  const checkout = checkoutOf(service, unclear);
  expect((await checkout.start(await checkout.methodOf('cardprov'))).status).toBe(202);

  for (const answer of [{ status: 500 }, 'reset', 'garbage'] as const) {
    receiver.answerWith(answer);
    const order = await merchant.order(notified(`against ${JSON.stringify(answer)}`));
    tokenOf(order, `checkout token against ${JSON.stringify(answer)}`);
    await recordWhere(merchant, order, 'pending', ({ last_error }) => last_error !== null);
  }
}

const logged = (): string => lines.join('');

describe('the log of whole orders, at its finest level', () => {
  test('R-034 D-192 the log names paths, orders, clients and the hosts of receivers', () => {
    for (const line of lines) expect(() => JSON.parse(line) as Json).not.toThrow();
    const text = logged();
    for (const said of [
      `"path":"/checkout/${paid.order_no}"`,
      '"path":"/openapi/v1/merchant-payments"',
      '"path":"/webhooks/cardprov/-"',
      `"client_id":"${platform.client.client_id}"`,
      `127.0.0.1:${receiver.port}`,
      '"status":202',
    ]) {
      expect(text).toContain(said);
    }
  });

  test('R-034 R-258 R-326 R-383 D-192 D-1421 the log contains none of the secrets of the run', () => {
    expect(secrets.size).toBeGreaterThan(30);
    const text = logged();
    const found = [...secrets].filter(
      ([, value]) => value === '' || value === 'undefined' || text.includes(value),
    );
    expect(found.map(([name]) => name)).toEqual([]);
  });

  test('R-034 D-192 no query, no credentials and no cookie stand in any line', () => {
    for (const line of lines) {
      expect(line).not.toMatch(/[?&](token|key|access_token|client_secret)=/);
      expect(line).not.toMatch(/Bearer\s+[\w-]|Basic\s+[\w+/]/);
      expect(line).not.toMatch(/sha256=[0-9a-f]{64}/);
    }
  });
});
