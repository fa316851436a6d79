import { describe, expect, test } from 'vitest';
import {
  clientOf,
  failureOf,
  secret_key,
  sessionParams,
  startBench,
  type Answer,
  type Bench,
} from './helpers.ts';

const key = { idempotencyKey: 'att_1' };

async function arm(bench: Bench, fault: object) {
  const answer = await bench.control('POST', '/faults', { endpoint: 'sessions.create', ...fault });
  expect(answer.status).toBe(201);
}

async function sessionCount(bench: Bench): Promise<number> {
  return (await bench.control('GET', '/sessions')).body.items.length;
}

describe('an answer that does not come', () => {
  test.each([
    ['hang_before', 0],
    ['hang_after', 1],
  ])('%s leaves %i sessions and a client that times out', async (mode, sessions) => {
    const bench = await startBench();
    await arm(bench, { mode });
    const impatient = clientOf(bench.sim, secret_key, 200);
    const error = await failureOf(impatient.checkout.sessions.create(sessionParams(), key));
    expect(error.type).toBe('StripeConnectionError');
    expect(await sessionCount(bench)).toBe(sessions);
    await bench.stripe.checkout.sessions.create(sessionParams(), key);
    expect(await sessionCount(bench)).toBe(1);
  });

  test('reset_after processes the call and resets the connection', async () => {
    const bench = await startBench();
    // The official client repeats a call once by itself after a connection reset.
    await arm(bench, { mode: 'reset_after', times: 2 });
    const error = await failureOf(bench.stripe.checkout.sessions.create(sessionParams(), key));
    expect(error.type).toBe('StripeConnectionError');
    const log = (await bench.control('GET', '/requests')).body.items;
    expect(log).toMatchObject([
      { fault: 'reset_after', replayed: false, status: null },
      { fault: 'reset_after', replayed: true, status: null },
    ]);
    const retried = await bench.stripe.checkout.sessions.create(sessionParams(), key);
    expect(retried.lastResponse.headers['idempotent-replayed']).toBe('true');
    expect(await sessionCount(bench)).toBe(1);
  });

  test('reset_before resets the connection and does nothing', async () => {
    const bench = await startBench();
    await arm(bench, { mode: 'reset_before', times: 2 });
    const error = await failureOf(bench.stripe.checkout.sessions.create(sessionParams(), key));
    expect(error.type).toBe('StripeConnectionError');
    expect(await sessionCount(bench)).toBe(0);
  });

  test('closing the simulator does not wait for withheld answers', async () => {
    const bench = await startBench();
    await arm(bench, { mode: 'hang_before' });
    await arm(bench, { mode: 'delay', delay_ms: 3_600_000 });
    const calls = [1, 2].map(() => failureOf(bench.stripe.checkout.sessions.create(sessionParams())));
    while ((await bench.control('GET', '/requests')).body.items.length < 2);
    await bench.sim.close();
    for (const error of await Promise.all(calls)) expect(error.type).toBe('StripeConnectionError');
  });
});

describe('an answer that is wrong', () => {
  test('status answers as told and does nothing', async () => {
    const bench = await startBench();
    await arm(bench, { mode: 'status', status: 503, times: 2 });
    for (let count = 0; count < 2; count += 1) {
      const error = await failureOf(bench.stripe.checkout.sessions.create(sessionParams(), key));
      expect(error).toMatchObject({ type: 'StripeAPIError', statusCode: 503 });
    }
    expect(await sessionCount(bench)).toBe(0);
    const session = await bench.stripe.checkout.sessions.create(sessionParams(), key);
    expect(session.lastResponse.headers['idempotent-replayed']).toBeUndefined();
  });

  test.each([
    [{ status: 400 }, 'StripeInvalidRequestError'],
    [{ status: 402 }, 'StripeCardError'],
    [{ status: 429 }, 'StripeRateLimitError'],
    [
      { status: 400, body: { error: { type: 'invalid_request_error', code: 'x', message: 'No' } } },
      'StripeInvalidRequestError',
    ],
    [{ status: 502, body: '<html>Bad gateway</html>' }, 'StripeAPIError'],
  ])('status %j reaches the client as %s', async (fault, type) => {
    const bench = await startBench();
    await arm(bench, { mode: 'status', ...fault });
    expect((await failureOf(bench.stripe.checkout.sessions.create(sessionParams()))).type).toBe(type);
  });

  test('status with processed does the work and hides it', async () => {
    const bench = await startBench();
    await arm(bench, { mode: 'status', status: 500, processed: true });
    await failureOf(bench.stripe.checkout.sessions.create(sessionParams(), key));
    expect(await sessionCount(bench)).toBe(1);
    const retried = await bench.stripe.checkout.sessions.create(sessionParams(), key);
    expect(retried.lastResponse.headers['idempotent-replayed']).toBe('true');
  });

  test('truncate processes the call and cuts the JSON', async () => {
    const bench = await startBench();
    await arm(bench, { mode: 'truncate' });
    const error = await failureOf(bench.stripe.checkout.sessions.create(sessionParams(), key));
    expect(error.message).toContain('Invalid JSON');
    expect(await sessionCount(bench)).toBe(1);
  });

  test('amount and currency on creation make a session that really is different', async () => {
    const bench = await startBench();
    await arm(bench, { mode: 'amount', amount_total: 999 });
    const session = await bench.stripe.checkout.sessions.create(sessionParams());
    expect(session.amount_total).toBe(999);
    expect((await bench.stripe.checkout.sessions.retrieve(session.id)).amount_total).toBe(999);
    await arm(bench, { mode: 'currency', currency: 'EUR' });
    expect((await bench.stripe.checkout.sessions.create(sessionParams())).currency).toBe('eur');
  });

  test.each(['sessions.retrieve', 'sessions.list', 'sessions.expire'])(
    'amount on %s forges one answer only',
    async (endpoint) => {
      const bench = await startBench();
      const { id } = await bench.stripe.checkout.sessions.create(sessionParams());
      const { sessions } = bench.stripe.checkout;
      await arm(bench, { endpoint, mode: 'amount', amount_total: 1 });
      const answers: { [name: string]: () => Promise<number | null | undefined> } = {
        'sessions.retrieve': async () => (await sessions.retrieve(id)).amount_total,
        'sessions.list': async () => (await sessions.list()).data[0]?.amount_total,
        'sessions.expire': async () => (await sessions.expire(id)).amount_total,
      };
      expect(await answers[endpoint]?.()).toBe(1);
      expect((await sessions.retrieve(id)).amount_total).toBe(1000);
    },
  );
});

describe('an answer that is late', () => {
  test('delay processes at once and answers later', async () => {
    const bench = await startBench();
    await arm(bench, { mode: 'delay', delay_ms: 300 });
    const started = performance.now();
    let answered = false;
    const call = bench.stripe.checkout.sessions.create(sessionParams()).then(() => {
      answered = true;
    });
    while ((await sessionCount(bench)) === 0);
    expect(answered).toBe(false);
    await call;
    expect(performance.now() - started).toBeGreaterThanOrEqual(299);
  });

  test('an early webhook overtakes a delayed creation', async () => {
    const bench = await startBench();
    await arm(bench, { mode: 'delay', delay_ms: 100 });
    let open = (): void => undefined;
    bench.receiver.gate = new Promise((resolve) => {
      open = resolve;
    });
    const order: string[] = [];
    const creation = bench.stripe.checkout.sessions.create(sessionParams()).then((session) => {
      order.push('created');
      return session;
    });
    let items: Answer[] = [];
    while (items.length === 0) ({ items } = (await bench.control('GET', '/sessions')).body);
    const payment = bench.control('POST', `/sessions/${items[0]?.id ?? ''}/pay`, {
      webhook: 'early',
    });
    await bench.receiver.waitFor(1);
    order.push('webhook');
    // Longer than the delay: now only the unanswered webhook can keep the creation waiting.
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(order).toEqual(['webhook']);
    open();
    // The answer is that of the creation, although the session is paid now.
    expect((await creation).status).toBe('open');
    expect((await payment).body.payment_status).toBe('paid');
    expect(order).toEqual(['webhook', 'created']);
  });
});

describe('choosing the calls', () => {
  test('faults of one endpoint are used up in order, others are not touched', async () => {
    const bench = await startBench();
    await arm(bench, { mode: 'status', status: 500 });
    await arm(bench, { mode: 'status', status: 503 });
    await bench.stripe.checkout.sessions.list();
    const statuses = [];
    for (let count = 0; count < 2; count += 1) {
      statuses.push((await failureOf(bench.stripe.checkout.sessions.create(sessionParams()))).statusCode);
    }
    expect(statuses).toEqual([500, 503]);
    await bench.stripe.checkout.sessions.create(sessionParams());
  });

  test('a fault may be for one secret key only', async () => {
    const bench = await startBench();
    await arm(bench, { mode: 'status', status: 500, account: 'sk_test_second' });
    await bench.stripe.checkout.sessions.create(sessionParams());
    const second = clientOf(bench.sim, 'sk_test_second');
    expect((await failureOf(second.checkout.sessions.create(sessionParams()))).statusCode).toBe(500);
  });

  test('armed faults are listed and cleared', async () => {
    const bench = await startBench();
    await arm(bench, { mode: 'amount', amount_total: 5, times: 3 });
    await bench.stripe.checkout.sessions.create(sessionParams());
    expect((await bench.control('GET', '/faults')).body.items).toMatchObject([
      { endpoint: 'sessions.create', mode: 'amount', amount_total: 5, times: 2 },
    ]);
    await bench.control('DELETE', '/faults');
    expect((await bench.stripe.checkout.sessions.create(sessionParams())).amount_total).toBe(1000);
  });

  test('refunds can fail, be of another amount, or stay pending until they are settled', async () => {
    const bench = await startBench();
    const { id } = await bench.stripe.checkout.sessions.create(sessionParams());
    await bench.control('POST', `/sessions/${id}/pay`, { webhook: 'none' });
    const payment_intent = (await bench.stripe.checkout.sessions.retrieve(id)).payment_intent as string;
    const endpoint = 'refunds.create';
    await arm(bench, { endpoint, mode: 'status', status: 500 });
    await failureOf(bench.stripe.refunds.create({ payment_intent }));
    await arm(bench, { endpoint, mode: 'amount', amount_total: 1 });
    expect((await bench.stripe.refunds.create({ payment_intent })).amount).toBe(1);

    await arm(bench, { endpoint, mode: 'pending' });
    const pending = await bench.stripe.refunds.create({ payment_intent });
    expect(pending).toMatchObject({ status: 'pending', amount: 999 });
    const settled = await bench.control('POST', `/refunds/${pending.id}/settle`, { outcome: 'failed' });
    expect(settled.body).toMatchObject({ status: 'failed', failure_reason: 'declined' });
    expect((await bench.stripe.refunds.create({ payment_intent })).amount).toBe(999);
    expect((await bench.control('POST', `/refunds/${pending.id}/settle`, { outcome: 'failed' })).status).toBe(
      409,
    );
  });
});

test('look-ups of payments, refunds and disputes can fail', async () => {
  const bench = await startBench();
  const { stripe } = bench;
  const { id } = await stripe.checkout.sessions.create(sessionParams());
  await bench.control('POST', `/sessions/${id}/pay`, { webhook: 'none' });
  const payment_intent = (await stripe.checkout.sessions.retrieve(id)).payment_intent as string;
  const refund = await stripe.refunds.create({ payment_intent, amount: 1 });
  const { body } = await bench.control('POST', `/sessions/${id}/dispute`, {});
  const calls: [string, () => Promise<unknown>][] = [
    ['payment_intents.retrieve', () => stripe.paymentIntents.retrieve(payment_intent)],
    ['refunds.retrieve', () => stripe.refunds.retrieve(refund.id)],
    ['refunds.list', () => stripe.refunds.list({ payment_intent })],
    ['disputes.retrieve', () => stripe.disputes.retrieve((body as { id: string }).id)],
    ['disputes.update', () => stripe.disputes.update((body as { id: string }).id, { submit: false })],
  ];
  for (const [endpoint, call] of calls) {
    await arm(bench, { endpoint, mode: 'status', status: 503 });
    expect(await failureOf(call())).toMatchObject({ statusCode: 503 });
    await call();
  }
});

test.each([
  [{ mode: 'status', status: 500 }, 'endpoint'],
  [{ endpoint: 'sessions.create', mode: 'explode' }, 'mode'],
  [{ endpoint: 'sessions.create', mode: 'status' }, 'status'],
  [{ endpoint: 'sessions.create', mode: 'delay', delay_ms: -1 }, 'delay_ms'],
  [{ endpoint: 'sessions.create', mode: 'amount', amount_total: 1.5 }, 'amount_total'],
  [{ endpoint: 'sessions.create', mode: 'currency', currency: 'dollars' }, 'currency'],
  [{ endpoint: 'sessions.create', mode: 'pending' }, 'mode'],
  [{ endpoint: 'disputes.retrieve', mode: 'amount', amount_total: 1 }, 'mode'],
  [{ endpoint: 'sessions.create', mode: 'truncate', times: 0 }, 'times'],
  [{ endpoint: 'sessions.create', mode: 'truncate', account: 'pk_test_x' }, 'account'],
])('the fault %j is refused for its %s', async (fault, field) => {
  const bench = await startBench();
  const answer = await bench.control('POST', '/faults', fault);
  expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request', field } });
});
