import { describe, expect, test } from 'vitest';
import { failureOf, lineItem, secret_key, sessionParams, startBench, type SessionParams } from './helpers.ts';

/** Payment methods beside cards: what a session may offer, and how each method behaves. */

const of = (currency: string, types: string[], more: Partial<SessionParams> = {}) =>
  sessionParams({ line_items: [lineItem(1000, currency)], allowed_payment_method_types: types, ...more });

describe('creating a session', () => {
  test.each<[string, SessionParams, string]>([
    ['an unknown method', of('eur', ['card', 'cheque']), 'allowed_payment_method_types[1]'],
    ['nothing that can pay in its currency', of('usd', ['ideal']), 'allowed_payment_method_types'],
    ['a language that the page does not have', of('eur', ['card'], { locale: 'zh-Hans' }), 'locale'],
    [
      'the list of earlier versions',
      { ...sessionParams(), payment_method_types: ['card'] } as SessionParams,
      'payment_method_types',
    ],
  ])('%s is refused', async (_, params, param) => {
    const { stripe } = await startBench();
    const refused = await failureOf(stripe.checkout.sessions.create(params));
    expect(refused).toMatchObject({ statusCode: 400, rawType: 'invalid_request_error', param });
  });

  test('the list is a filter: the session offers what its account has and its currency allows', async () => {
    const { stripe, control } = await startBench();
    const allowed_payment_method_types = ['card', 'ideal', 'blik', 'klarna'];
    const params = of('eur', allowed_payment_method_types, { locale: 'zh' });
    expect(await stripe.checkout.sessions.create(params)).toMatchObject({
      allowed_payment_method_types,
      payment_method_types: ['card', 'ideal', 'klarna'],
      locale: 'zh',
    });
    const methods = ['card', 'ideal', 'alipay'];
    expect((await control('PUT', '/methods', { account: secret_key, methods })).body.items).toEqual(methods);
    expect((await stripe.checkout.sessions.create(params)).payment_method_types).toEqual(['card', 'ideal']);
    const all = await stripe.checkout.sessions.create(sessionParams());
    expect(all).toMatchObject({
      allowed_payment_method_types: null,
      payment_method_types: ['card', 'alipay'],
    });
  });

  test.each([
    [{ methods: ['card'] }, 'account'],
    [{ account: secret_key, methods: ['cheque'] }, 'methods'],
    [{ account: secret_key, methods: 'card' }, 'methods'],
  ])('the activation %j is refused', async (body, field) => {
    const { control } = await startBench();
    expect(await control('PUT', '/methods', body)).toMatchObject({ status: 400, body: { field } });
  });
});

describe('paying by the control API', () => {
  test.each([
    ['card', { type: 'card', card: { brand: 'visa', last4: '4242', wallet: null } }],
    ['apple_pay', { type: 'card', card: { brand: 'visa', last4: '4242', wallet: { type: 'apple_pay' } } }],
    ['ideal', { type: 'ideal', ideal: {} }],
    ['sepa_debit', { type: 'sepa_debit', sepa_debit: { last4: '3000' } }],
  ])('%s', async (method, payment_method_details) => {
    const { stripe, control } = await startBench();
    const { id } = await stripe.checkout.sessions.create(of('eur', ['card', 'ideal', 'sepa_debit']));
    expect((await control('POST', `/sessions/${id}/pay`, { method })).status).toBe(200);
    const paid = await stripe.checkout.sessions.retrieve(id, { expand: ['payment_intent.latest_charge'] });
    expect(paid).toMatchObject({
      payment_status: method === 'sepa_debit' ? 'unpaid' : 'paid',
      payment_intent: { latest_charge: { payment_method_details } },
    });
  });

  test.each([
    [{ method: 'ideal' }, 'method'],
    [{ settles_after_seconds: 60 }, 'settles_after_seconds'],
    [{ method: 'sepa_debit', settles_after_seconds: -1 }, 'settles_after_seconds'],
    [{ method: 'sepa_debit', settles_after_seconds: 1, outcome: 'lost' }, 'outcome'],
  ])('%j is refused and nothing is paid', async (body, field) => {
    const { stripe, control } = await startBench();
    const { id } = await stripe.checkout.sessions.create(of('eur', ['card', 'sepa_debit']));
    expect(await control('POST', `/sessions/${id}/pay`, body)).toMatchObject({
      status: 400,
      body: { field },
    });
    expect((await stripe.checkout.sessions.retrieve(id)).status).toBe('open');
  });

  test.each([
    ['succeeded', 'paid'],
    ['failed', 'unpaid'],
  ])('a debit %s days later', async (outcome, payment_status) => {
    const { stripe, control, receiver } = await startBench();
    const { id } = await stripe.checkout.sessions.create(of('eur', ['sepa_debit']));
    const settles_after_seconds = 6 * 86_400;
    await control('POST', `/sessions/${id}/pay`, { method: 'sepa_debit', settles_after_seconds, outcome });
    await receiver.waitFor(1);
    await control('PUT', '/clock', { advance_seconds: settles_after_seconds - 1 });
    expect((await stripe.checkout.sessions.retrieve(id)).payment_status).toBe('unpaid');
    await control('PUT', '/clock', { advance_seconds: 1 });
    const events = (await receiver.waitFor(2)).map(({ event }) => event.type);
    expect(events).toEqual(['checkout.session.completed', `checkout.session.async_payment_${outcome}`]);
    expect((await stripe.checkout.sessions.retrieve(id)).payment_status).toBe(payment_status);
  });
});
