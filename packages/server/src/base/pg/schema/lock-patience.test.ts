import { expect, test } from 'vitest';
import { usualLimits } from '../time-limits.ts';
import { usualPatience } from './lock-patience.ts';

/** PostgreSQL's default of `deadlock_timeout`: after this wait, an autovacuum that holds the lock is ended. */
const autovacuumEnds_ms = 1_000;

test('D-1184 a migration waits for a lock until an autovacuum has ended, and a request behind it is answered', () => {
  expect(usualPatience.lock_ms).toBeGreaterThan(autovacuumEnds_ms);
  expect(usualPatience.lock_ms).toBeLessThan(usualLimits.lookup_timeout_ms);
});
