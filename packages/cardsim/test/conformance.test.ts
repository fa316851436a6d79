import { describe, expect, test } from 'vitest';
import {
  clientOf,
  failureOf,
  lineItem,
  sessionParams,
  startBench,
  start_seconds,
  type Bench,
  type SessionParams,
} from './helpers.ts';

/** The API as the official client sees it. Only the control calls that pay are plain HTTP. */

async function paid(bench: Bench, changes: Partial<SessionParams> = {}) {
  const session = await bench.stripe.checkout.sessions.create(sessionParams(changes));
  await bench.control('POST', `/sessions/${session.id}/pay`);
  const after = await bench.stripe.checkout.sessions.retrieve(session.id);
  return { id: session.id, payment_intent: after.payment_intent as string };
}

describe('checkout sessions', () => {
  test('a new session carries what an integration checks', async () => {
    const { stripe, sim } = await startBench();
    const session = await stripe.checkout.sessions.create(sessionParams({ customer_email: 'a@b.test' }));
    expect(session.id).toMatch(/^cs_test_[0-9A-Za-z]{58}$/);
    expect(session).toMatchObject({
      object: 'checkout.session',
      amount_subtotal: 1000,
      amount_total: 1000,
      currency: 'usd',
      client_reference_id: 'attempt-1',
      metadata: { order_no: 'order-1' },
      mode: 'payment',
      status: 'open',
      payment_status: 'unpaid',
      payment_intent: null,
      url: `${sim.url}/c/pay/${session.id}`,
      success_url: 'https://shop.test/ok?session={CHECKOUT_SESSION_ID}',
      cancel_url: 'https://shop.test/cancel',
      created: start_seconds,
      expires_at: start_seconds + 86_400,
      livemode: false,
      customer_email: 'a@b.test',
      customer_details: null,
    });
    expect(session.lastResponse.requestId).toMatch(/^req_/);
    const same = await stripe.checkout.sessions.retrieve(session.id);
    expect({ ...same }).toEqual({ ...session });
  });

  test('a live key makes live sessions', async () => {
    const { sim } = await startBench();
    const session = await clientOf(sim, 'sk_live_x').checkout.sessions.create(sessionParams());
    expect(session.id).toMatch(/^cs_live_/);
    expect(session.livemode).toBe(true);
  });

  test.each([
    ['jpy', 500, 1],
    ['kwd', 1255, 3],
    ['usd', 9_007_199_254_740_991, 1],
  ])('an amount in %s is taken in its own minor unit', async (currency, unit_amount, quantity) => {
    const { stripe } = await startBench();
    const params = sessionParams({ line_items: [lineItem(unit_amount, currency, quantity)] });
    const session = await stripe.checkout.sessions.create(params);
    expect(session).toMatchObject({ currency, amount_total: unit_amount * quantity });
  });

  test('several line items add up and can be expanded', async () => {
    const { stripe } = await startBench();
    const line_items = [lineItem(250, 'eur', 3), lineItem(1, 'EUR')];
    const session = await stripe.checkout.sessions.create({
      ...sessionParams({ line_items }),
      expand: ['line_items'],
    });
    expect(session.amount_total).toBe(751);
    expect(session.line_items?.data.map((item) => [item.quantity, item.amount_total])).toEqual([
      [3, 750],
      [1, 1],
    ]);
  });

  const refused: [string, { [key: string]: unknown }, string, string][] = [
    ['no mode', { mode: undefined }, 'mode', 'parameter_missing'],
    ['another mode', { mode: 'subscription' }, 'mode', 'parameter_invalid'],
    ['no line items', { line_items: undefined }, 'line_items', 'parameter_missing'],
    ['no success address', { success_url: undefined }, 'success_url', 'parameter_missing'],
    ['an empty success address', { success_url: '' }, 'success_url', 'parameter_invalid_empty'],
    ['a relative success address', { success_url: '/ok' }, 'success_url', 'url_invalid'],
    ['a script as cancel address', { cancel_url: 'javascript:alert(1)' }, 'cancel_url', 'url_invalid'],
    ['a stored price', { line_items: [{ price: 'price_1' }] }, 'line_items[0][price]', 'resource_missing'],
    [
      'a fraction of a minor unit',
      { line_items: [lineItem(1.5, 'usd')] },
      'line_items[0][price_data][unit_amount]',
      'parameter_invalid_integer',
    ],
    ['a total of nothing', { line_items: [lineItem(0, 'usd')] }, 'line_items', 'amount_too_small'],
    [
      'a total beyond an exact integer',
      { line_items: [lineItem(9_007_199_254_740_991, 'usd', 2)] },
      'line_items',
      'amount_too_large',
    ],
    [
      'two currencies',
      { line_items: [lineItem(1, 'usd'), lineItem(1, 'eur')] },
      'line_items[1][price_data][currency]',
      'parameter_invalid',
    ],
    [
      'an overlong reference',
      { client_reference_id: 'x'.repeat(201) },
      'client_reference_id',
      'parameter_invalid_string_too_long',
    ],
    ['metadata that is a text', { metadata: 'x' }, 'metadata', 'parameter_invalid_object'],
    ['an unknown expansion', { expand: ['customer'] }, 'expand[0]', 'parameter_invalid'],
  ];
  test.each(refused)('%s is refused and nothing is created', async (_name, changes, param, code) => {
    const { stripe } = await startBench();
    const params = { ...sessionParams(), ...changes };
    const error = await failureOf(stripe.checkout.sessions.create(params));
    expect(error).toMatchObject({ type: 'StripeInvalidRequestError', param, code });
    expect((await stripe.checkout.sessions.list()).data).toEqual([]);
  });

  test.each([
    [1799, false],
    [1800, true],
    [86_400, true],
    [86_401, false],
  ])('a life of %i seconds is accepted: %s', async (life_seconds, accepted) => {
    const { stripe } = await startBench();
    const call = stripe.checkout.sessions.create(sessionParams({ expires_at: start_seconds + life_seconds }));
    if (accepted) expect((await call).expires_at).toBe(start_seconds + life_seconds);
    else expect(await failureOf(call)).toMatchObject({ statusCode: 400, param: 'expires_at' });
  });

  test('expiring closes an open session, once', async () => {
    const { stripe } = await startBench();
    const { id } = await stripe.checkout.sessions.create(sessionParams());
    expect(await stripe.checkout.sessions.expire(id)).toMatchObject({ status: 'expired', url: null });
    const error = await failureOf(stripe.checkout.sessions.expire(id));
    expect(error).toMatchObject({ statusCode: 400, type: 'StripeInvalidRequestError' });
    expect(error.message).toContain('status of expired');
  });

  test('a completed session cannot be expired', async () => {
    const bench = await startBench();
    const { id } = await paid(bench);
    expect((await failureOf(bench.stripe.checkout.sessions.expire(id))).message).toContain(
      'status of complete',
    );
  });

  test('what one key created is invisible to another', async () => {
    const bench = await startBench();
    const { id, payment_intent } = await paid(bench);
    const other = clientOf(bench.sim, 'sk_test_second');
    const calls = [
      other.checkout.sessions.retrieve(id),
      other.checkout.sessions.expire(id),
      other.paymentIntents.retrieve(payment_intent),
      other.refunds.create({ payment_intent }),
    ];
    for (const call of calls) {
      expect(await failureOf(call)).toMatchObject({ statusCode: 404, code: 'resource_missing' });
    }
    expect((await other.checkout.sessions.list()).data).toEqual([]);
  });

  test.each(['pk_test_x', 'nonsense'])('the key %s is no secret key', async (key) => {
    const { sim } = await startBench();
    const error = await failureOf(clientOf(sim, key).checkout.sessions.list());
    expect(error).toMatchObject({ type: 'StripeAuthenticationError', statusCode: 401 });
    expect(error.message).not.toContain(key);
  });
});

describe('lists', () => {
  test('sessions come newest first, in pages, forwards and backwards', async () => {
    const { stripe } = await startBench();
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      ids.unshift((await stripe.checkout.sessions.create(sessionParams())).id);
    }
    const first = await stripe.checkout.sessions.list({ limit: 2 });
    expect(first).toMatchObject({ object: 'list', has_more: true, url: '/v1/checkout/sessions' });
    expect(first.data.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    const last = await stripe.checkout.sessions.list({ limit: 3, starting_after: ids[1] ?? '' });
    expect(last).toMatchObject({ has_more: false });
    expect(last.data.map(({ id }) => id)).toEqual(ids.slice(2));
    const back = await stripe.checkout.sessions.list({ limit: 2, ending_before: ids[4] ?? '' });
    expect(back.has_more).toBe(true);
    expect(back.data.map(({ id }) => id)).toEqual(ids.slice(2, 4));
    const all: string[] = [];
    for await (const { id } of stripe.checkout.sessions.list({ limit: 2 })) all.push(id);
    expect(all).toEqual(ids);
  });

  test('the range of creation has inclusive and exclusive ends', async () => {
    const { stripe, time } = await startBench();
    const at = (seconds: number) => start_seconds + seconds;
    for (const seconds of [0, 10, 20]) {
      time.ms = at(seconds) * 1000;
      await stripe.checkout.sessions.create(sessionParams());
    }
    const created = async (range: { gt?: number; gte?: number; lt?: number; lte?: number } | number) =>
      (await stripe.checkout.sessions.list({ created: range })).data.map(
        (session) => session.created - start_seconds,
      );
    expect(await created({ gte: at(10), lte: at(20) })).toEqual([20, 10]);
    expect(await created({ gt: at(10), lte: at(20) })).toEqual([20]);
    expect(await created({ gte: at(0), lt: at(10) })).toEqual([0]);
    expect(await created(at(10))).toEqual([10]);
  });

  test('sessions can be found by payment intent and by status', async () => {
    const bench = await startBench();
    await bench.stripe.checkout.sessions.create(sessionParams());
    const { id, payment_intent } = await paid(bench);
    const byPayment = await bench.stripe.checkout.sessions.list({ payment_intent });
    const byStatus = await bench.stripe.checkout.sessions.list({ status: 'complete' });
    expect([byPayment, byStatus].map(({ data }) => data.map((session) => session.id))).toEqual([[id], [id]]);
  });

  test.each([{ limit: 0 }, { limit: 101 }, { starting_after: 'cs_test_none' }])(
    '%j is refused',
    async (params) => {
      const { stripe } = await startBench();
      const error = await failureOf(stripe.checkout.sessions.list(params));
      expect(error).toMatchObject({ type: 'StripeInvalidRequestError', param: Object.keys(params)[0] });
    },
  );
});
