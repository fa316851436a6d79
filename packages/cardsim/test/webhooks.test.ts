import Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import {
  clientOf,
  sessionParams,
  startBench,
  startReceiver,
  webhook_secret,
  type Bench,
  type Received,
} from './helpers.ts';

async function created(bench: Bench): Promise<string> {
  return (await bench.stripe.checkout.sessions.create(sessionParams())).id;
}

async function paidSession(bench: Bench, body: object = {}): Promise<string> {
  const id = await created(bench);
  expect((await bench.control('POST', `/sessions/${id}/pay`, body)).status).toBe(200);
  return id;
}

function types(received: Received[]): string[] {
  return received.map(({ event }) => event.type);
}

describe('signatures', () => {
  test('the official verifier accepts a webhook and sees the session', async () => {
    const bench = await startBench();
    const id = await paidSession(bench);
    const [received] = await bench.receiver.waitFor(1);
    const { body = '', signature = '' } = received ?? {};
    const event = Stripe.webhooks.constructEvent(
      body,
      signature,
      webhook_secret,
      300,
      undefined,
      bench.time.ms,
    );
    expect(event).toMatchObject({
      object: 'event',
      type: 'checkout.session.completed',
      livemode: false,
      data: { object: { id, payment_status: 'paid', client_reference_id: 'attempt-1' } },
    });
  });

  test('another secret, another body or another time is not accepted', async () => {
    const bench = await startBench();
    await paidSession(bench);
    const [received] = await bench.receiver.waitFor(1);
    const { body = '', signature = '' } = received ?? {};
    const verify = (text: string, secret: string, at: number) => () =>
      Stripe.webhooks.constructEvent(text, signature, secret, 300, undefined, at);
    expect(verify(body, 'whsec_other', bench.time.ms)).toThrow();
    expect(verify(body.replace('1000', '9999'), webhook_secret, bench.time.ms)).toThrow();
    expect(verify(body, webhook_secret, bench.time.ms + 301_000)).toThrow();
    // The bytes of the body are signed, so a receiver that serializes it again gets another signature.
    expect(verify(JSON.stringify(JSON.parse(body)), webhook_secret, bench.time.ms)).toThrow();
  });

  test('signatures follow real time, objects follow the own clock', async () => {
    const bench = await startBench();
    await bench.control('PUT', '/clock', { advance_seconds: 86_400 });
    await paidSession(bench);
    const [received] = await bench.receiver.waitFor(1);
    const seconds = bench.time.ms / 1000;
    expect(received?.signature).toMatch(new RegExp(`^t=${seconds},v1=[0-9a-f]{64}$`));
    expect(received?.event.created).toBe(seconds + 86_400);
  });
});

describe('what is sent', () => {
  const flows: [string, (bench: Bench) => Promise<unknown>, string[]][] = [
    ['a payment', (bench) => paidSession(bench), ['checkout.session.completed']],
    [
      'an asynchronous payment that succeeds',
      async (bench) => {
        const id = await paidSession(bench, { async: true });
        await bench.receiver.waitFor(1);
        await bench.control('POST', `/sessions/${id}/settle-async`, { outcome: 'succeeded' });
      },
      ['checkout.session.completed', 'checkout.session.async_payment_succeeded'],
    ],
    [
      'an asynchronous payment that fails',
      async (bench) => {
        const id = await paidSession(bench, { async: true });
        await bench.receiver.waitFor(1);
        await bench.control('POST', `/sessions/${id}/settle-async`, { outcome: 'failed' });
      },
      ['checkout.session.completed', 'checkout.session.async_payment_failed'],
    ],
    [
      'an expired session',
      async (bench) => bench.stripe.checkout.sessions.expire(await created(bench)),
      ['checkout.session.expired'],
    ],
    [
      'a refund',
      async (bench) => {
        const session = await bench.stripe.checkout.sessions.retrieve(
          await paidSession(bench, { webhook: 'none' }),
        );
        await bench.stripe.refunds.create({ payment_intent: session.payment_intent as string, amount: 400 });
      },
      ['charge.refunded', 'refund.updated'],
    ],
    [
      'a lost dispute',
      async (bench) => {
        const id = await paidSession(bench, { webhook: 'none' });
        await bench.control('POST', `/sessions/${id}/dispute`, { outcome: 'lost' });
      },
      ['charge.dispute.created', 'charge.dispute.closed'],
    ],
  ];
  test.each(flows)('%s', async (_name, flow, expected) => {
    const bench = await startBench();
    await flow(bench);
    const received = await bench.receiver.waitFor(expected.length);
    expect(types(received)).toEqual(expected);
    const events = (await bench.control('GET', '/events')).body.items as unknown as Stripe.Event[];
    expect(events.slice(-expected.length)).toEqual(received.map(({ event }) => event));
  });

  test('an event tells the call that caused it', async () => {
    const bench = await startBench();
    const id = await created(bench);
    const expired = await bench.stripe.checkout.sessions.expire(id, {}, { idempotencyKey: 'close' });
    const [received] = await bench.receiver.waitFor(1);
    expect(received?.event.request).toEqual({ id: expired.lastResponse.requestId, idempotency_key: 'close' });
  });

  test('nothing is sent for webhook none, everything twice for duplicate', async () => {
    const bench = await startBench();
    await paidSession(bench, { webhook: 'none' });
    const id = await paidSession(bench, { webhook: 'duplicate' });
    const [first, second] = await bench.receiver.waitFor(2);
    expect(first?.event).toMatchObject({ data: { object: { id } } });
    expect(second?.body).toBe(first?.body);
  });

  test('an early webhook arrives before the payment is answered, a normal one after', async () => {
    const bench = await startBench();
    await paidSession(bench, { webhook: 'early' });
    expect(bench.receiver.received).toHaveLength(1);
  });
});

describe('delivery', () => {
  test('is repeated until the receiver accepts, with the same event', async () => {
    const bench = await startBench();
    bench.receiver.statuses.push(500, 302);
    await paidSession(bench);
    const received = await bench.receiver.waitFor(3);
    expect(new Set(received.map(({ event }) => event.id)).size).toBe(1);
    await bench.control('POST', '/webhooks/replay', { event_id: received[0]?.event.id });
    const deliveries = (await bench.control('GET', '/deliveries')).body.items;
    expect(deliveries.map(({ attempt, status }) => [attempt, status])).toEqual([
      [1, 500],
      [2, 302],
      [3, 200],
      [1, 200],
    ]);
  });

  test('gives up after the last delay', async () => {
    const bench = await startBench({ webhookRetryDelaysMs: [1] });
    bench.receiver.statuses.push(500, 500);
    const id = await paidSession(bench);
    await bench.receiver.waitFor(2);
    await paidSession(bench);
    const received = await bench.receiver.waitFor(3);
    expect(received.map(({ event }) => (event.data.object as { id: string }).id === id)).toEqual([
      true,
      true,
      false,
    ]);
  });

  test('a receiver that cannot be reached is noted with its reason', async () => {
    const url = 'http://127.0.0.1:1/none';
    const bench = await startBench({ webhooks: [{ url, secret: 'x' }], webhookRetryDelaysMs: [] });
    await paidSession(bench, { webhook: 'early' });
    const deliveries = (await bench.control('GET', '/deliveries')).body.items;
    expect(deliveries).toMatchObject([
      { url, status: null, error: expect.stringContaining('fetch failed') as string },
    ]);
  });

  test('replay sends an event again, as often as asked', async () => {
    const bench = await startBench();
    await paidSession(bench, { webhook: 'none' });
    const [event] = (await bench.control('GET', '/events')).body.items as unknown as Stripe.Event[];
    const answer = await bench.control('POST', '/webhooks/replay', { event_id: event?.id, times: 3 });
    expect(answer.body.items).toHaveLength(3);
    expect(bench.receiver.received.map((received) => received.event)).toEqual([event, event, event]);
    expect((await bench.control('POST', '/webhooks/replay', { event_id: 'evt_none' })).status).toBe(404);
  });
});

describe('holding', () => {
  async function threeHeld(bench: Bench): Promise<string[]> {
    await bench.control('POST', '/webhooks/hold', { hold: true });
    const ids = [
      await paidSession(bench),
      await paidSession(bench, { webhook: 'early' }),
      await created(bench),
    ];
    await bench.stripe.checkout.sessions.expire(ids[2] ?? '');
    expect(bench.receiver.received).toEqual([]);
    return ids;
  }
  const sessionIds = (bench: Bench) =>
    bench.receiver.received.map(({ event }) => (event.data.object as { id: string }).id);

  test('withholds and later sends in order', async () => {
    const bench = await startBench();
    const ids = await threeHeld(bench);
    expect((await bench.control('POST', '/webhooks/hold', { hold: false })).body).toEqual({
      hold: false,
      sent: 3,
    });
    expect(sessionIds(bench)).toEqual(ids);
    const next = await paidSession(bench, { webhook: 'early' });
    expect(sessionIds(bench).at(-1)).toBe(next);
  });

  test('sends in reverse order if asked', async () => {
    const bench = await startBench();
    const ids = await threeHeld(bench);
    await bench.control('POST', '/webhooks/hold', { hold: false, reverse: true });
    expect(sessionIds(bench)).toEqual(ids.reverse());
  });
});

describe('targets', () => {
  test('a target of one secret key gets the events of that account only', async () => {
    const bench = await startBench();
    const second = await startReceiver();
    const target = { url: second.url, secret: 'whsec_second', account: 'sk_test_second' };
    const added = await bench.control('POST', '/webhooks', target);
    expect(added.status).toBe(201);
    expect(JSON.stringify(added.body)).not.toMatch(/whsec_second|sk_test_second/);

    await paidSession(bench, { webhook: 'early' });
    const { id } = await clientOf(bench.sim, 'sk_test_second').checkout.sessions.create(sessionParams());
    await bench.control('POST', `/sessions/${id}/pay`, { webhook: 'early' });
    expect(bench.receiver.received).toHaveLength(2);
    expect(second.received.map(({ event }) => (event.data.object as { id: string }).id)).toEqual([id]);
  });

  test('registering an address again replaces its secret', async () => {
    const bench = await startBench();
    const target = { url: bench.receiver.url, secret: 'whsec_new' };
    expect((await bench.control('POST', '/webhooks', target)).status).toBe(200);
    await paidSession(bench, { webhook: 'early' });
    expect(bench.receiver.received).toHaveLength(1);
    const { body = '', signature = '' } = bench.receiver.received[0] ?? {};
    expect(
      Stripe.webhooks.constructEvent(body, signature, 'whsec_new', 300, undefined, bench.time.ms).type,
    ).toBe('checkout.session.completed');
  });

  test.each([
    [{ url: 'ftp://x.test', secret: 's' }, 'url'],
    [{ url: 'https://x.test' }, 'secret'],
    [{ url: 'https://x.test', secret: 's', account: 'me' }, 'account'],
  ])('%j is refused', async (target, field) => {
    const { control } = await startBench();
    expect(await control('POST', '/webhooks', target)).toMatchObject({ status: 400, body: { field } });
  });
});
