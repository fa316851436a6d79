/** Migrations wait briefly for locks, so that requests behind them do not pile up, and try again. */
import { setTimeout } from 'node:timers/promises';
import { sqlState } from '../driver/db-errors.ts';
import { SchemaError } from './schema-error.ts';

export interface LockPatience {
  /** How long a statement may wait for a lock. All requests for its table wait behind it meanwhile. */
  lock_ms: number;
  tries: number;
  pause: (ms: number) => Promise<unknown>;
  /** Gets a line about each try that failed. */
  say: (line: string) => void;
}

/**
 * Together at most about three minutes. A wait is longer than the second after which PostgreSQL ends an autovacuum that is in the
 * way (`deadlock_timeout`), and shorter than a look-up of a request may take, which waits behind it (D-1184).
 */
export const usualPatience = { lock_ms: 1_500, tries: 30, pause: (ms: number) => setTimeout(ms) };

const shortestPause_ms = 500;
const longestPause_ms = 5_000;

/** PostgreSQL's codes: a lock was not available in time, or two transactions waited for each other. */
const lockFailures = new Set(['55P03', '40P01']);

/**
 * Runs `work` again while it fails for a lock. `work` must undo what it has done, so that it holds no lock in a pause.
 *
 * @param what the subject of these lines
 * @throws SchemaError if no try succeeds
 */
export async function retryForLock<T>(
  what: string,
  { lock_ms, tries, pause, say }: LockPatience,
  work: () => Promise<T>,
): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await work();
    } catch (error) {
      if (!lockFailures.has(sqlState(error) ?? '')) throw error;
      if (tried >= tries) {
        throw new SchemaError(
          `${what} did not get a lock in ${tries} tries of ${lock_ms / 1_000} s: end the transactions that hold it (pg_stat_activity lists them), then run "npx paydesk migrate" again.`,
          { cause: error },
        );
      }
      const wait_ms = Math.min(shortestPause_ms * 2 ** (tried - 1), longestPause_ms);
      say(
        `${what} did not get a lock within ${lock_ms / 1_000} s; try ${tried + 1} of ${tries} in ${wait_ms / 1_000} s`,
      );
      await pause(wait_ms);
    }
  }
}
