import pg from 'pg';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLockBudget, type LockWait } from '../../src/base/pg/lock-budget.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const busy = Object.assign(new pg.DatabaseError('the lock is taken', 0, 'error'), { code: '55P03' });
const patience_ms = 7_500;

/** Work that finds its lock taken: at once in the first try, after a second in a later one. */
async function findLocked(wait: LockWait): Promise<never> {
  if (wait === 'long') await new Promise((resolve) => setTimeout(resolve, 1_000));
  throw busy;
}

test('D-1098 work that gets no place for waiting gives up in its time', async () => {
  const retryLocked = createLockBudget(1, patience_ms);
  const started = performance.now();
  const took: number[] = [];
  const crowd = Array.from({ length: 40 }, () =>
    retryLocked(findLocked).catch((error: unknown) => {
      expect(error).toBe(busy);
      took.push(performance.now() - started);
    }),
  );
  await vi.runAllTimersAsync();
  await Promise.all(crowd);
  expect(took).toHaveLength(40);
  // The one that has a place then ends its try.
  expect(Math.max(...took)).toBeLessThanOrEqual(patience_ms + 1_000);
});

test('D-1098 a place that is given back goes to the next, and nobody who gave up takes one', async () => {
  const retryLocked = createLockBudget(1, patience_ms);
  const crowd = Array.from({ length: 3 }, () => retryLocked(findLocked).catch(() => 'gave up'));
  await vi.runAllTimersAsync();
  expect(await Promise.all(crowd)).toEqual(['gave up', 'gave up', 'gave up']);
  const tries: LockWait[] = [];
  const later = retryLocked((wait) => {
    tries.push(wait);
    return tries.length === 1 ? Promise.reject(busy) : Promise.resolve(wait);
  });
  await vi.runAllTimersAsync();
  expect(await later).toBe('long');
});
