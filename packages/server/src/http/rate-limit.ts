import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import { AppError } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';

/** Requests of one group that one key may make per window, which begins with the first of them (D-157). */
interface Group {
  points: number;
  window_s: number;
}

const perMinute = (points: number): Group => ({ points, window_s: 60 });
const perQuarterHour = (points: number): Group => ({ points, window_s: 900 });

/** The groups of section 1.18, D-158 to D-160, and the sign-in limits; keyed by client, address or account. */
export const limitGroups = {
  /** Per client: creating collection orders, repeated calls included. */
  create: perMinute(60),
  /** Per client: detail, list and channel directory together. */
  read: perMinute(300),
  /** Per client: replaying notifications. */
  replay: perMinute(30),
  /** Per client: delivery records (D-159). */
  records: perMinute(300),
  /** Per client (D-160). */
  catalog_read: perMinute(300),
  catalog_write: perMinute(60),
  /** Per address. */
  checkout_read: perMinute(180),
  checkout_start: perMinute(30),
  /** Per address: token requests that failed (D-158). */
  token_failures: perMinute(30),
  /** Failed sign-ins per account, and per address. */
  sign_in_account: perQuarterHour(10),
  sign_in_address: perQuarterHour(30),
  /** Wrong codes of a second factor, per account. */
  second_factor: perQuarterHour(10),
  /** Links to reset a password, per account and per address. */
  reset_account: perQuarterHour(3),
  reset_address: perQuarterHour(10),
  /** Per person: whole lists as files. */
  exports: perMinute(30),
  /** Per person: adding people to a merchant by their address. */
  invitations: perQuarterHour(20),
} as const satisfies Record<string, Group>;

export type LimitGroup = keyof typeof limitGroups;

/**
 * Every method throws `rate_limit_unavailable` where the store does not answer: nothing is let through unlimited
 * (R-333, D-162).
 */
export interface Limiter {
  /** Counts one request. Throws `rate_limited` with the seconds to the window's end where it is one too many. */
  take(group: LimitGroup, key: string): Promise<void>;
  /** Throws `rate_limited` where `take` would, but counts nothing. */
  check(group: LimitGroup, key: string): Promise<void>;
  /** Forgets what was counted under this key. */
  forget(group: LimitGroup, key: string): Promise<void>;
  /** Throws where the store does not answer. */
  ready(): Promise<void>;
  stop(): Promise<void>;
}

/** Counts in this process: enough while one process serves. */
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
 * Counts in Redis, for any number of processes. Starts without it as well, answering 503 until it is there; a
 * command waits at most a second and is never queued, so that a Redis that hangs does not hang the service.
 */
export async function redisLimiter(url: string, log: Logger): Promise<Limiter> {
  // Loaded where it is asked for: most platforms run without.
  const { Redis } = await import('ioredis');
  const redis = new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    connectTimeout: 2_000,
    commandTimeout: 1_000,
    retryStrategy: (tries) => Math.min(100 * tries, 2_000),
  });
  let down = false;
  redis.on('error', (error: Error) => {
    if (!down) log.error({ err: error }, 'the rate limiter lost Redis');
    down = true;
  });
  redis.on('ready', () => {
    if (down) log.info('the rate limiter has Redis back');
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
    async () => {
      await redis.ping();
    },
    () => {
      redis.disconnect();
      return Promise.resolve();
    },
  );
}

/** The limiter that the configuration asks for: Redis where there is one (D-157). */
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
      await answered(groups[group].consume(key));
    },
    async check(group, key) {
      const state = await answered(groups[group].get(key));
      if (state !== null && state.consumedPoints >= limitGroups[group].points) throw limited(state);
    },
    async forget(group, key) {
      await answered(groups[group].delete(key));
    },
    ready: () => answered(ping()),
    stop,
  };
}

/** The library rejects with its state where the limit is reached, and with an error where its store fails. */
async function answered<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (failure) {
    if (failure instanceof RateLimiterRes) throw limited(failure);
    const unavailable = new AppError('rate_limit_unavailable', { retry_after_s: 5 });
    unavailable.cause = failure;
    throw unavailable;
  }
}

/** Waiting that long really works: the window has ended then. */
function limited(state: RateLimiterRes): AppError {
  return new AppError('rate_limited', { retry_after_s: Math.max(1, Math.ceil(state.msBeforeNext / 1_000)) });
}
