import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sealed } from '../../src/base/sealed-columns.ts';
import { secretBox } from '../../src/base/secret-box.ts';
import { type CardProvider, createCardProvider } from '../../src/channels/card/card-provider.ts';
import type { Channel } from '../../src/channels/channel.ts';
import { sampleChannel } from '../support/desks/samples.ts';
import {
  api_version,
  chargeShape,
  disputeShape,
  errorShape,
  eventShape,
  listShape,
  paymentIntentShape,
  refundShape,
  sessionShape,
} from '../support/rules/stripe-shapes.ts';

/**
 * The shapes of the real provider through our adapter: a server answers with them to any request. These tests never
 * asked the real provider (docs/stripe.md says what that leaves open).
 */
const box = secretBox([Buffer.alloc(32, 7)]);
const cards: CardProvider = createCardProvider(box);
let server: Server;
let channel: Channel;

interface Asked {
  line: string;
  headers: IncomingHttpHeaders;
  form: URLSearchParams;
}
let asked: Asked[];
let answers: [status: number, body: unknown][];

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const form = new URLSearchParams(Buffer.concat(chunks).toString());
      asked.push({ line: `${request.method ?? ''} ${request.url ?? ''}`, headers: request.headers, form });
      const [status, body] = answers.shift() ?? [500, 'no answer prepared'];
      response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_Shapes' });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    });
  });
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', listening);
  });
  const { payment_no } = sampleChannel();
  channel = sampleChannel({
    api_base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    secret_key_box: box.seal('sk_live_shapes', sealed.channelKey.row({ payment_no })),
    webhook_secret_box: box.seal('whsec_shapes', sealed.webhookSecret.row({ payment_no })),
  });
});

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
});

beforeEach(() => {
  asked = [];
  answers = [];
});

const newSession = {
  attempt_id: 'pa_1',
  order_no: 'mp_1',
  merchant_id: 'm_1',
  title: 'Two books',
  amount: 1_060n,
  currency: 'USD',
  success_url: 'https://pay.example/back',
  cancel_url: 'https://pay.example/back',
  expires_at: 1_767_229_200,
};

describe('requests to the provider', () => {
  test('R-236 a session, in the API version of the package, with the attempt as its key, and only the necessary members', async () => {
    answers = [[200, sessionShape()]];
    expect(await cards.createSession(channel, newSession)).toEqual({
      kind: 'created',
      session: {
        id: 'cs_live_a1Shapes',
        url: 'https://checkout.stripe.com/c/pay/cs_live_a1Shapes#fid',
        status: 'open',
        paid: false,
        amount: 1_060n,
        currency: 'USD',
        reference: 'pa_1',
        order_no: 'mp_1',
        merchant_id: 'm_1',
        mode_matches: true,
        livemode: true,
        payment_id: null,
        created: sessionShape().created,
      },
    });
    const [{ line, headers, form } = { line: '', headers: {}, form: new URLSearchParams() }] = asked;
    expect(line).toBe('POST /v1/checkout/sessions');
    expect(headers).toMatchObject({
      authorization: 'Bearer sk_live_shapes',
      'idempotency-key': 'att_pa_1',
      'stripe-version': api_version,
    });
    expect(Object.fromEntries(form)).toEqual({
      mode: 'payment',
      client_reference_id: 'pa_1',
      'metadata[order_no]': 'mp_1',
      'metadata[merchant_id]': 'm_1',
      'line_items[0][quantity]': '1',
      'line_items[0][price_data][currency]': 'usd',
      'line_items[0][price_data][unit_amount]': '1060',
      'line_items[0][price_data][product_data][name]': 'Two books',
      success_url: 'https://pay.example/back',
      cancel_url: 'https://pay.example/back',
      expires_at: '1767229200',
    });
  });

  test('D-260, D-261 the methods as a filter, in the parameter of this version, and the language', async () => {
    answers = [[200, sessionShape()]];
    const payment_method_types = ['card', 'wechat_pay'];
    await cards.createSession(channel, { ...newSession, locale: 'zh', payment_method_types });
    expect(Object.fromEntries(asked[0]?.form ?? [])).toMatchObject({
      locale: 'zh',
      'allowed_payment_method_types[0]': 'card',
      'allowed_payment_method_types[1]': 'wechat_pay',
      'payment_method_options[wechat_pay][client]': 'web',
    });
    expect(asked[0]?.form.has('payment_method_types[0]')).toBe(false);
  });

  test('the package of this repository speaks the version that these shapes are of', () => {
    expect(Stripe.API_VERSION).toBe(api_version);
  });

  test('D-093 sessions page by page, until the one with our reference is found', async () => {
    const url = '/v1/checkout/sessions';
    const others = [1, 2].map((i) => sessionShape({ id: `cs_other${i}`, client_reference_id: null }));
    answers = [
      [200, listShape(url, others, true)],
      [200, listShape(url, [sessionShape({ metadata: {} })])],
    ];
    const found = await cards.findSession(channel, 'pa_1', 1, 2);
    expect(found).toMatchObject({ kind: 'found', value: { id: 'cs_live_a1Shapes', order_no: null } });
    expect(asked.map(({ line }) => decodeURIComponent(line))).toEqual([
      'GET /v1/checkout/sessions?created[gte]=1&created[lte]=2&limit=100',
      'GET /v1/checkout/sessions?created[gte]=1&created[lte]=2&limit=100&starting_after=cs_other2',
    ]);
    answers = [[200, listShape(url, [])]];
    expect(await cards.findSession(channel, 'pa_1', 1, 2)).toEqual({ kind: 'none' });
  });
});

describe('R-227 reading a session', () => {
  test.each<[string, object, object]>([
    [
      'complete and paid',
      { status: 'complete', payment_status: 'paid', payment_intent: 'pi_3Shapes', url: null },
      { status: 'complete', paid: true, payment_id: 'pi_3Shapes', url: null },
    ],
    [
      'with its payment expanded',
      { status: 'complete', payment_status: 'paid', payment_intent: paymentIntentShape() },
      { paid: true, payment_id: 'pi_3Shapes' },
    ],
    [
      'complete, an asynchronous payment under way',
      { status: 'complete', payment_status: 'unpaid', payment_intent: 'pi_3Shapes' },
      { status: 'complete', paid: false, payment_id: 'pi_3Shapes' },
    ],
    ['expired', { status: 'expired', url: null }, { status: 'expired', paid: false }],
    ['of the test mode', { id: 'cs_test_1', livemode: false }, { livemode: false, mode_matches: false }],
    ['without a total', { amount_total: null }, { amount: null }],
    ['of an unknown status', { status: 'paused' }, { status: null }],
    ['that is free', { payment_status: 'no_payment_required' }, { paid: false }],
  ])('%s', async (_, change, value) => {
    answers = [[200, sessionShape(change as Record<string, unknown>)]];
    const found = await cards.session(channel, 'cs_live_a1Shapes');
    expect(found).toMatchObject({ kind: 'found', value });
  });
});

describe('D-091 reading an error', () => {
  const invalid = 'invalid_request_error';
  const cases: [string, number, unknown, 'refused' | 'unclear'][] = [
    [
      'a parameter refused',
      400,
      errorShape(invalid, { param: 'expires_at', code: 'parameter_invalid' }),
      'refused',
    ],
    ['a key changed', 400, errorShape('idempotency_error'), 'refused'],
    ['a key that is none', 401, errorShape(invalid), 'refused'],
    ['a card declined', 402, errorShape('card_error', { code: 'card_declined' }), 'refused'],
    ['a key without permission', 403, errorShape(invalid), 'refused'],
    [
      'the same key under way',
      409,
      errorShape('idempotency_error', { code: 'idempotency_key_in_use' }),
      'unclear',
    ],
    ['an object locked', 429, errorShape(invalid, { code: 'lock_timeout' }), 'unclear'],
    ['too many requests', 429, errorShape(invalid, { code: 'rate_limit' }), 'unclear'],
    ['the provider at fault', 500, errorShape('api_error'), 'unclear'],
    ['the provider away', 503, 'upstream connect error', 'unclear'],
    ['a 4xx that is not the provider’s', 404, '<html>not found</html>', 'unclear'],
    ['an answer cut off', 200, JSON.stringify(sessionShape()).slice(0, 200), 'unclear'],
    ['an answer that is another object', 200, { object: 'list', data: [] }, 'unclear'],
  ];
  test.each(cases)('%s: %d', async (_, status, body, kind) => {
    answers = [[status, body]];
    expect((await cards.createSession(channel, newSession)).kind).toBe(kind);
    expect(asked).toHaveLength(1);
  });

  test('R-235 a complete session is not closed; R-193 nothing is read into any other failure', async () => {
    answers = [
      [400, errorShape(invalid)],
      [200, sessionShape({ status: 'expired', url: null })],
      [500, errorShape('api_error')],
    ];
    const closing = [1, 2, 3].map(() => () => cards.expireSession(channel, 'cs_live_a1Shapes'));
    const results: string[] = [];
    for (const close of closing) results.push(await close());
    expect(results).toEqual(['refused', 'closed', 'failed']);
  });

  test('a missing object is none, all else is a look-up that failed', async () => {
    answers = [
      [404, errorShape(invalid, { code: 'resource_missing', param: 'session' })],
      [429, errorShape(invalid, { code: 'rate_limit' })],
    ];
    expect(await cards.session(channel, 'cs_x')).toEqual({ kind: 'none' });
    expect(await cards.session(channel, 'cs_x')).toMatchObject({ kind: 'failed' });
  });
});

describe('payments, refunds and disputes', () => {
  test.each<[string, object, object]>([
    [
      'D-112 charged: its time is the charge’s',
      { latest_charge: chargeShape() },
      { state: 'succeeded', paid_at: 1_767_225_700 },
    ],
    [
      'under way',
      { status: 'processing', latest_charge: null },
      { state: 'pending', paid_at: 1_767_225_650 },
    ],
    ['D-102 failed', { status: 'requires_payment_method' }, { state: 'failed' }],
    ['canceled', { status: 'canceled' }, { state: 'failed' }],
  ])('a payment %s', async (_, change, value) => {
    answers = [[200, paymentIntentShape(change as Record<string, unknown>)]];
    expect(await cards.payment(channel, 'pi_3Shapes')).toMatchObject({ kind: 'found', value });
    expect(asked[0]?.line).toBe('GET /v1/payment_intents/pi_3Shapes?expand[0]=latest_charge');
  });

  test.each<[string, unknown, object | null]>([
    [
      'a card in a wallet',
      {
        type: 'card',
        card: { brand: 'amex', last4: '0005', exp_year: 2030, wallet: { type: 'google_pay' } },
      },
      { type: 'card', brand: 'amex', last4: '0005', wallet: 'google_pay' },
    ],
    [
      'a bank account',
      { type: 'sepa_debit', sepa_debit: { last4: '3000', bank_code: '37040044', mandate: 'mandate_1' } },
      { type: 'sepa_debit', last4: '3000' },
    ],
    ['a method without a number', { type: 'ideal', ideal: { bank: 'ing' } }, { type: 'ideal' }],
    [
      'what is in another form',
      { type: 'card', card: { brand: 'V I S A', last4: '4242424242424242', wallet: null } },
      { type: 'card' },
    ],
    ['no kind of method', { type: '<b>' }, null],
    ['nothing', null, null],
  ])(
    'D-263 of %s only kind, brand, last four and wallet are kept',
    async (_, payment_method_details, kept) => {
      answers = [[200, paymentIntentShape({ latest_charge: chargeShape({ payment_method_details }) })]];
      const found = await cards.payment(channel, 'pi_3Shapes');
      expect(found.kind === 'found' ? found.value.paid_with : found).toEqual(kept);
    },
  );

  test.each([
    ['succeeded', 'succeeded'],
    ['pending', 'pending'],
    ['requires_action', 'pending'],
    ['failed', 'failed'],
    ['canceled', 'failed'],
  ])('D-077 a refund that is %s', async (status, ours) => {
    answers = [
      [200, refundShape({ status })],
      [200, listShape('/v1/refunds', [refundShape({ status })])],
    ];
    const refund = {
      payment_id: 'pi_3Shapes',
      amount: 1_060n,
      currency: 'USD',
      idempotency_key: 'ref_1',
      metadata: { refund_id: 'rf_1' },
    };
    const seen = {
      id: 're_3Shapes',
      status: ours,
      amount: 1_060n,
      currency: 'USD',
      payment_id: 'pi_3Shapes',
    };
    expect(await cards.refund(channel, refund)).toMatchObject({ kind: 'created', refund: seen });
    expect(asked[0]?.headers['idempotency-key']).toBe('ref_1');
    expect(await cards.refundsOf(channel, 'pi_3Shapes')).toMatchObject({ kind: 'found', value: [seen] });
  });

  test.each([
    ['warning_needs_response', 'open'],
    ['warning_under_review', 'open'],
    ['warning_closed', 'won'],
    ['needs_response', 'open'],
    ['under_review', 'open'],
    ['won', 'won'],
    ['lost', 'lost'],
    ['prevented', 'won'],
  ])('D-078 a dispute that is %s', async (status, ours) => {
    answers = [[200, disputeShape({ status })]];
    expect(await cards.dispute(channel, 'du_1Shapes')).toMatchObject({
      kind: 'found',
      value: { status: ours, amount: 1_060n, currency: 'USD', payment_id: 'pi_3Shapes' },
    });
  });
});

describe('R-226 events', () => {
  test.each([
    ['checkout.session.completed', sessionShape({ status: 'complete' }), 'cs_live_a1Shapes'],
    ['checkout.session.expired', sessionShape({ status: 'expired' }), 'cs_live_a1Shapes'],
    ['charge.refunded', chargeShape({ refunded: true }), null],
    ['refund.updated', refundShape(), null],
    ['charge.dispute.created', disputeShape(), null],
  ])('%s is checked, and says where to look', async (type, object, session_id) => {
    const body = JSON.stringify(eventShape(type, object), null, 2);
    const signature = Stripe.webhooks.generateTestHeaderString({ payload: body, secret: 'whsec_shapes' });
    const now = new Date();
    expect(await cards.verifyWebhook(channel, Buffer.from(body), signature, now)).toMatchObject({
      id: 'evt_1Shapes',
      type,
      session_id,
    });
    const other = cards.verifyWebhook(channel, Buffer.from(`${body} `), signature, now);
    await expect(other).rejects.toMatchObject({ code: 'invalid_request' });
  });
});
