import { pino } from 'pino';
import { expect, test } from 'vitest';
import { AppError } from '../../base/errors.ts';
import { systemIds } from '../../base/ids.ts';
import { createHealth } from './health-routes.ts';
import { NotReadyError } from './readiness.ts';
import { createHttp } from '../server.ts';

interface Line {
  msg: string;
  check?: string;
  why?: string;
  err?: { message: string };
}

test('H-24 the log is told once that a part is not ready, with its error, and once that it is again', async () => {
  const lines: Line[] = [];
  const log = pino({}, { write: (line: string) => lines.push(JSON.parse(line) as Line) });
  let isWell = false;
  const pool = (): Promise<string> =>
    isWell ? Promise.resolve('it answers') : Promise.reject(new Error('connect ECONNREFUSED'));
  const config = { public_url: 'http://127.0.0.1:8080', base_path: '', trusted_proxies: [] };
  const app = createHttp({ config, log, ids: systemIds() });
  createHealth({ checks: { pool } }).healthRoutes(app);
  const ask = async (): Promise<number> => (await app.inject('/readyz?verbose=1')).statusCode;
  expect([await ask(), await ask()]).toEqual([503, 503]);
  const refused = await app.inject('/readyz');
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '1']);
  expect(refused.json()).toEqual({ error: 'service_unavailable', error_description: 'Not ready: pool.' });
  isWell = true;
  expect([await ask(), await ask()]).toEqual([200, 200]);
  const told = lines.filter(({ check }) => check === 'pool');
  expect(told.map(({ msg }) => msg)).toEqual(['not ready', 'ready again']);
  expect(lines.map(({ msg }) => msg)).not.toContain('request failed');
  expect(told[0]?.err?.message).toBe('connect ECONNREFUSED');
  await app.close();
});

test('D-1019 the figures say which part is not ready, from the second look on', async () => {
  const config = { public_url: 'http://127.0.0.1:8080', base_path: '', trusted_proxies: [] };
  const app = createHttp({ config, log: pino({ level: 'silent' }), ids: systemIds() });
  createHealth({
    checks: {
      pool: () => Promise.resolve('it answers'),
      'traffic hold': () => Promise.reject(new NotReadyError('traffic is held')),
    },
  }).metricsRoute(app);
  const figures = async (): Promise<string[]> =>
    (await app.inject('/metrics')).body.split('\n').filter((line) => line.startsWith('paydesk_ready'));
  expect(await figures()).toEqual([]);
  expect(await figures()).toEqual(['paydesk_ready{part="pool"} 1', 'paydesk_ready{part="traffic hold"} 0']);
  await app.close();
});

test('H-24 a message that anyone may read is one line in the log, without a stack', async () => {
  const lines: Line[] = [];
  const log = pino({}, { write: (line: string) => lines.push(JSON.parse(line) as Line) });
  const config = { public_url: 'http://127.0.0.1:8080', base_path: '', trusted_proxies: [] };
  const app = createHttp({ config, log, ids: systemIds() });
  const pool = (): Promise<string> => Promise.reject(new NotReadyError('no answer within 1200 ms'));
  const cause = new Error('sealed with key k1, and the given keys are k2');
  const keys = (): Promise<string> => Promise.reject(new NotReadyError('wrong key', { cause }));
  createHealth({ checks: { pool, keys } }).healthRoutes(app);
  await app.inject('/readyz');
  const told = lines.filter(({ msg }) => msg === 'not ready');
  expect(told.map(({ check, why, err }) => [check, why, err])).toEqual([
    ['pool', 'no answer within 1200 ms', undefined],
    ['keys', cause.message, undefined],
  ]);
  await app.close();
});

test('D-1472 the log has the reason where a part is unavailable, such as a Redis that is full', async () => {
  const lines: Line[] = [];
  const log = pino({}, { write: (line: string) => lines.push(JSON.parse(line) as Line) });
  const config = { public_url: 'http://127.0.0.1:8080', base_path: '', trusted_proxies: [] };
  const app = createHttp({ config, log, ids: systemIds() });
  const unavailable = new AppError('rate_limit_unavailable');
  unavailable.cause = new Error('OOM command not allowed');
  createHealth({ checks: { limiter: () => Promise.reject(unavailable) } }).healthRoutes(app);
  await app.inject('/readyz');
  const told = lines.filter(({ msg }) => msg === 'not ready');
  expect(told.map(({ check, err }) => [check, err?.message])).toEqual([
    ['limiter', 'OOM command not allowed'],
  ]);
  await app.close();
});

test.each([
  [['127.0.0.0/8'], true],
  [[], false],
])(
  'D-941 the header of a proxy is believed if %j are trusted, also of a sender on its machine',
  async (trusted_proxies, believed) => {
    const config = { public_url: 'https://pay.example', base_path: '', trusted_proxies };
    const app = createHttp({ config, log: pino({ level: 'silent' }), ids: systemIds() });
    createHealth({ checks: {} }).healthRoutes(app);
    const answer = await app.inject({ url: '/healthz?proxy=1', headers: { 'x-forwarded-for': '127.0.0.1' } });
    expect(answer.json()).toMatchObject({ proxy: { believed, client_address: '127.0.0.1' } });
    await app.close();
  },
);
