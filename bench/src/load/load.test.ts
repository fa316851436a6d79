import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { freePort } from '../processes/children.ts';
import { answerIn } from './connection.ts';
import { generate } from './generate.ts';
import { percentile } from './percentile.ts';
import { filled, type LoadPlan } from './plan.ts';

describe('percentiles by nearest rank', () => {
  const hundred = Array.from({ length: 100 }, (_, i) => i + 1);
  test.each([
    [hundred, 0.5, 50],
    [hundred, 0.99, 99],
    [hundred, 1, 100],
    [[7], 0.5, 7],
    [[1, 2], 0.99, 2],
    [[], 0.99, NaN],
  ])('of %j at %d', (values, share, expected) => {
    expect(percentile(values, share)).toBe(expected);
  });
});

test('a template takes the members of a row, and keeps what the row does not have', () => {
  expect(filled('{"a":"{0}","b":"{1}","c":"{2}"}', ['x', '$&'])).toBe('{"a":"x","b":"$&","c":"{2}"}');
});

describe('an answer', () => {
  const whole = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nx-more: 1\r\n\r\nf\u00fcnf';
  test.each([
    ['whole', whole, { status: 200, text: 'f\u00fcnf' }],
    ['that has nothing to say', 'HTTP/1.1 204 No Content\r\nx: 1\r\n\r\n', { status: 204, text: '' }],
    ['of which the end is missing', whole.slice(0, -2), null],
    ['of which the head is not complete', whole.slice(0, 30), null],
    ['of another protocol', 'SSH-2.0\r\n\r\n', new Error('not an answer: SSH-2.0')],
    [
      'without its length',
      'HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n',
      new Error('an answer without content-length: HTTP/1.1 200 OK\r\nconnection: close'),
    ],
  ])('%s', (_what, received, expected) => {
    expect(answerIn(Buffer.from(received))).toEqual(expected);
  });
});

/** A server that remembers the addresses it was asked for, and answers 404 below /missing. */
async function listening(): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    asked.push(url);
    response.statusCode = url.startsWith('/missing') ? 404 : 200;
    const body = JSON.stringify({ path: url, twice: 2 });
    response.setHeader('content-length', Buffer.byteLength(body));
    response.end(body);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(
    () =>
      new Promise<void>((closed) =>
        server.close(() => {
          closed();
        }),
      ),
  );
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

const plan = (origin: string, changes: Partial<LoadPlan>): LoadPlan => ({
  origin,
  connections: 2,
  pace: { kind: 'all' },
  template: { method: 'GET', path: '/{0}' },
  rows: [['a'], ['b'], ['c']],
  repeat: false,
  expect: 200,
  keep: [],
  ...changes,
});

describe('the load generator', () => {
  test('sends every row once and keeps what was asked for, by row', async () => {
    const { url, asked } = await listening();
    const result = await generate(plan(url, { keep: ['path', 'twice'] }));
    expect(asked.sort()).toEqual(['/a', '/b', '/c']);
    expect(result).toMatchObject({ all_answers: 3, wrong: 0, ran_out: false });
    expect(result.kept).toEqual([
      ['/a', '2'],
      ['/b', '2'],
      ['/c', '2'],
    ]);
  });

  test('counts answers of another status and tells the first', async () => {
    const { url } = await listening();
    const result = await generate(plan(url, { rows: [['a'], ['missing'], ['c']], keep: ['path'] }));
    expect(result).toMatchObject({
      all_answers: 2,
      wrong: 1,
      first_wrong: '404 {"path":"/missing","twice":2}',
    });
    expect(result.kept).toEqual([['/a'], null, ['/c']]);
  });

  test('counts what gets no answer', async () => {
    const result = await generate(plan(`http://127.0.0.1:${await freePort()}`, {}));
    expect(result).toMatchObject({ all_answers: 0, wrong: 3 });
    expect(result.first_wrong).toMatch(/^0 .*ECONNREFUSED/);
  });

  test('says so where the rows end before the time is up', async () => {
    const { url } = await listening();
    const pace = { kind: 'closed', warm_up_s: 0, seconds: 5 } as const;
    const result = await generate(plan(url, { pace }));
    expect(result).toMatchObject({ answers: 3, ran_out: true });
    expect(result.seconds).toBeLessThan(5);
  });

  test('repeats rows for the given time', async () => {
    const { url, asked } = await listening();
    const pace = { kind: 'closed', warm_up_s: 0, seconds: 0.2 } as const;
    const result = await generate(plan(url, { pace, repeat: true }));
    expect(result.ran_out).toBe(false);
    expect(result.answers).toBe(asked.length);
    expect(result.rate).toBeCloseTo(asked.length / result.seconds, 5);
  });

  test.skipIf(process.platform !== 'linux')(
    'tells how a process and the machine used the cores',
    async () => {
      const { url } = await listening();
      const pace = { kind: 'closed', warm_up_s: 0.05, seconds: 0.3 } as const;
      const { use } = await generate(plan(url, { pace, repeat: true, pid: process.pid }));
      expect(use.ran).toBeGreaterThan(0);
      expect(use.waited).toBeGreaterThanOrEqual(0);
      expect(use.idle).toBeGreaterThanOrEqual(0);
    },
  );

  test.each([
    ['without a timed part', { pid: process.pid }],
    ['that ends before its warm-up', { pace: { kind: 'closed', warm_up_s: 60, seconds: 1 } } as const],
  ])('a run %s tells nothing about the cores', async (_what, changes) => {
    const { url } = await listening();
    const { use } = await generate(plan(url, changes));
    expect(use).toEqual({ ran: NaN, waited: NaN, idle: NaN });
  });

  test('starts requests at the constant rate, also if answers are slow', async () => {
    const { url, asked } = await listening();
    const pace = { kind: 'constant', per_second: 100, warm_up_s: 0, seconds: 3 } as const;
    const began = performance.now();
    await generate(plan(url, { pace, repeat: true }));
    const seconds = (performance.now() - began) / 1_000;
    // What becomes due while the machine is busy elsewhere is started later, but the very last may not be. The end comes
    // later as well then.
    expect(asked.length).toBeGreaterThanOrEqual(25);
    expect(asked.length).toBeLessThanOrEqual(seconds * pace.per_second);
  });
});
