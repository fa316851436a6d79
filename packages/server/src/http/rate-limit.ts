/** Rate limits, counted in this process or in Redis. If Redis does not answer, requests are refused. */
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import { AppError } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';

/** The number of requests that one key may make in a window. The first request begins the window (D-157). */
interface Group {
  points: number;
  window_s: number;
}

const perMinute = (points: number): Group => ({ points, window_s: 60 });
const perQuarterHour = (points: number): Group => ({ points, window_s: 900 });

/**
 * All groups of limits (section 1.18, D-158, D-159, D-160, and sign-in). The key is a client (not its token, R-331),
 * address or account.
 */
export const limitGroups = {
  /** Per client: creating collection orders, repeated calls included. */
  create: perMinute(60),
  /** Per client: detail, list and channel directory together. */
  read: perMinute(300),
  /** Per client: replaying notifications. */
  replay: perMinute(30),
  /** Per client: delivery records (D-010, D-159). */
  records: perMinute(300),
  /** Per client: the catalog, the profile and user information (R-334, D-160). */
  catalog_read: perMinute(300),
  catalog_write: perMinute(60),
  /** Per address: the checkout. */
  checkout_read: perMinute(180),
  checkout_start: perMinute(30),
  /** Per address: token requests that failed (D-158). */
  token_failures: perMinute(30),
  /** Per client: tokens that it revokes. Each one makes every process drop its cache. */
  revoke: perMinute(60),
  /** Per address: authorization requests of browsers, which may be stored. */
  authorize: perMinute(120),
  /** Per address: wrong administration keys. */
  admin_key_failures: perMinute(10),
  /**
   * Failed sign-ins: per account and address, per account from all addresses, per address, per known device, and per account
   * from all known devices.
   */
  sign_in: perQuarterHour(10),
  sign_in_account: { points: 100, window_s: 3_600 },
  sign_in_address: perQuarterHour(30),
  sign_in_device: perQuarterHour(10),
  sign_in_devices: { points: 100, window_s: 3_600 },
  /** Per address: questions to a device that wants to sign in by passkey. Each one is stored. */
  passkey_options: perMinute(30),
  /** Per account: wrong passwords of a signed-in person. */
  password_check: perQuarterHour(10),
  /** Per account: wrong codes of an authenticator app, and wrong recovery codes. */
  second_factor: perQuarterHour(10),
  recovery_code: perQuarterHour(10),
  /** Links to reset a password, per account and per address. */
  reset_account: perQuarterHour(3),
  reset_address: perQuarterHour(10),
  /** Links to open an account, per address of mail and per address. */
  sign_up_account: perQuarterHour(3),
  sign_up_address: perQuarterHour(10),
  /** Receipts that are mailed to a typed address, per order and per address of the network. */
  receipt_mail: perQuarterHour(3),
  receipt_mail_address: perQuarterHour(10),
  /** The same per address of mail, from all orders together (D-1433). */
  receipt_mailbox: perQuarterHour(10),
  /** Per person: exports of lists as files. */
  exports: perMinute(30),
  /** Per person: adding people to a merchant by their address. */
  invitations: perQuarterHour(20),
  /** Mails of invitations to one address, from all merchants together (D-1382). */
  invited_address: perQuarterHour(3),
  /** Per person: test events. Each one is a request to an address that a merchant names. */
  test_events: perMinute(10),
  /** Per person: parts of their records that are compared with the orders, 500 in each by the console. */
  reconciliation: perMinute(600),
} as const satisfies Record<string, Group>;

export type LimitGroup = keyof typeof limitGroups;

/**
 * Counts requests. If the store does not answer, every method throws `rate_limit_unavailable`, so that no request
 * passes without a limit (R-333, D-162).
 */
export interface Limiter {
  /** Counts one request. Throws `rate_limited` with the seconds to the end of the window if the limit is exceeded. */
  take(group: LimitGroup, key: string): Promise<void>;
  /** Throws `rate_limited` if `take` would throw it. Counts nothing. */
  check(group: LimitGroup, key: string): Promise<void>;
  /** Takes one counted request back. */
  giveBack(group: LimitGroup, key: string): Promise<void>;
  /** Resets the count of this key. */
  forget(group: LimitGroup, key: string): Promise<void>;
  /** Throws if the store does not answer, or takes no writes. */
  ready(): Promise<void>;
  stop(): Promise<void>;
}

/** Counts in the memory of this process. Only for a service with one serving process. */
export function memoryLimiter(): Limiter {
  const groups = eachGroup((group, { points, window_s }) => {
    return new RateLimiterMemory({ keyPrefix: group, points, duration: window_s });
  });
  return limiterOf(
    groups,
    () => Promise.resolve(),
    () => Promise.resolve(),
  );
}

/**
 * Counts in Redis, for any number of processes. The service starts without Redis too and answers 503 until Redis is
 * there. A command waits at most one second and is never queued, so a Redis that hangs does not block the service.
 */
export async function redisLimiter(url: string, log: Logger): Promise<Limiter> {
  // Loaded only here, because most installations run without Redis.
  const { Redis } = await import('ioredis');
  const redis = new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    connectTimeout: 2_000,
    commandTimeout: 1_000,
    // A connection whose other end vanished is given up; TCP alone would keep it for many minutes (D-830).
    socketTimeout: 2_000,
    retryStrategy: (tries) => Math.min(100 * tries, 2_000),
    // After a failover the address may lead to another server, while this connection stays at the former primary (D-1226).
    reconnectOnError: ({ message }) => message.includes('READONLY'),
  });
  let down = false;
  redis.on('error', (error: Error) => {
    if (!down) log.error({ err: error }, 'the rate limiter cannot reach Redis');
    down = true;
  });
  redis.on('ready', () => {
    if (down) log.info('the rate limiter reaches Redis again');
    down = false;
  });
  const groups = eachGroup((group, { points, window_s }) => {
    return new RateLimiterRedis({
      storeClient: redis,
      keyPrefix: `paydesk:limit:${group}`,
      points,
      duration: window_s,
      rejectIfRedisNotReady: true,
    });
  });
  await redis.connect().catch(() => undefined);
  return limiterOf(
    groups,
    // A standby, or a server whose disk or memory is full, still answers to PING (D-1225).
    async () => {
      await redis.set('paydesk:limit:ready', '', 'EX', 60);
    },
    () => {
      redis.disconnect();
      return Promise.resolve();
    },
  );
}

/** Creates the configured limiter: in Redis if there is an address, else in memory (D-157). */
export function createLimiter(redis_url: string | null, log: Logger): Promise<Limiter> {
  return redis_url === null ? Promise.resolve(memoryLimiter()) : redisLimiter(redis_url, log);
}

type Groups = Record<LimitGroup, RateLimiterAbstract>;

function eachGroup(make: (name: string, group: Group) => RateLimiterAbstract): Groups {
  return Object.fromEntries(
    Object.entries(limitGroups).map(([name, group]) => [name, make(name, group)]),
  ) as Groups;
}

function limiterOf(groups: Groups, ping: () => Promise<void>, stop: () => Promise<void>): Limiter {
  return {
    async take(group, key) {
      await awaitStore(groups[group].consume(key));
    },
    async check(group, key) {
      const state = await awaitStore(groups[group].get(key));
      if (state !== null && state.consumedPoints >= limitGroups[group].points) throw limitError(state);
    },
    async giveBack(group, key) {
      await awaitStore(groups[group].reward(key));
    },
    async forget(group, key) {
      await awaitStore(groups[group].delete(key));
    },
    ready: () => awaitStore(ping()),
    stop,
  };
}

/** The library rejects with its state if the limit is exceeded, and with an error if its store fails. */
async function awaitStore<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (failure) {
    if (failure instanceof RateLimiterRes) throw limitError(failure);
    const unavailable = new AppError('rate_limit_unavailable', { retry_after_s: 5 });
    unavailable.cause = failure;
    throw unavailable;
  }
}

/** After `Retry-After`, the window has ended and a retry succeeds: whole seconds (R-332, R-371, H-16). */
function limitError(state: RateLimiterRes): AppError {
  return new AppError('rate_limited', { retry_after_s: Math.max(1, Math.ceil(state.msBeforeNext / 1_000)) });
}
