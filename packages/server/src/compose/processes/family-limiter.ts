/** Rate limits of several processes without Redis: the first process counts for all, so that limits do not multiply (D-403). */
import { AppError } from '../../base/errors.ts';
import { type LimitGroup, type Limiter, memoryLimiter } from '../../http/rate-limit.ts';
import type { Link } from './link.ts';

type Method = 'take' | 'check' | 'giveBack' | 'forget';
type Question = readonly [method: Method, group: LimitGroup, key: string];

/** As long as a command to Redis may take. */
const limit_ms = 1_000;

/** Counts in the first process. Answers with the seconds to wait where the limit is exceeded, else with null. */
export function countForAll(): (question: Question) => Promise<number | null> {
  const limiter = memoryLimiter();
  return async ([method, group, key]) => {
    try {
      await limiter[method](group, key);
      return null;
    } catch (error) {
      if (error instanceof AppError && error.code === 'rate_limited') return error.detail.retry_after_s ?? 1;
      throw error;
    }
  };
}

/** Asks the first process. If it does not answer, requests are refused, as where Redis does not. */
export function askingLimiter(link: Link): Limiter {
  const ask = async (...question: Question): Promise<void> => {
    const wait_s = await link.ask<number | null>('limit', question, limit_ms).catch((cause: unknown) => {
      const unavailable = new AppError('rate_limit_unavailable', { retry_after_s: 5 });
      unavailable.cause = cause;
      throw unavailable;
    });
    if (wait_s !== null) throw new AppError('rate_limited', { retry_after_s: wait_s });
  };
  return {
    take: (group, key) => ask('take', group, key),
    check: (group, key) => ask('check', group, key),
    giveBack: (group, key) => ask('giveBack', group, key),
    forget: (group, key) => ask('forget', group, key),
    ready: () => ask('check', 'read', ''),
    stop: () => Promise.resolve(),
  };
}
