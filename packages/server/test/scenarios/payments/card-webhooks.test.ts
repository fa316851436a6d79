import { type Cardsim, signatureHeader, startCardsim } from '@paydesk/cardsim';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sealed } from '../../../src/base/sealed-columns.ts';
import { sql } from '../../../src/base/pg/index.ts';
import { secretBox } from '../../../src/base/secret-box.ts';
import { mostCharacters } from '../../../src/payments/disputes/evidence.ts';
import {
  addCardChannel,
  busyMerchant,
  checkoutOf,
  type Merchant,
  type Order,
  type Platform,
  setUpPlatform,
  validOrder,
} from '../../support/desks/platform.ts';
import {
  eventually,
  type Json,
  request,
  startTestService,
  type TestService,
} from '../../support/desks/service.ts';
import { beside } from '../../support/desks/wallets.ts';

/** Longer than anything here may take that waits for no provider. */
const provider_timeout_ms = 60_000;

let service: TestService;
let cardsim: Cardsim;
let platform: Platform;
let merchant: Merchant;
let healthy: { payment_no: string; webhook_url: string };
let hanging: { payment_no: string; webhook_url: string };

const hangingKey = 'sk_live_hanging';

beforeAll(async () => {
  cardsim = await startCardsim();
  service = await startTestService({
    env: { PAYDESK_TRUSTED_PROXIES: '127.0.0.1/32' },
    timings: { provider_timeout_ms },
  });
  platform = await setUpPlatform(service);
  const usd = { supported_currencies: ['USD'] };
  healthy = await addCardChannel(service, cardsim.url, usd);
  hanging = await addCardChannel(service, cardsim.url, {
    ...usd,
    name: 'Card that hangs',
    config: { api_base: cardsim.url, secret_key: hangingKey, webhook_secret: 'whsec_hanging' },
  });
  await cardsim.registerWebhook({
    url: healthy.webhook_url,
    secret: 'whsec_simulated',
    account: 'sk_live_simulated',
  });
  merchant = await busyMerchant(service, platform.merchant_no, 8);
});

afterAll(async () => {
  // A call that hangs would keep the service.
  await cardsim.close();
  await service.stop();
});

const now_s = (): number => Math.floor(Date.now() / 1_000);
const signed = (body: string, secret = 'whsec_simulated', at = now_s()) => ({
  raw: body,
  headers: { 'content-type': 'application/json', 'stripe-signature': signatureHeader(body, secret, at) },
});

const event = (id: string, object: Json = {}): string =>
  JSON.stringify({ id, object: 'event', type: 'checkout.session.completed', data: { object } });

const stored = (): Promise<number> =>
  beside(service, async (db) => {
    const [row] = await db.query<{ count: number }>(sql`SELECT count(*)::int AS count FROM card_webhooks`);
    return row?.count ?? 0;
  });

async function counted(outcome: string): Promise<number> {
  const { text } = await service.send('GET', '/metrics');
  const found = new RegExp(`^paydesk_card_webhooks_total\\{outcome="${outcome}"\\} (\\d+)$`, 'm').exec(text);
  return Number(found?.[1] ?? 0);
}

test('D-1371 what alerts count is 0 in the figures before it happens', async () => {
  const { text } = await service.send('GET', '/metrics');
  const zeros = text.split('\n').filter((line) => line.endsWith('} 0'));
  expect(zeros).toEqual(
    expect.arrayContaining([
      'paydesk_card_webhooks_total{outcome="refused"} 0',
      'paydesk_notification_attempts_total{outcome="unsent"} 0',
      'paydesk_notification_attempts_total{outcome="dns_failed"} 0',
      'paydesk_request_notes_lost_total{reason="full"} 0',
      'paydesk_request_notes_lost_total{reason="failed"} 0',
    ]),
  );
});

describe('R-226 webhooks that are none', () => {
  const body = event('evt_none');
  const secret = 'whsec_simulated';
  const [wrong, late] = [/^The signature is wrong\.$/, /by more than five minutes\.$/];
  const old = signed(body, secret, now_s() - 360);
  const timed = { ...old.headers, 'stripe-signature': `t=${now_s()},${old.headers['stripe-signature']}` };
  test.each<[string, object, RegExp]>([
    ['without a signature', { raw: body, headers: { 'content-type': 'application/json' } }, wrong],
    ['under another secret', signed(body, 'whsec_other'), wrong],
    ['another body than was signed', { ...signed(body), raw: `${body} ` }, wrong],
    ['signed six minutes ago', old, late],
    ['signed six minutes ago, under a time of now', { ...old, headers: timed }, late],
    ['signed in an hour', signed(body, secret, now_s() + 3_600), late],
    ['signed, but not JSON', signed('{'), /no JSON/],
    ['without a body', signed(''), /no JSON/],
    ['signed, but null', signed('null'), /no event/],
    ['signed, but without data', signed('{"id":"evt_1","type":"odd"}'), /no event/],
    [
      'signed, but with data of null',
      signed('{"id":"evt_1","type":"odd","data":{"object":null}}'),
      /no event/,
    ],
    ['signed, but without an id', signed('{"type":"odd","data":{"object":{}}}'), /no event/],
  ])('D-660 %s: refused with what is wrong, counted, and nothing stored', async (_, options, words) => {
    const [rows, count] = [await stored(), await counted('refused')];
    expect(await request(healthy.webhook_url, 'POST', options)).toMatchObject({
      status: 400,
      body: { error: 'invalid_request', error_description: expect.stringMatching(words) as string },
    });
    expect([await stored(), await counted('refused')]).toEqual([rows, count + 1]);
  });

  test('an unknown channel key is 404, and counted apart', async () => {
    const rows = await stored();
    const unknown = healthy.webhook_url.replace(/[^/]+$/, 'nobody');
    expect((await request(unknown, 'POST', signed(body))).status).toBe(404);
    expect([await stored(), await counted('unknown_channel')]).toEqual([rows, 1]);
  });

  test('an oversized body is 413, and nothing is stored of it', async () => {
    const rows = await stored();
    const large = event('evt_large', { padding: 'x'.repeat(1_000_000) });
    expect((await request(healthy.webhook_url, 'POST', signed(large))).status).toBe(413);
    expect(await stored()).toBe(rows);
    const unknown = healthy.webhook_url.replace(/[^/]+$/, 'nobody');
    expect((await request(unknown, 'POST', signed(large))).status).toBe(404);
  });

  test('D-1075 one about a dispute with the longest evidence is stored', async () => {
    const rows = await stored();
    const evidence = { uncategorized_text: '€'.repeat(mostCharacters) };
    const long = event('evt_long', { id: 'dp_1', object: 'dispute', evidence });
    const escaped = long.replaceAll('€', String.raw`\u20ac`);
    expect((await request(healthy.webhook_url, 'POST', signed(escaped))).status).toBe(200);
    expect(await stored()).toBe(rows + 1);
  });

  test('D-106 a signed one is stored once, also if it comes many times', async () => {
    const rows = await stored();
    const same = signed(event('evt_same'));
    for (let i = 0; i < 3; i++) {
      expect((await request(healthy.webhook_url, 'POST', same)).status).toBe(200);
    }
    expect(await stored()).toBe(rows + 1);
  });
});

test('R-157 a channel without signing secret is in no directory and no checkout, and starts no payment', async () => {
  const order = await merchant.order();
  const checkout = checkoutOf(service, order);
  const method = (await checkout.state()).body.methods.find(({ name }) => name === 'Card that hangs');
  const path = `/channels/${hanging.payment_no}`;
  await service.admin('PATCH', path, { config: { webhook_secret: null } });
  try {
    const { body } = await merchant.get<{ items: Json[] }>('/merchant-payment-channels');
    expect(body.items.map(({ payment_no }) => payment_no)).not.toContain(hanging.payment_no);
    expect((await checkout.state()).body.methods.map(({ name }) => name)).not.toContain('Card that hangs');
    expect(await checkout.start(method?.method_id ?? '')).toMatchObject({
      status: 422,
      body: { error: 'channel_unavailable' },
    });
    const created = await merchant.create({ ...validOrder(), payment_no: hanging.payment_no });
    expect(created.body).toMatchObject({ error: 'channel_unavailable' });
  } finally {
    await service.admin('PATCH', path, { config: { webhook_secret: 'whsec_hanging' } });
  }
});

describe('H-26 a webhook', () => {
  test('is recognized only by its signature over the exact bytes, which are kept', async () => {
    const body = `{ "id" : "evt_bytes",\t"object":"event","type":"odd" ,"data":{"object":{"n":1.0}}}\r\n`;
    const { raw, headers } = signed(body);
    const odd = { 'content-type': 'text/plain; charset=latin1', origin: 'https://evil.example' };
    const answer = await request(healthy.webhook_url, 'POST', { raw, headers: { ...headers, ...odd } });
    expect([answer.status, answer.body]).toEqual([200, { received: true }]);
    const [row] = await beside(service, (db) =>
      db.query<{ body_box: Buffer; payment_no: string }>(
        sql`SELECT body_box, payment_no FROM card_webhooks WHERE provider_event_id = 'evt_bytes'`,
      ),
    );
    expect(row?.body_box.includes('evt_bytes')).toBe(false);
    const named = sealed.webhookBody.row({
      payment_no: row?.payment_no ?? '',
      provider_event_id: 'evt_bytes',
    });
    expect(secretBox([service.secret_key]).open(row?.body_box ?? Buffer.alloc(0), named)).toBe(body);
  });

  test.each(['GET', 'PUT', 'DELETE', 'PATCH'])('is no %s: 405', async (method) => {
    const answer = await request(healthy.webhook_url, method);
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
  });

  test('is acknowledged only once it is stored: otherwise the provider sends it again', async () => {
    const webhook = signed(event('evt_durable'));
    await beside(service, (db) => db.query(sql`ALTER TABLE card_webhooks RENAME TO elsewhere`));
    const refused = await request(healthy.webhook_url, 'POST', webhook);
    await beside(service, (db) => db.query(sql`ALTER TABLE elsewhere RENAME TO card_webhooks`));
    expect([refused.status, refused.body.error]).toEqual([500, 'server_error']);
    const rows = await stored();
    expect((await request(healthy.webhook_url, 'POST', webhook)).status).toBe(200);
    expect(await stored()).toBe(rows + 1);
  });
});

describe('R-193 a provider that hangs', () => {
  interface Session extends Json {
    id: string;
    metadata: { order_no: string };
  }
  const start = async (order: Order): Promise<void> => {
    const checkout = checkoutOf(service, order);
    expect((await checkout.start(await checkout.methodOf('cardprov'))).status).toBe(200);
  };
  const sessionOf = async ({ order_no }: Order): Promise<Session> => {
    const { body } = await request<{ items: Session[] }>(`${cardsim.url}/_sim/sessions`, 'GET');
    const found = body.items.find(({ metadata }) => metadata.order_no === order_no);
    if (found === undefined) throw new Error('no session');
    return found;
  };

  test('D-1154 news of a refund whose payment the provider does not have waits ten minutes for it, and no day', async () => {
    const refund = { id: 're_gone', object: 'refund', payment_intent: 'pi_gone' };
    expect((await request(healthy.webhook_url, 'POST', signed(event('evt_gone', refund)))).status).toBe(200);
    const found = () =>
      beside(service, (db) =>
        db.query<Json>(sql`SELECT outcome, due_at IS NOT NULL AS again, given_up_at FROM card_webhooks
          WHERE provider_event_id = 'evt_gone'`),
      );
    const outcome = 'no such payment';
    expect(await eventually(found, ([row]) => row?.outcome === outcome)).toMatchObject([{ again: true }]);
    await service.advance(9 * 60);
    await service.admin('POST', '/jobs/reconcile/run');
    expect(await found()).toMatchObject([{ outcome, again: true }]);
    await service.advance(2 * 60);
    await service.admin('POST', '/jobs/reconcile/run');
    expect(await found()).toEqual([{ outcome, again: false, given_up_at: null }]);
  });

  test('a hanging channel delays no webhooks and no overdue sessions of other channels', async () => {
    // More than may be under way for one channel, all due now, and older than those of the other channels.
    const stuck = await Promise.all(
      Array.from({ length: 60 }, () => merchant.order({ expires_in: 600, payment_no: hanging.payment_no })),
    );
    for (const order of stuck) await start(order);
    const unpaid = await merchant.order({ expires_in: 601, payment_no: healthy.payment_no });
    const paying = await merchant.order({ payment_no: healthy.payment_no });
    await start(unpaid);
    await start(paying);
    const [ofStuck, ofPaying] = [await sessionOf(stuck[0] as Order), await sessionOf(paying)];
    const fault = { endpoint: 'sessions.retrieve', mode: 'hang_before', times: 1_000, account: hangingKey };
    await request(`${cardsim.url}/_sim/faults`, 'POST', { body: fault });
    for (let i = 0; i < 60; i++) {
      const body = event(`evt_stuck_${i}`, ofStuck);
      expect((await request(hanging.webhook_url, 'POST', signed(body, 'whsec_hanging'))).status).toBe(200);
    }
    const began = performance.now();
    await service.advance(602);
    await request(`${cardsim.url}/_sim/sessions/${ofPaying.id}/pay`, 'POST', { body: {} });
    for (const [order, status] of [
      [unpaid, 'expired'],
      [paying, 'paid'],
    ] as const) {
      await eventually(
        () => merchant.read(order.order_no),
        ({ body }) => body.status === status,
      );
    }
    // Before any of the other channel's requests was given up.
    expect(performance.now() - began).toBeLessThan(provider_timeout_ms - 500);
    expect((await merchant.read((stuck[59] as Order).order_no)).body.status).toBe('review');
    await request(`${cardsim.url}/_sim/faults`, 'DELETE');
  });
});
