import { describe, expect, test } from 'vitest';
import {
  clientOf,
  failureOf,
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

describe('payment intents', () => {
  test('a paid session leads to its payment, its charge and what was received', async () => {
    const bench = await startBench();
    const { id, payment_intent } = await paid(bench, {
      payment_intent_data: { metadata: { order_no: '7' } },
    });
    const session = await bench.stripe.checkout.sessions.retrieve(id, {
      expand: ['payment_intent.latest_charge'],
    });
    expect(session).toMatchObject({
      status: 'complete',
      payment_status: 'paid',
      url: null,
      customer_details: { email: 'buyer@example.com' },
      payment_intent: {
        id: payment_intent,
        status: 'succeeded',
        amount: 1000,
        amount_received: 1000,
        metadata: { order_no: '7' },
        latest_charge: {
          object: 'charge',
          amount_refunded: 0,
          refunded: false,
          paid: true,
          created: start_seconds,
        },
      },
    });
    const intent = await bench.stripe.paymentIntents.retrieve(payment_intent);
    const charge = await bench.stripe.charges.retrieve(intent.latest_charge as string, {
      expand: ['payment_intent'],
    });
    expect(charge).toMatchObject({
      payment_intent: { id: payment_intent },
      payment_method_details: { type: 'card' },
    });
  });
});

describe('refunds', () => {
  test('a full refund empties the charge; a second one is refused', async () => {
    const bench = await startBench();
    const { payment_intent } = await paid(bench);
    const refund = await bench.stripe.refunds.create({ payment_intent, reason: 'requested_by_customer' });
    expect(refund).toMatchObject({ amount: 1000, currency: 'usd', status: 'succeeded', payment_intent });
    expect({ ...(await bench.stripe.refunds.retrieve(refund.id)) }).toEqual({ ...refund });
    const intent = await bench.stripe.paymentIntents.retrieve(payment_intent, { expand: ['latest_charge'] });
    expect(intent.latest_charge).toMatchObject({ amount_refunded: 1000, refunded: true });
    const error = await failureOf(bench.stripe.refunds.create({ payment_intent }));
    expect(error).toMatchObject({ statusCode: 400, code: 'charge_already_refunded' });
  });

  test('partial refunds add up and never exceed the charge', async () => {
    const bench = await startBench();
    const { payment_intent } = await paid(bench);
    const first = await bench.stripe.refunds.create({ payment_intent, amount: 300 });
    const error = await failureOf(bench.stripe.refunds.create({ payment_intent, amount: 701 }));
    expect(error).toMatchObject({ statusCode: 400, param: 'amount' });
    const second = await bench.stripe.refunds.create({ charge: first.charge as string });
    expect(second.amount).toBe(700);
    const list = await bench.stripe.refunds.list({ payment_intent });
    expect(list.data.map(({ id }) => id)).toEqual([second.id, first.id]);
  });

  test.each([
    ['neither payment nor charge', {}, 'parameter_missing'],
    ['an unknown payment', { payment_intent: 'pi_none' }, 'resource_missing'],
    ['an unknown charge', { charge: 'ch_none' }, 'resource_missing'],
  ])('%s is refused', async (_name, params, code) => {
    const { stripe } = await startBench();
    expect(await failureOf(stripe.refunds.create(params))).toMatchObject({ code });
  });

  test('money that has not arrived cannot be refunded', async () => {
    const bench = await startBench();
    const { id } = await bench.stripe.checkout.sessions.create(sessionParams());
    await bench.control('POST', `/sessions/${id}/pay`, { async: true });
    const payment_intent = (await bench.stripe.checkout.sessions.retrieve(id)).payment_intent as string;
    const error = await failureOf(bench.stripe.refunds.create({ payment_intent }));
    expect(error.message).toContain('does not have a successful charge');
  });
});

describe('disputes', () => {
  test('a dispute can be looked up, marks the charge and blocks refunds', async () => {
    const bench = await startBench();
    const { id, payment_intent } = await paid(bench);
    const { body } = await bench.control('POST', `/sessions/${id}/dispute`);
    const dispute = await bench.stripe.disputes.retrieve(body.id, { expand: ['charge'] });
    expect(dispute).toMatchObject({
      object: 'dispute',
      amount: 1000,
      status: 'needs_response',
      payment_intent,
      charge: { disputed: true },
    });
    const list = await bench.stripe.disputes.list({ payment_intent });
    expect(list.data.map((item) => item.id)).toEqual([dispute.id]);
    const error = await failureOf(bench.stripe.refunds.create({ payment_intent }));
    expect(error).toMatchObject({ code: 'charge_disputed' });
    await bench.control('POST', `/sessions/${id}/dispute`, { outcome: 'won' });
    expect(await bench.stripe.refunds.create({ payment_intent })).toMatchObject({ status: 'succeeded' });
  });

  test('a payment can have several, of which each takes a part, and one can open again', async () => {
    const bench = await startBench();
    const { id, payment_intent } = await paid(bench);
    const dispute = (terms: object) => bench.control('POST', `/sessions/${id}/dispute`, terms);
    const { body: first } = await dispute({ amount: 300 });
    const { body: second } = await dispute({ another: true });
    expect(second).toMatchObject({ amount: 700, status: 'needs_response' });
    expect(await dispute({ another: true })).toMatchObject({ status: 409 });
    expect(await dispute({ dispute_id: 'du_unknown', outcome: 'won' })).toMatchObject({ status: 404 });
    expect((await dispute({ outcome: 'won' })).body).toMatchObject({ id: second.id, status: 'won' });
    const refused = await failureOf(bench.stripe.refunds.create({ payment_intent }));
    expect(refused).toMatchObject({ code: 'charge_disputed' });
    const won = await dispute({ dispute_id: first.id, outcome: 'won' });
    expect(won.body).toMatchObject({ id: first.id, status: 'won' });
    expect((await dispute({ reopen: true })).body).toMatchObject({ id: second.id, status: 'needs_response' });
    expect((await dispute({ outcome: 'lost' })).body).toMatchObject({ id: second.id, status: 'lost' });
    expect(await dispute({ reopen: true })).toMatchObject({ status: 409 });
    const list = await bench.stripe.disputes.list({ payment_intent });
    expect(list.data.map((item) => item.id)).toEqual([second.id, first.id]);
  });
});

describe('evidence of a dispute', () => {
  const data = Buffer.from('%PDF-1.7 a receipt');
  const upload = {
    purpose: 'dispute_evidence',
    file: { data, name: 'receipt.pdf', type: 'application/pdf' },
  } as const;
  const disputed = async (terms = {}) => {
    const bench = await startBench();
    const { id } = await paid(bench);
    const { body } = await bench.control('POST', `/sessions/${id}/dispute`, terms);
    return { bench, id, dispute_id: body.id };
  };

  test('is uploaded and submitted once for each key, and puts the dispute under review', async () => {
    const { bench, id, dispute_id } = await disputed({ due_in_seconds: 60, reason: 'product_not_received' });
    const { stripe } = bench;
    const key = { idempotencyKey: 'file_1' };
    const file = await stripe.files.create(upload, key);
    expect(file).toMatchObject({ purpose: 'dispute_evidence', size: data.length, type: 'pdf' });
    expect((await stripe.files.create(upload, key)).id).toBe(file.id);
    expect(await stripe.files.retrieve(file.id)).toMatchObject({ filename: 'receipt.pdf' });

    const evidence = { customer_name: 'Bo Buyer', receipt: file.id };
    const staged = await stripe.disputes.update(dispute_id, { evidence, submit: false });
    expect(staged).toMatchObject({
      ...{ status: 'needs_response', reason: 'product_not_received', evidence },
      evidence_details: { due_by: staged.created + 60, has_evidence: true, submission_count: 0 },
    });
    const once = { idempotencyKey: 'evidence_1' };
    for (let time = 0; time < 2; time += 1) {
      expect(await stripe.disputes.update(dispute_id, { evidence }, once)).toMatchObject({
        status: 'under_review',
        evidence_details: { past_due: false, submission_count: 1 },
      });
    }
    expect(await failureOf(stripe.disputes.update(dispute_id, { evidence }))).toMatchObject({
      param: 'evidence',
    });
    const decided = await bench.control('POST', `/sessions/${id}/dispute`, { outcome: 'lost' });
    expect(decided.body.status).toBe('lost');
  });

  test.each([
    ['winning_evidence', {}, 'won'],
    ['losing_evidence', {}, 'lost'],
    ['winning_evidence', { inquiry: true }, 'warning_closed'],
  ])('%s of a dispute %j ends it: %s', async (uncategorized_text, terms, status) => {
    const { bench, dispute_id } = await disputed(terms);
    expect(
      await bench.stripe.disputes.update(dispute_id, { evidence: { uncategorized_text } }),
    ).toMatchObject({
      status,
    });
  });

  test.each([
    [{ receipt: 'file_x' }, 'evidence[receipt]'],
    [{ customer_name: 'x'.repeat(5001) }, 'evidence[customer_name]'],
    [{ wish: 'x' }, 'evidence[wish]'],
  ])('%o is refused', async (evidence: Record<string, string>, param) => {
    const { bench, dispute_id } = await disputed();
    expect(await failureOf(bench.stripe.disputes.update(dispute_id, { evidence }))).toMatchObject({ param });
  });

  test('a file of another type, or for another purpose, is refused', async () => {
    const { stripe } = await startBench();
    const text = { ...upload, file: { ...upload.file, data: Buffer.from('plain') } };
    expect(await failureOf(stripe.files.create(text))).toMatchObject({ param: 'file' });
    const logo = { ...upload, purpose: 'business_logo' } as const;
    expect(await failureOf(stripe.files.create(logo))).toMatchObject({ param: 'purpose' });
  });
});

describe('idempotency keys', () => {
  const key = { idempotencyKey: 'att_1' };

  test('the same call again gets the stored answer, also after the session has changed', async () => {
    const { stripe } = await startBench();
    const first = await stripe.checkout.sessions.create(sessionParams(), key);
    await stripe.checkout.sessions.expire(first.id);
    const again = await stripe.checkout.sessions.create(sessionParams(), key);
    expect({ ...again }).toEqual({ ...first });
    expect(again.lastResponse.headers['idempotent-replayed']).toBe('true');
    expect(again.lastResponse.headers['original-request']).toBe(first.lastResponse.requestId);
    expect(again.lastResponse.requestId).not.toBe(first.lastResponse.requestId);
    expect((await stripe.checkout.sessions.list()).data).toHaveLength(1);
  });

  test('changed parameters are refused', async () => {
    const { stripe } = await startBench();
    await stripe.checkout.sessions.create(sessionParams(), key);
    const error = await failureOf(
      stripe.checkout.sessions.create(sessionParams({ client_reference_id: 'b' }), key),
    );
    expect(error).toMatchObject({ type: 'StripeIdempotencyError', statusCode: 400 });
  });

  test('another path under the same key is refused', async () => {
    const { stripe } = await startBench();
    const { id } = await stripe.checkout.sessions.create(sessionParams(), key);
    const error = await failureOf(stripe.checkout.sessions.expire(id, {}, key));
    expect(error).toMatchObject({ type: 'StripeIdempotencyError' });
  });

  test('a key belongs to one account', async () => {
    const { stripe, sim } = await startBench();
    const mine = await stripe.checkout.sessions.create(sessionParams(), key);
    const theirs = await clientOf(sim, 'sk_test_second').checkout.sessions.create(sessionParams(), key);
    expect(theirs.id).not.toBe(mine.id);
  });

  test('a refused parameter leaves the key free, a refused operation does not', async () => {
    const bench = await startBench();
    await failureOf(bench.stripe.checkout.sessions.create(sessionParams({ expires_at: 1 }), key));
    await bench.stripe.checkout.sessions.create(sessionParams(), key);

    const { payment_intent } = await paid(bench);
    await bench.stripe.refunds.create({ payment_intent });
    const refused = { idempotencyKey: 'refund' };
    const first = await failureOf(bench.stripe.refunds.create({ payment_intent }, refused));
    const again = await failureOf(bench.stripe.refunds.create({ payment_intent }, refused));
    expect(again.code).toBe(first.code);
    expect(again.headers?.['idempotent-replayed']).toBe('true');
  });

  test('a key is forgotten after a day', async () => {
    const { stripe, control } = await startBench();
    const first = await stripe.checkout.sessions.create(sessionParams(), key);
    await control('PUT', '/clock', { advance_seconds: 86_399 });
    expect((await stripe.checkout.sessions.create(sessionParams(), key)).id).toBe(first.id);
    await control('PUT', '/clock', { advance_seconds: 1 });
    expect((await stripe.checkout.sessions.create(sessionParams(), key)).id).not.toBe(first.id);
  });
});

test('an address that the simulator does not know is a provider error', async () => {
  const { stripe } = await startBench();
  const error = await failureOf(stripe.customers.list());
  expect(error).toMatchObject({ type: 'StripeInvalidRequestError', statusCode: 404 });
  expect(error.message).toContain('GET: /v1/customers');
});
