import { kill } from 'node:process';
import { Redis as RedisClient } from 'ioredis';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  inject,
  onTestFinished,
  test,
  vi,
} from 'vitest';
import { AppError } from '../../../src/base/errors.ts';
import { systemIds } from '../../../src/base/ids.ts';
import { createLog } from '../../../src/base/log.ts';
import {
  createLimiter,
  type Limiter,
  limitGroups,
  type LimitGroup,
  memoryLimiter,
  redisLimiter,
} from '../../../src/http/rate-limit.ts';
import { createHttp } from '../../../src/http/server.ts';
import { openFaultyLink } from '../../support/servers/faulty-link.ts';
import { checkRedis } from '../../../src/cli/doctor/network-checks.ts';
import { type Redis, startRedis } from '../../support/servers/redis.ts';

const log = createLog('silent');
const key = (): string => systemIds().uuid();

/** The result of `take`: `ok`, or the code of its refusal. */
async function take(limiter: Limiter, group: LimitGroup, of: string): Promise<string> {
  try {
    await limiter.take(group, of);
    return 'ok';
  } catch (error) {
    return (error as AppError).code;
  }
}

async function refusal(limiter: Limiter, group: LimitGroup, of: string): Promise<AppError> {
  const error: unknown = await limiter.take(group, of).catch((failure: unknown) => failure);
  expect(error).toBeInstanceOf(AppError);
  return error as AppError;
}

test('R-327 to R-330 D-158 to D-160: the number of calls and the window of each group', () => {
  expect(limitGroups).toEqual({
    create: { points: 60, window_s: 60 },
    read: { points: 300, window_s: 60 },
    replay: { points: 30, window_s: 60 },
    records: { points: 300, window_s: 60 },
    catalog_read: { points: 300, window_s: 60 },
    catalog_write: { points: 60, window_s: 60 },
    checkout_read: { points: 180, window_s: 60 },
    checkout_start: { points: 30, window_s: 60 },
    token_failures: { points: 30, window_s: 60 },
    revoke: { points: 60, window_s: 60 },
    authorize: { points: 120, window_s: 60 },
    admin_key_failures: { points: 10, window_s: 60 },
    sign_in: { points: 10, window_s: 900 },
    sign_in_account: { points: 100, window_s: 3_600 },
    sign_in_address: { points: 30, window_s: 900 },
    sign_in_device: { points: 10, window_s: 900 },
    sign_in_devices: { points: 100, window_s: 3_600 },
    passkey_options: { points: 30, window_s: 60 },
    password_check: { points: 10, window_s: 900 },
    second_factor: { points: 10, window_s: 900 },
    recovery_code: { points: 10, window_s: 900 },
    reset_account: { points: 3, window_s: 900 },
    reset_address: { points: 10, window_s: 900 },
    sign_up_account: { points: 3, window_s: 900 },
    sign_up_address: { points: 10, window_s: 900 },
    receipt_mail: { points: 3, window_s: 900 },
    receipt_mail_address: { points: 10, window_s: 900 },
    receipt_mailbox: { points: 10, window_s: 900 },
    exports: { points: 30, window_s: 60 },
    invitations: { points: 20, window_s: 900 },
    invited_address: { points: 3, window_s: 900 },
    test_events: { points: 10, window_s: 60 },
    reconciliation: { points: 600, window_s: 60 },
  });
});

describe.each([
  ['memory', (): Promise<Limiter> => createLimiter(null, log)],
  ['redis', (): Promise<Limiter> => createLimiter(inject('redisUrl'), log)],
])('counting in %s', (_store, create) => {
  let limiter: Limiter;
  beforeAll(async () => {
    limiter = await create();
  });
  afterAll(() => limiter.stop());

  test.each(Object.entries(limitGroups).map(([group, { points }]) => [group as LimitGroup, points] as const))(
    'R-327 R-328 R-329 R-330 %s: the one after %i is refused',
    async (group, points) => {
      const client = key();
      const outcomes = await Promise.all(Array.from({ length: points }, () => take(limiter, group, client)));
      expect(new Set(outcomes)).toEqual(new Set(['ok']));
      expect(await take(limiter, group, client)).toBe('rate_limited');
    },
  );

  test('R-331 R-328 clients and groups have counters of their own', async () => {
    const client = key();
    for (let i = 0; i < 31; i++) await take(limiter, 'replay', client);
    expect(await take(limiter, 'replay', client)).toBe('rate_limited');
    expect(await take(limiter, 'replay', key())).toBe('ok');
    expect(await take(limiter, 'create', client)).toBe('ok');
  });

  test('R-371 D-157 a refusal says how long in whole seconds, at least one', async () => {
    const client = key();
    for (let i = 0; i < 30; i++) await limiter.take('replay', client);
    const { detail } = await refusal(limiter, 'replay', client);
    expect(detail.retry_after_s).toSatisfy((s: number) => Number.isInteger(s) && s >= 1 && s <= 60);
  });

  test('`check` counts nothing, and `forget` resets the count', async () => {
    const account = key();
    for (let i = 0; i < 9; i++) await limiter.take('sign_in', account);
    for (let i = 0; i < 5; i++) await limiter.check('sign_in', account);
    await limiter.take('sign_in', account);
    await expect(limiter.check('sign_in', account)).rejects.toMatchObject({ code: 'rate_limited' });
    await limiter.forget('sign_in', account);
    await limiter.check('sign_in', account);
    expect(await take(limiter, 'sign_in', account)).toBe('ok');
  });

  test('it is ready', async () => {
    await expect(limiter.ready()).resolves.toBeUndefined();
  });
});

describe('waiting', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  test('R-332 D-157 after Retry-After the next call succeeds; the window begins with the first call', async () => {
    const limiter = memoryLimiter();
    await limiter.take('replay', 'c');
    vi.advanceTimersByTime(20_500);
    for (let i = 1; i < 30; i++) await limiter.take('replay', 'c');
    const { detail } = await refusal(limiter, 'replay', 'c');
    expect(detail.retry_after_s).toBe(40);
    vi.advanceTimersByTime(39_000);
    expect(await take(limiter, 'replay', 'c')).toBe('rate_limited');
    vi.advanceTimersByTime(1_000);
    expect(await take(limiter, 'replay', 'c')).toBe('ok');
  });
});

test('R-332 in Redis as well', async () => {
  const limiter = await redisLimiter(inject('redisUrl'), log);
  const redis = new RedisClient(inject('redisUrl'));
  const client = key();
  for (let i = 0; i < 30; i++) await limiter.take('replay', client);
  expect(await take(limiter, 'replay', client)).toBe('rate_limited');
  const counter = `paydesk:limit:replay:${client}`;
  expect(await redis.pexpire(counter, 58_900)).toBe(1);
  const retry_after_s = Number((await refusal(limiter, 'replay', client)).detail.retry_after_s);
  // Rounded up, so that a caller who waits that long does not come too early.
  expect(retry_after_s * 1_000).toBeGreaterThanOrEqual(await redis.pttl(counter));
  expect(retry_after_s).toBeLessThanOrEqual(59);
  expect(await redis.pexpire(counter, 1)).toBe(1);
  await expect.poll(() => take(limiter, 'replay', client)).toBe('ok');
  redis.disconnect();
  await limiter.stop();
});

test('R-331 D-157 processes share the counts in Redis', async () => {
  const [one, two] = [
    await redisLimiter(inject('redisUrl'), log),
    await redisLimiter(inject('redisUrl'), log),
  ];
  const client = key();
  for (let i = 0; i < 15; i++) await Promise.all([one.take('replay', client), two.take('replay', client)]);
  expect(await take(one, 'replay', client)).toBe('rate_limited');
  expect(await take(two, 'replay', client)).toBe('rate_limited');
  await Promise.all([one.stop(), two.stop()]);
});

describe('without its store', () => {
  const unavailable = { code: 'rate_limit_unavailable', detail: { retry_after_s: 5 } };
  let redis: Redis;
  let limiter: Limiter;
  beforeEach(async () => {
    redis = await startRedis();
    limiter = await redisLimiter(redis.url, log);
  });
  afterEach(async () => {
    await limiter.stop();
    await redis.stop();
  });

  test('R-333 D-162 nothing is let through, and it recovers by itself', async () => {
    await limiter.take('create', 'c');
    await redis.stop();
    for (const ask of [
      () => limiter.take('create', 'c'),
      () => limiter.check('create', 'c'),
      () => limiter.forget('create', 'c'),
      () => limiter.ready(),
    ]) {
      await expect(ask()).rejects.toMatchObject(unavailable);
    }
    redis = await startRedis(redis.port);
    await expect.poll(() => take(limiter, 'create', 'c')).toBe('ok');
  });

  test('R-333 a store that hangs does not hang the service', async () => {
    await limiter.take('create', 'c');
    kill(redis.pid, 'SIGSTOP');
    // Without a limit of its own this would not end before the test.
    await expect(limiter.take('create', 'c')).rejects.toMatchObject(unavailable);
    kill(redis.pid, 'SIGCONT');
    await expect.poll(() => take(limiter, 'create', 'c')).toBe('ok');
  });

  test('R-333 D-830 a connection that has fallen silent for good is replaced', async () => {
    const link = await openFaultyLink(redis.url);
    onTestFinished(() => link.close());
    const far = await redisLimiter(link.url, log);
    onTestFinished(() => far.stop());
    expect(await take(far, 'create', 'c')).toBe('ok');
    link.silence('to the database', 'from the database');
    expect(await take(far, 'create', 'c')).toBe('rate_limit_unavailable');
    link.restore();
    await expect.poll(() => take(far, 'create', 'c')).toBe('ok');
  });

  test('D-1207 the log does not have the password that Redis refuses', async () => {
    const lines: string[] = [];
    const written = createLog('info', { write: (line) => void lines.push(line) });
    const url = redis.url.replace('//', '//someone:not-for-the-log@');
    const refused = await redisLimiter(url, written);
    onTestFinished(() => refused.stop());
    expect(await take(refused, 'create', 'c')).toBe('rate_limit_unavailable');
    expect(lines.join('')).toContain('WRONGPASS');
    expect(lines.join('')).not.toContain('not-for-the-log');
  });

  test('D-1225 D-1226 one that takes no writes is not ready, and another server at its address is found', async () => {
    const server = new RedisClient(redis.url);
    onTestFinished(() => {
      server.disconnect();
    });
    const connections = async (): Promise<number[]> =>
      Array.from(String(await server.client('LIST')).matchAll(/^id=(\d+)/gm), ([, id]) => Number(id));
    await limiter.ready();
    const before = await connections();
    await server.replicaof('127.0.0.1', 1);
    expect(await take(limiter, 'create', 'c')).toBe('rate_limit_unavailable');
    await expect(limiter.ready()).rejects.toMatchObject(unavailable);
    const [finding] = await checkRedis({ redis_url: redis.url });
    expect(finding?.level).toBe('fail');
    expect(finding?.words).toContain('takes no writes: READONLY');
    // Of the connections before, only that of this test is left.
    await expect.poll(async () => (await connections()).filter((id) => before.includes(id)).length).toBe(1);
    await server.replicaof('NO', 'ONE');
    await expect.poll(() => take(limiter, 'create', 'c')).toBe('ok');
    await limiter.ready();
  });

  test('R-333 it starts without the store, and finds it when it comes', async () => {
    await redis.stop();
    const early = await redisLimiter(redis.url, log);
    expect(await take(early, 'create', 'c')).toBe('rate_limit_unavailable');
    redis = await startRedis(redis.port);
    await expect.poll(() => take(early, 'create', 'c')).toBe('ok');
    await early.stop();
  });

  test('R-333 H-16 H-25 over HTTP it is 503 with Retry-After: 5', async () => {
    const app = createHttp({
      config: { public_url: 'http://127.0.0.1:8080', base_path: '', trusted_proxies: [] },
      log,
      ids: systemIds(),
    });
    app.get('/x', { onRequest: () => limiter.take('read', 'c') }, () => ({}));
    expect((await app.inject('/x')).statusCode).toBe(200);
    await redis.stop();
    const response = await app.inject('/x');
    expect(response.statusCode).toBe(503);
    expect(response.headers['retry-after']).toBe('5');
    expect(response.json()).toMatchObject({ error: 'rate_limit_unavailable' });
    await app.close();
  });
});
