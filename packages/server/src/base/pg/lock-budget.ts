/** How long work waits for locks, and how many connections may wait for one at once. */
import { isLockBusy } from './driver/db-errors.ts';

/** How long one try waits for each lock: `short` as the connection is set, `long` in one of the places for waiting. */
export type LockWait = 'short' | 'long';

/** Runs work again, as a whole, while it finds a lock taken. */
export type RetryLocked = <T>(attempt: (wait: LockWait) => Promise<T>) => Promise<T>;

/**
 * The budget for waiting: the first try of any work waits for a lock only briefly. Further tries wait longer, but only in
 * a few places, so that most connections of the pool are never held by work that waits for a lock. Work that has tried
 * less often takes its place first.
 *
 * @param places number of tries that may wait long at once: below the number of connections
 * @param patience_ms after this time the last error stands, also for work that still waits for a place (D-1098)
 */
export function createLockBudget(places: number, patience_ms: number): RetryLocked {
  let free = places;
  const waiting: { tries: number; enter: () => void }[] = [];

  /** Takes a place; false: none was free in this time. */
  const enter = async (tries: number, wait_ms: number): Promise<boolean> => {
    if (free > 0) {
      free -= 1;
      return true;
    }
    return new Promise((resolve) => {
      const own = {
        tries,
        enter: () => {
          clearTimeout(timer);
          resolve(true);
        },
      };
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(own), 1);
        resolve(false);
      }, wait_ms);
      const behind = waiting.findIndex((other) => other.tries > tries);
      waiting.splice(behind === -1 ? waiting.length : behind, 0, own);
    });
  };
  const leave = (): void => {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next.enter();
  };

  return async (attempt) => {
    const giveUpAt = performance.now() + patience_ms;
    const left_ms = (): number => giveUpAt - performance.now();
    for (let tries = 0, failure: unknown; ; tries++) {
      if (tries > 0 && !(await enter(tries, left_ms()))) throw failure;
      try {
        return await attempt(tries === 0 ? 'short' : 'long');
      } catch (error) {
        if (!isLockBusy(error) || left_ms() <= 0) throw error;
        failure = error;
      } finally {
        if (tries > 0) leave();
      }
    }
  };
}
