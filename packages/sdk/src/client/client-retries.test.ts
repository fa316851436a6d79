import { describe, expect, test } from 'vitest';
import { created, errorOf, input, order, useClient } from '../../test/client-bed.ts';
import type { Attempt } from './http.ts';
import { reset, silence, truncated, type Answer } from '../../test/service.ts';

const bed = useClient();

const failures: [string, Answer][] = [
  ['408', { status: 408, body: { error: 'request_timeout' } }],
  ['500', { status: 500, body: { error: 'server_error' } }],
  ['502 of a proxy', { status: 502, body: '<html>' }],
  ['503', { status: 503, body: { error: 'notification_unavailable' } }],
  ['504', { status: 504 }],
  ['a broken connection', reset],
  ['an answer cut short', truncated],
  ['a success that is no JSON', { status: 201, body: '{"order_no":' }],
];

describe('D-1360 retries', () => {
  test.each(failures)(
    'creation after %s is repeated with the same key and the same bytes',
    async (_name, answer) => {
      bed.service.answer(answer, answer, created);
      expect(await bed.client().createOrder(input)).toEqual(order);
      expect(bed.service.calls).toHaveLength(3);
      expect(new Set(bed.service.calls.map(({ body }) => body)).size).toBe(1);
      expect(bed.waits).toEqual([250, 500]);
    },
  );

  test.each(failures)('the token request after %s is repeated', async (_name, answer) => {
    bed.service.answer({ status: 200, body: { items: [] } });
    bed.service.answerTokens(answer, { status: 200, body: { access_token: 't', expires_in: 60 } });
    expect(await bed.client().channels()).toEqual([]);
    expect(bed.service.tokens).toHaveLength(2);
  });

  test('retries are bounded, and the last failure is what the caller sees', async () => {
    bed.service.answer({ status: 500, body: { error: 'server_error' }, headers: { 'x-request-id': 'r-9' } });
    const error = await errorOf(bed.client().createOrder(input));
    expect(error).toMatchObject({ status: 500, code: 'server_error', request_id: 'r-9' });
    expect(bed.service.calls).toHaveLength(4);
    expect(bed.waits).toEqual([250, 500, 1000]);
  });
});

describe('429', () => {
  test('429 waits for what Retry-After says', async () => {
    bed.service.answer(
      { status: 429, body: { error: 'rate_limited' }, headers: { 'retry-after': '7' } },
      created,
    );
    await bed.client().createOrder(input);
    expect(bed.waits).toEqual([7000]);
  });

  test('429 understands the date that an intermediary may send', async () => {
    const date = new Date(bed.now_ms + 3000).toUTCString();
    bed.service.answer(
      { status: 429, body: { error: 'rate_limited' }, headers: { 'retry-after': date } },
      created,
    );
    await bed.client().createOrder(input);
    expect(bed.waits).toEqual([3000]);
  });

  test.each([
    ['no Retry-After', {}, undefined],
    ['an unreadable Retry-After', { 'retry-after': 'soon' }, undefined],
    ['a Retry-After beyond the time limit', { 'retry-after': '31' }, 31],
  ])('429 with %s is given to the caller at once', async (_name, headers, retry_after_s) => {
    bed.service.answer({ status: 429, body: { error: 'rate_limited' }, headers });
    const error = await errorOf(bed.client().createOrder(input));
    expect([error.code, error.retry_after_s]).toEqual(['rate_limited', retry_after_s]);
    expect([bed.service.calls.length, bed.waits]).toEqual([1, []]);
  });
});

describe('answers that are not retried', () => {
  test.each([
    [400, { error: 'invalid_amount', error_description: 'no', field: 'amount' }],
    [404, { error: 'payment_not_found' }],
    [409, { error: 'payment_conflict' }],
    [422, { error: 'currency_unavailable', error_description: 'no', field: 'currency' }],
    [202, { error: 'provider_result_pending' }],
  ])('%i %j is an error with its members and is not repeated', async (status, body) => {
    bed.service.answer({ status, body });
    const error = await errorOf(bed.client().createOrder(input));
    const { error: code, error_description: description, field } = body as Record<string, string | undefined>;
    expect(error).toMatchObject({ status, code, description, field });
    expect(bed.service.calls).toHaveLength(1);
  });

  test('a redirect is not followed, so the token goes nowhere else', async () => {
    bed.service.answer({ status: 307, headers: { location: `${bed.service.origin}/elsewhere` } });
    expect(await errorOf(bed.client().createOrder(input))).toMatchObject({
      status: 307,
      code: 'invalid_response',
    });
    expect(bed.service.calls).toHaveLength(1);
  });

  test.each([
    ['an order', () => bed.client().getOrder('mp_1'), { accepted: true }],
    ['a list', () => bed.client().channels(), { items: {} }],
    ['a replay', () => bed.client().retryNotification('mp_1', 'ne_1'), {}],
  ])('a success that is not %s is an error', async (_name, call, body) => {
    bed.service.answer({ status: 200, body });
    expect(await errorOf(call())).toMatchObject({ code: 'invalid_response' });
  });
});

describe('time limits', () => {
  test('one silent try is given up and repeated', async () => {
    bed.service.answer(silence, created);
    expect(await bed.client({ attempt_timeout_ms: 3_000 }).createOrder(input)).toEqual(order);
    expect(bed.service.calls).toHaveLength(2);
  });

  test.each(['api', 'token'])(
    'D-921 the whole call ends in time although the %s never answers, and the error names its address',
    async (silent) => {
      const told: Attempt[] = [];
      const onAttempt = (attempt: Attempt) => told.push(attempt);
      const client = bed.client({ timeout_ms: silent === 'token' ? 100 : 300_000, onAttempt });
      if (silent === 'token') bed.service.answerTokens(silence);
      else {
        // With a token at hand the call begins at once, however busy the machine is.
        bed.service.answer({ status: 200, body: { items: [] } }, silence);
        await client.channels();
      }
      const error = await errorOf(client.createOrder(input, { timeout_ms: 100 }));
      const description = `no answer arrived from ${bed.service.origin}`;
      expect(error).toMatchObject({ status: 0, code: 'timeout', description });
      if (silent === 'token') return;
      expect(told.at(-1)).toMatchObject({ status: 0, code: 'timeout', retry_in_ms: undefined });
    },
  );

  test.each([Infinity, 2 ** 31])(
    'D-1427 a limit of %d ms, which no timer can hold, is not one of a millisecond',
    async (limit_ms) => {
      // A timer of one millisecond that began before it ends before it.
      const slowly: typeof fetch = async (...asked) => {
        await new Promise((resolve) => setTimeout(resolve, 2));
        return fetch(...asked);
      };
      bed.service.answer(created);
      const limits = { timeout_ms: limit_ms, attempt_timeout_ms: limit_ms };
      const client = bed.client({ ...limits, fetch: slowly, max_attempts: 1 });
      expect(await client.createOrder(input)).toEqual(order);
    },
  );

  test('no wait reaches beyond the time limit', async () => {
    bed.service.answer({ status: 500, body: { error: 'server_error' } });
    expect(
      await errorOf(bed.client({ max_attempts: 8 }).createOrder(input, { timeout_ms: 7_700 })),
    ).toMatchObject({
      code: 'server_error',
    });
    expect(bed.waits).toEqual([250, 500, 1_000, 2_000]);
  });

  test('the caller can end a call, and a shared token request continues', async () => {
    let release: (() => void) | undefined;
    const asked = new Promise<void>((resolve) => {
      bed.service.answerTokens((response) => {
        release = () => response.end('{"access_token":"t","expires_in":60}');
        resolve();
      });
    });
    bed.service.answer({ status: 200, body: { items: [] } });
    const paydesk = bed.client();
    const controller = new AbortController();
    const ended = paydesk.channels({ signal: controller.signal });
    const patient = paydesk.channels();
    await asked;
    controller.abort(new Error('shutting down'));
    await expect(ended).rejects.toThrow('shutting down');
    release?.();
    expect(await patient).toEqual([]);
    expect([bed.service.tokens.length, bed.service.calls.length]).toEqual([1, 1]);
  });

  test('a call that is over before it begins sends nothing', async () => {
    await expect(bed.client().channels({ signal: AbortSignal.abort(new Error('over')) })).rejects.toThrow(
      'over',
    );
    expect(bed.service.tokens).toHaveLength(0);
  });
});
