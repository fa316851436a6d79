import { randomBytes } from 'node:crypto';
import { networkInterfaces } from 'node:os';
import { describe, expect, test, onTestFinished, vi } from 'vitest';
import { sessionParams, startBench, type Bench } from './helpers.ts';

async function created(bench: Bench): Promise<string> {
  return (await bench.stripe.checkout.sessions.create(sessionParams())).id;
}

describe('paying', () => {
  test('another amount and currency show in the session and in the payment', async () => {
    const bench = await startBench();
    const id = await created(bench);
    await bench.control('POST', `/sessions/${id}/pay`, { amount_total: 999, currency: 'EUR' });
    const session = await bench.stripe.checkout.sessions.retrieve(id, { expand: ['payment_intent'] });
    expect(session).toMatchObject({
      amount_total: 999,
      currency: 'eur',
      payment_intent: { amount_received: 999, currency: 'eur' },
    });
  });

  test('an asynchronous payment is complete but unpaid until it settles, once', async () => {
    const bench = await startBench();
    const id = await created(bench);
    await bench.control('POST', `/sessions/${id}/pay`, { async: true });
    const expand = { expand: ['payment_intent'] };
    expect(await bench.stripe.checkout.sessions.retrieve(id, expand)).toMatchObject({
      status: 'complete',
      payment_status: 'unpaid',
      payment_intent: { status: 'processing', amount_received: 0 },
    });
    const settled = await bench.control('POST', `/sessions/${id}/settle-async`, { outcome: 'succeeded' });
    expect(settled.body).toMatchObject({ id, payment_status: 'paid' });
    expect(await bench.stripe.checkout.sessions.retrieve(id, expand)).toMatchObject({
      payment_intent: { status: 'succeeded', amount_received: 1000 },
    });
    expect((await bench.control('POST', `/sessions/${id}/settle-async`, { outcome: 'failed' })).status).toBe(
      409,
    );
  });

  test('a failed asynchronous payment stays unpaid', async () => {
    const bench = await startBench();
    const id = await created(bench);
    await bench.control('POST', `/sessions/${id}/pay`, { async: true });
    await bench.control('POST', `/sessions/${id}/settle-async`, { outcome: 'failed' });
    const session = await bench.stripe.checkout.sessions.retrieve(id, {
      expand: ['payment_intent.latest_charge'],
    });
    expect(session).toMatchObject({
      status: 'complete',
      payment_status: 'unpaid',
      payment_intent: { status: 'requires_payment_method', latest_charge: { status: 'failed', paid: false } },
    });
  });

  test('an expired session and a paid one answer 409, an unknown one 404', async () => {
    const bench = await startBench();
    const [expired, paid] = [await created(bench), await created(bench)];
    await bench.stripe.checkout.sessions.expire(expired);
    await bench.control('POST', `/sessions/${paid}/pay`);
    const statuses = [];
    for (const id of [expired, paid, 'cs_test_none']) {
      statuses.push((await bench.control('POST', `/sessions/${id}/pay`)).status);
    }
    expect(statuses).toEqual([409, 409, 404]);
  });

  test.each([
    [{ async: 'yes' }, 'async'],
    [{ amount_total: 0 }, 'amount_total'],
    [{ currency: '' }, 'currency'],
    [{ webhook: 'late' }, 'webhook'],
  ])('%j is refused and nothing is paid', async (body, field) => {
    const bench = await startBench();
    const id = await created(bench);
    const answer = await bench.control('POST', `/sessions/${id}/pay`, body);
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request', field } });
    expect((await bench.stripe.checkout.sessions.retrieve(id)).status).toBe('open');
  });
});

describe('disputes', () => {
  test('without an outcome it stays open, and is decided later by the same call', async () => {
    const bench = await startBench();
    const id = await created(bench);
    expect((await bench.control('POST', `/sessions/${id}/dispute`)).status).toBe(409);
    await bench.control('POST', `/sessions/${id}/pay`);
    for (const terms of [{ amount: '99999' }, { currency: 'jpy' }, { currency: 'yen?', amount: '100' }]) {
      const refused = await bench.control('POST', `/sessions/${id}/dispute`, terms);
      expect([terms, refused.status]).toEqual([terms, 400]);
    }
    const opened = await bench.control('POST', `/sessions/${id}/dispute`);
    expect(opened.body).toMatchObject({ object: 'dispute', status: 'needs_response' });
    expect((await bench.control('POST', `/sessions/${id}/dispute`)).status).toBe(409);
    const decided = await bench.control('POST', `/sessions/${id}/dispute`, { outcome: 'won' });
    expect(decided.body).toMatchObject({ id: opened.body.id, status: 'won' });
    expect((await bench.control('POST', `/sessions/${id}/dispute`, { outcome: 'lost' })).status).toBe(409);
  });
});

describe('the clock', () => {
  test('expires open sessions at their deadline and sends the events', async () => {
    const bench = await startBench();
    const now = bench.time.ms / 1000;
    const soon = await bench.stripe.checkout.sessions.create(sessionParams({ expires_at: now + 1800 }));
    const later = await created(bench);
    const paid = await created(bench);
    await bench.control('POST', `/sessions/${paid}/pay`, { webhook: 'none' });
    await bench.control('PUT', '/clock', { advance_seconds: 1799 });
    expect((await bench.stripe.checkout.sessions.retrieve(soon.id)).status).toBe('open');
    const moved = await bench.control('PUT', '/clock', { advance_seconds: 1 });
    expect(moved.body).toEqual({ now: new Date((now + 1800) * 1000).toISOString(), offset_seconds: 1800 });
    const [received] = await bench.receiver.waitFor(1);
    expect(received?.event).toMatchObject({
      type: 'checkout.session.expired',
      created: now + 1800,
      data: { object: { id: soon.id, status: 'expired' } },
    });
    const statuses = (await bench.stripe.checkout.sessions.list()).data.map(({ id, status }) => [id, status]);
    expect(Object.fromEntries(statuses)).toEqual({
      [soon.id]: 'expired',
      [later]: 'open',
      [paid]: 'complete',
    });
  });

  test('real time expires sessions as well', async () => {
    const bench = await startBench();
    const { id } = await bench.stripe.checkout.sessions.create(sessionParams());
    bench.time.ms += 86_400_000;
    expect((await bench.control('POST', `/sessions/${id}/pay`)).status).toBe(409);
    await bench.receiver.waitFor(1);
  });

  test.each([true, false])('without a request, time passes only if it ticks (%s)', async (ticks) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const random = vi.fn((size: number) => randomBytes(size));
    const bench = await startBench({ ticks, random });
    await bench.stripe.checkout.sessions.create(sessionParams());
    random.mockClear();
    bench.time.ms += 86_400_000;
    vi.advanceTimersByTime(1_000);
    // An event that says that the session has expired needs an id.
    expect(random.mock.calls.length > 0).toBe(ticks);
  });

  test.each([-1, 0.5, '60', null])('does not move by %j', async (advance_seconds) => {
    const { control } = await startBench();
    expect((await control('PUT', '/clock', { advance_seconds })).status).toBe(400);
    expect((await control('GET', '/clock')).body.offset_seconds).toBe(0);
  });
});

describe('what was seen', () => {
  test('requests are listed with their outcome, without any key', async () => {
    const bench = await startBench();
    const id = await created(bench);
    await bench.control('POST', '/faults', { endpoint: 'sessions.retrieve', mode: 'status', status: 500 });
    await bench.stripe.checkout.sessions.retrieve(id).catch(() => undefined);
    const { items } = (await bench.control('GET', '/requests')).body;
    expect(items).toMatchObject([
      {
        method: 'POST',
        endpoint: 'sessions.create',
        status: 200,
        fault: null,
        params: { client_reference_id: 'attempt-1' },
      },
      { method: 'GET', path: `/v1/checkout/sessions/${id}`, status: 500, fault: 'status' },
    ]);
    expect(JSON.stringify(items)).not.toContain('sk_test_first');
  });

  test('sessions of all keys are listed in the shape of the API', async () => {
    const bench = await startBench();
    const session = await bench.stripe.checkout.sessions.create(sessionParams());
    expect((await bench.control('GET', '/sessions')).body).toEqual({ items: [{ ...session }] });
  });
});

describe('the door', () => {
  const address = Object.values(networkInterfaces())
    .flat()
    .find((item) => item?.family === 'IPv4' && !item.internal)?.address;

  test.runIf(address !== undefined)(
    'control calls from another address are refused, the API is not',
    async () => {
      const bench = await startBench({ host: '0.0.0.0' });
      const origin = `http://${address ?? ''}:${bench.sim.port}`;
      expect((await fetch(`${origin}/_sim/sessions`)).status).toBe(403);
      expect((await fetch(`${origin}/v1/checkout/sessions`)).status).toBe(401);
      expect((await fetch(`${bench.sim.url}/_sim/sessions`)).status).toBe(200);
    },
  );

  test.runIf(address !== undefined)('the option lets them in', async () => {
    const bench = await startBench({ host: '0.0.0.0', allowRemoteControl: true });
    expect((await fetch(`http://${address ?? ''}:${bench.sim.port}/_sim/sessions`)).status).toBe(200);
  });

  test('a body that is no JSON object is refused, another media type too', async () => {
    const { sim } = await startBench();
    const send = (body: string, type: string) =>
      fetch(`${sim.url}/_sim/faults`, { method: 'POST', body, headers: { 'Content-Type': type } });
    const answers = await Promise.all([
      send('{', 'application/json'),
      send('[]', 'application/json'),
      send('endpoint=x', 'application/x-www-form-urlencoded'),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 415]);
  });
});
