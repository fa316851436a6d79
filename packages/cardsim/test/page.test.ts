import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { lineItem, sessionParams, startBench, type Bench, type SessionParams } from './helpers.ts';

/** Uses the hosted page like a browser without scripts: fetches a page, sends its form. */

type Page = { status: number; html: string; location: string | null; headers: Headers };

async function open(
  bench: Bench,
  changes: Partial<SessionParams> = {},
): Promise<{ id: string; url: string }> {
  const session = await bench.stripe.checkout.sessions.create(sessionParams(changes));
  return { id: session.id, url: session.url ?? '' };
}

async function get(url: string): Promise<Page> {
  return pageOf(await fetch(url, { redirect: 'manual' }));
}

async function send(url: string, fields: { [name: string]: string }): Promise<Page> {
  return pageOf(await fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' }));
}

async function pageOf(answer: Response): Promise<Page> {
  const { status, headers } = answer;
  return { status, headers, location: headers.get('location'), html: await answer.text() };
}

/** The initial values of a page’s inputs. */
function prefilled(html: string): { [name: string]: string } {
  const inputs = html.matchAll(/<input\s[^>]*?name="(\w+)"[^>]*?value="([^"]*)"/g);
  return Object.fromEntries(Array.from(inputs, ([, name = '', value = '']) => [name, value]));
}

const card = (cardNumber: string) => ({
  method: 'card',
  email: 'ada@example.com',
  cardNumber,
  cardExpiry: '12 / 40',
  cardCvc: '123',
});

const statusOf = async (bench: Bench, id: string) => {
  const { status, payment_status } = await bench.stripe.checkout.sessions.retrieve(id);
  return { status, payment_status };
};

describe('the payment page', () => {
  test('shows item and amount, escaped, with a strict policy', async () => {
    const bench = await startBench();
    const { url } = await open(bench, { line_items: [lineItem(123_456, 'usd')] });
    const page = await get(url);
    expect(page.status).toBe(200);
    expect(page.html).toContain('Blue &amp; &lt;green&gt; tea');
    expect(page.html).toContain('USD 1,234.56');
    expect(page.html).toContain('href="https://shop.test/cancel"');
    expect(page.html).not.toContain('<script');
    expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    expect(page.headers.get('content-security-policy')).not.toContain('unsafe');
    expect(page.headers.get('cache-control')).toBe('no-store');
    const style = /<style>([^]*)<\/style>/.exec(page.html)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    expect(page.headers.get('content-security-policy')).toContain(`style-src 'sha256-${hash}'`);
  });

  test('is prefilled so that sending it pays', async () => {
    const bench = await startBench();
    const { id, url } = await open(bench);
    const page = await send(url, { ...prefilled((await get(url)).html), method: 'card' });
    expect(page).toMatchObject({ status: 303, location: `https://shop.test/ok?session=${id}` });
    expect(await statusOf(bench, id)).toEqual({ status: 'complete', payment_status: 'paid' });
    const [received] = await bench.receiver.waitFor(1);
    expect(received?.event.type).toBe('checkout.session.completed');
  });

  test('the payer’s address reaches the session', async () => {
    const bench = await startBench();
    const { id, url } = await open(bench);
    await send(url, card('4242 4242 4242 4242'));
    const session = await bench.stripe.checkout.sessions.retrieve(id, {
      expand: ['payment_intent.latest_charge'],
    });
    expect(session.customer_details?.email).toBe('ada@example.com');
    expect(session).toMatchObject({
      payment_intent: {
        latest_charge: { payment_method_details: { card: { brand: 'visa', last4: '4242' } } },
      },
    });
  });

  test.each([
    ['4000 0000 0000 0002', 'Your card was declined.'],
    ['4000 0000 0000 9995', 'insufficient funds'],
    ['4000 0000 0000 0069', 'expired'],
    ['4000 0000 0000 0127', 'security code is incorrect'],
    ['4111 1111 1111 1111', 'accepts only the test cards below'],
  ])('the card %s is declined and another try is possible', async (number, text) => {
    const bench = await startBench();
    const { id, url } = await open(bench);
    const declined = await send(url, card(number));
    expect(declined.status).toBe(402);
    expect(declined.html).toContain(text);
    expect(declined.html).toContain('role="alert"');
    expect(prefilled(declined.html)).toMatchObject({ cardNumber: number });
    expect(await statusOf(bench, id)).toEqual({ status: 'open', payment_status: 'unpaid' });
    expect((await send(url, card('4242424242424242'))).status).toBe(303);
  });

  test.each([
    [{ cardNumber: '42' }, 'cardNumber'],
    [{ cardExpiry: '13 / 40' }, 'cardExpiry'],
    [{ cardExpiry: '01 / 20' }, 'cardExpiry'],
    [{ cardCvc: '12' }, 'cardCvc'],
    [{ email: 'nobody' }, 'email'],
  ])('%j is pointed out at its field', async (change, field) => {
    const bench = await startBench();
    const { id, url } = await open(bench);
    const page = await send(url, { ...card('4242424242424242'), ...change });
    expect(page.status).toBe(422);
    expect(page.html).toContain(`aria-describedby="${field}-problem"`);
    expect(page.html).toContain(`id="${field}-problem"`);
    expect((await statusOf(bench, id)).status).toBe('open');
  });
});

describe('3-D Secure', () => {
  async function challenged(bench: Bench) {
    const { id, url } = await open(bench);
    const sent = await send(url, card('4000 0027 6000 3184'));
    expect(sent).toMatchObject({ status: 303, location: `/c/pay/${id}/challenge` });
    const challenge_url = `${url}/challenge`;
    expect((await get(challenge_url)).html).toContain('Complete authentication');
    expect((await statusOf(bench, id)).status).toBe('open');
    return { id, url, challenge_url };
  }

  test('completing the step pays', async () => {
    const bench = await startBench();
    const { id, challenge_url } = await challenged(bench);
    const done = await send(challenge_url, { decision: 'complete' });
    expect(done.location).toBe(`https://shop.test/ok?session=${id}`);
    expect(await statusOf(bench, id)).toEqual({ status: 'complete', payment_status: 'paid' });
  });

  test('failing it leads back to the card form', async () => {
    const bench = await startBench();
    const { id, url, challenge_url } = await challenged(bench);
    const failed = await send(challenge_url, { decision: 'fail' });
    expect(failed.status).toBe(402);
    expect(failed.html).toContain('could not authenticate');
    expect((await statusOf(bench, id)).status).toBe('open');
    expect((await send(challenge_url, { decision: 'complete' })).location).toBe(new URL(url).pathname);
    expect((await statusOf(bench, id)).status).toBe('open');
  });

  test('without a card there is no step', async () => {
    const bench = await startBench();
    const { url } = await open(bench);
    expect(await get(`${url}/challenge`)).toMatchObject({ status: 303, location: new URL(url).pathname });
  });
});

describe('bank debit', () => {
  test.each([
    ['sepa_debit:succeeds', 'checkout.session.async_payment_succeeded', 'paid'],
    ['sepa_debit:fails', 'checkout.session.async_payment_failed', 'unpaid'],
  ])('%s settles by itself with %s', async (method, type, payment_status) => {
    const bench = await startBench();
    const { id, url } = await open(bench);
    expect((await send(url, { method })).status).toBe(303);
    expect(await statusOf(bench, id)).toEqual({ status: 'complete', payment_status: 'unpaid' });
    await bench.receiver.waitFor(1);
    await bench.control('PUT', '/clock', { advance_seconds: 3 });
    const received = await bench.receiver.waitFor(2);
    expect(received.map(({ event }) => event.type)).toEqual(['checkout.session.completed', type]);
    expect((await statusOf(bench, id)).payment_status).toBe(payment_status);
  });

  test('one waits for the control API', async () => {
    const bench = await startBench();
    const { id, url } = await open(bench);
    await send(url, { method: 'sepa_debit:pending' });
    await bench.control('PUT', '/clock', { advance_seconds: 86_400 });
    expect(await statusOf(bench, id)).toEqual({ status: 'complete', payment_status: 'unpaid' });
    await bench.control('POST', `/sessions/${id}/settle-async`, { outcome: 'succeeded' });
    expect((await get(url)).html).toContain('payment is complete');
  });
});

describe('the methods that a session names', () => {
  const eur = (...types: string[]) =>
    sessionParams({
      line_items: [lineItem(1000, 'eur')],
      allowed_payment_method_types: types,
    });

  test('the page offers these and no others', async () => {
    const bench = await startBench();
    const { url } = await open(bench, eur('ideal', 'wechat_pay', 'sepa_debit'));
    const { html } = await get(url);
    expect(Array.from(html.matchAll(/<h2 id="(\w+)">/g), ([, type]) => type)).toEqual([
      'ideal',
      'wechat_pay',
      'sepa_debit',
    ]);
    expect(html).not.toContain('cardNumber');
    expect((await send(url, card('4242 4242 4242 4242'))).status).toBe(400);
  });

  test.each([
    ['ideal:authorize', 303, 'paid'],
    ['ideal:refuse', 402, 'iDEAL refused the payment'],
    ['wechat_pay:expire', 402, 'The code of WeChat Pay has run out'],
    ['wechat_pay:authorize', 303, 'paid'],
    ['sepa_debit:succeeds', 303, 'unpaid'],
    ['apple_pay', 303, 'paid'],
  ])('%s: %s, %s', async (method, status, found) => {
    const bench = await startBench();
    const { id, url } = await open(bench, eur('card', 'ideal', 'wechat_pay', 'sepa_debit'));
    const sent = await send(url, { method });
    expect(sent.status).toBe(status);
    const after = await statusOf(bench, id);
    if (status === 303) expect(after).toEqual({ status: 'complete', payment_status: found });
    else {
      expect(sent.html).toContain(found);
      expect(after).toEqual({ status: 'open', payment_status: 'unpaid' });
    }
  });
});

describe('pages of sessions that cannot be paid', () => {
  test('a complete session leads on, and cannot be paid again', async () => {
    const bench = await startBench();
    const { id, url } = await open(bench);
    await bench.control('POST', `/sessions/${id}/pay`);
    const page = await send(url, card('4242424242424242'));
    expect(page.status).toBe(200);
    expect(page.html).toContain(`href="https://shop.test/ok?session=${id}"`);
    expect((await bench.control('GET', '/events')).body.items).toHaveLength(1);
  });

  test('an expired session says so', async () => {
    const bench = await startBench();
    const { id, url } = await open(bench);
    await bench.stripe.checkout.sessions.expire(id);
    for (const page of [await get(url), await send(url, card('4242424242424242'))]) {
      expect(page).toMatchObject({ status: 410 });
      expect(page.html).toContain('This payment link has expired');
    }
  });

  test('an unknown session is not found, a form that is none is refused', async () => {
    const bench = await startBench();
    const { url } = await open(bench);
    expect((await get(`${bench.sim.url}/c/pay/cs_test_none`)).status).toBe(404);
    const answer = await fetch(url, {
      method: 'POST',
      body: 'a=%zz',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('Something went wrong');
  });
});

test('behind a proxy the page lives under its public address', async () => {
  const bench = await startBench({ publicUrl: 'https://pay.test/cards/' });
  const session = await bench.stripe.checkout.sessions.create(sessionParams());
  expect(session.url).toBe(`https://pay.test/cards/c/pay/${session.id}`);
  const page = await get(`${bench.sim.url}/c/pay/${session.id}`);
  expect(page.html).toContain(`action="/cards/c/pay/${session.id}"`);
});
