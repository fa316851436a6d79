import { describe, expect, test } from 'vitest';
import { AppError } from '../../base/errors.ts';
import { type Answers, createLink, type Link, type Wire } from './link.ts';
import { askingLimiter, countForAll } from './family-limiter.ts';

const late_ms = 60_000;

/** Two ends of one channel, and the messages that went through it. */
function connect(answers: Answers): { link: Link; messages: unknown[] } {
  const messages: unknown[] = [];
  const listeners: [((message: unknown) => void)[], ((message: unknown) => void)[]] = [[], []];
  const end = (own: 0 | 1, other: 0 | 1): Wire => ({
    send: (message) => {
      messages.push(message);
      // As the channel of Node.js does it.
      const copy: unknown = JSON.parse(JSON.stringify(message));
      setImmediate(() => {
        for (const listener of listeners[other]) listener(copy);
      });
    },
    onMessage: (listener) => listeners[own].push(listener),
  });
  createLink(end(1, 0), answers);
  return { link: createLink(end(0, 1), {}), messages };
}

test('D-403 what is asked in one turn is one message, and each gets its answer', async () => {
  const { link, messages } = connect({ double: (n: number) => Promise.resolve(n * 2) });
  const asked = Array.from({ length: 50 }, (_, n) => link.ask('double', n, late_ms));
  expect(await Promise.all(asked)).toEqual(Array.from({ length: 50 }, (_, n) => n * 2));
  expect(messages).toHaveLength(2);
});

test('D-403 a question that fails, has no answer or gets none in time is an error', async () => {
  const { link } = connect({
    fail: () => Promise.reject(new Error('broken')),
    wait: () => new Promise(() => undefined),
  });
  await expect(link.ask('fail', null, late_ms)).rejects.toThrow('broken');
  await expect(link.ask('unknown', null, late_ms)).rejects.toThrow('there is no answer to "unknown"');
  await expect(link.ask('wait', null, 1)).rejects.toThrow('no answer to "wait" within 1 ms');
  link.tell('fail');
});

describe('limits', () => {
  test('D-403 two processes share one count', async () => {
    const limit = countForAll();
    const [one, two] = [askingLimiter(connect({ limit }).link), askingLimiter(connect({ limit }).link)];
    for (let i = 0; i < 5; i++) {
      await one.take('admin_key_failures', 'a');
      await two.take('admin_key_failures', 'a');
    }
    for (const limiter of [one, two]) {
      for (const method of ['take', 'check'] as const) {
        const refusal = await limiter[method]('admin_key_failures', 'a').catch((error: unknown) => error);
        expect(refusal).toBeInstanceOf(AppError);
        expect(refusal).toMatchObject({ code: 'rate_limited' });
        expect((refusal as AppError).detail.retry_after_s).toBeGreaterThan(0);
      }
    }
    await two.forget('admin_key_failures', 'a');
    await one.check('admin_key_failures', 'a');
    await one.ready();
  });

  test('R-333 a first process that does not answer means 503, not a request without a limit', async () => {
    const limiter = askingLimiter(connect({ limit: () => Promise.reject(new Error('gone')) }).link);
    await expect(limiter.take('read', 'a')).rejects.toMatchObject({ code: 'rate_limit_unavailable' });
    await expect(limiter.ready()).rejects.toMatchObject({ code: 'rate_limit_unavailable' });
  });
});
