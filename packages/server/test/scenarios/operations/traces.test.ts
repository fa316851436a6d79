import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { startTracing, type Tracing } from '../../../src/compose/tracing.ts';
import { type CollectedSpan, type Collector, openCollector } from '../../support/servers/collector.ts';
import { type OrderDesk, openOrderDesk } from '../../support/desks/order-desk.ts';
import { type Order, validOrder } from '../../support/desks/platform.ts';
import { eventually, request } from '../../support/desks/service.ts';

let collector: Collector;
let tracing: Tracing | null;
let desk: OrderDesk;

beforeAll(async () => {
  collector = await openCollector();
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', collector.url);
  vi.stubEnv('OTEL_BSP_SCHEDULE_DELAY', '100');
  vi.stubEnv('OTEL_RESOURCE_ATTRIBUTES', 'deployment.environment.name=test');
  tracing = startTracing(process.env);
  desk = await openOrderDesk();
});

afterAll(async () => {
  await desk.stop();
  await tracing?.stop();
  await collector.close();
  vi.unstubAllEnvs();
});

const secret = randomBytes(24).toString('base64url');

/** A caller's span, as its program sends it. */
function callersSpan(): { trace_id: string; headers: Record<string, string> } {
  const trace_id = randomBytes(16).toString('hex');
  return { trace_id, headers: { traceparent: `00-${trace_id}-${randomBytes(8).toString('hex')}-01` } };
}

const isDelivered = ({ name }: CollectedSpan): boolean => name === 'deliver notification';

async function createOrder(headers: Record<string, string>): Promise<Order> {
  const { merchant, service, receiver } = desk;
  const answer = await service.send<Order>('POST', '/openapi/v1/merchant-payments', {
    headers: { authorization: `Bearer ${merchant.token}`, ...headers },
    body: { ...validOrder(), notify_url: receiver.url('/hook?key=hidden'), notify_secret: secret },
  });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body;
}

/** Starts a payment as the order's page does, with headers of its own. */
async function startPayment(order: Order, provider: string, headers: Record<string, string>): Promise<void> {
  const { service, buyer } = desk;
  const token = new URL(order.checkout_url).searchParams.get('token') ?? '';
  const fixed = {
    'x-checkout-token': token,
    origin: new URL(service.url).origin,
    cookie: buyer,
    ...headers,
  };
  const path = `/checkout/api/${order.order_no}`;
  const { body } = await service.send<{ methods: { method_id: string; provider: string }[] }>('GET', path, {
    headers: fixed,
  });
  const method_id = body.methods.find((method) => method.provider === provider)?.method_id;
  const { status, text } = await service.send('POST', `${path}/payments`, {
    headers: fixed,
    body: { method_id },
  });
  if (status !== 200) throw new Error(text);
}

describe('one order from its creation to its delivery is one trace', () => {
  test('the request, its statements, the delivery, and what the receiver is told', async () => {
    const { trace_id, headers } = callersSpan();
    const order = await createOrder(headers);
    const spans = await collector.trace(trace_id, isDelivered);

    const created = spans.find(({ name }) => name === 'POST /openapi/v1/merchant-payments');
    expect(created).toMatchObject({
      kind: 2,
      parentSpanId: headers.traceparent?.split('-')[2],
      attributes: {
        'http.route': '/openapi/v1/merchant-payments',
        'http.response.status_code': 201,
        'url.scheme': 'http',
      },
      resource: { 'service.name': 'paydesk', 'deployment.environment.name': 'test' },
    });
    const stored = spans.find(({ name }) => name.startsWith('INSERT collection_orders'));
    // Where the tables are distributed each write is a statement of its own.
    const written = inject('citusUrl') === null ? [stored] : spans;
    expect(written.map((span) => span?.name).join()).toContain('INSERT notifications');
    expect(stored).toMatchObject({ kind: 3, attributes: { 'db.system.name': 'postgresql' } });
    const delivered = spans.find(isDelivered);
    expect(delivered).toMatchObject({
      kind: 3,
      parentSpanId: created?.spanId,
      attributes: { 'server.address': '127.0.0.1', 'http.response.status_code': 200 },
    });
    const [received] = desk.receiver.of(order);
    expect(received?.headers.traceparent).toBe(`00-${trace_id}-${delivered?.spanId ?? ''}-01`);
  });

  test('the delivery of a wallet payment belongs to the payment’s trace', async () => {
    const order = await createOrder(callersSpan().headers);
    const { trace_id, headers } = callersSpan();
    await startPayment(order, 'ptk', headers);
    const spans = await collector.trace(trace_id, isDelivered);
    const paid = spans.find(({ name }) => name === 'POST /checkout/api/:order_no/payments');
    expect(spans.find(isDelivered)?.parentSpanId).toBe(paid?.spanId);
  });

  test('a card payment: the provider gets the trace, and its webhook carries its own to the delivery', async () => {
    const order = await createOrder({});
    const { trace_id, headers } = callersSpan();
    await startPayment(order, 'cardprov', headers);
    const isCall = ({ name }: CollectedSpan): boolean => name === 'POST /v1/checkout/sessions';
    const call = (await collector.trace(trace_id, isCall)).find(isCall);
    const { body } = await request<{ items: { headers: Record<string, string>; url: string }[] }>(
      `${desk.cardsim.url}/_sim/requests`,
      'GET',
    );
    expect(JSON.stringify(body)).toContain(`00-${trace_id}-${call?.spanId ?? ''}-01`);

    const { id } = await desk.sessionOf(order);
    await request(`${desk.cardsim.url}/_sim/sessions/${id}/pay`, 'POST', { body: {} });
    const [, received] = await eventually(
      () => Promise.resolve(desk.receiver.of(order)),
      (all) => all.length >= 2,
    );
    const ofWebhook = String(received?.headers.traceparent).split('-')[1] ?? '';
    const names = (await collector.trace(ofWebhook, isDelivered)).map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining([
        'POST /webhooks/cardprov/:channel_key',
        'process webhook',
        'GET /v1/checkout/sessions/{id}',
        'GET /v1/payment_intents/{id}',
        'deliver notification',
      ]),
    );
  });
});

test('R-034 spans hold no token, no body, no value of a statement and no address of a receiver', async () => {
  const { trace_id, headers } = callersSpan();
  const order = await createOrder(headers);
  await startPayment(order, 'ptk', headers);
  await collector.trace(trace_id, ({ name }) => name === 'POST /checkout/api/:order_no/payments');
  const sent = collector.bodies.join('\n');
  const { merchant, platform, buyer } = desk;
  const token = new URL(order.checkout_url).searchParams.get('token');
  const hidden = [token, order.order_no, merchant.token, platform.client.client_secret, secret, '/hook'];
  for (const text of [...hidden, buyer, buyer.split('=')[1]]) expect(sent).not.toContain(text);
});

test('health and metrics have no spans, and polling for work that is not there has none', async () => {
  const before = collector.bodies.length;
  for (const path of ['/healthz', '/readyz', '/metrics']) await request(desk.service.url + path, 'GET');
  const { trace_id, headers } = callersSpan();
  await desk.service.send('GET', '/docs', { headers });
  await collector.trace(trace_id, ({ name }) => name === 'GET /docs');
  const since = collector.bodies.slice(before).join('\n');
  expect(since).not.toMatch(/\/(healthz|readyz|metrics)"/);
});

test('a request whose caller is not sampled is not reported, and passes that on', async () => {
  const { trace_id, headers } = callersSpan();
  const order = await createOrder({ traceparent: (headers.traceparent ?? '').replace(/01$/, '00') });
  const [received] = await eventually(
    () => Promise.resolve(desk.receiver.of(order)),
    (all) => all.length > 0,
  );
  expect(received?.headers.traceparent).toMatch(new RegExp(`^00-${trace_id}-[0-9a-f]{16}-00$`));
  expect(collector.bodies.join('\n')).not.toContain(trace_id);
});
