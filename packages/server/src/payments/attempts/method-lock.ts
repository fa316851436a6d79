/** The lock that an attempt puts on its order: the method of an order with such an attempt is fixed. */
import { isProvedAbsent } from './proof-of-absence.ts';
import type { Attempt } from './attempt.ts';

/**
 * Whether an attempt locks the order's method: a start with another one is then refused (D-096). Every state but
 * `rejected` does, however long it lasts and whatever the provider fails to say, and also after an
 * asynchronous payment has failed (D-102). Such an order goes to review at its deadline (D-090).
 */
export const counts = (attempt: Pick<Attempt, 'state'>): boolean => attempt.state !== 'rejected';

/**
 * Whether a refusal unlocks the method, so that none is selected again (D-044), because it proves that no session exists: a refusal of the first request does
 * and of a retry only one that `isProvedAbsent`.
 */
export const isUnlockedByRefusal = (before: Attempt, seen: { absent_since?: Date }): boolean =>
  /* guard: only-a-first-refusal-unlocks = true */ (before.state === 'creating' &&
    before.unclear_since === null) ||
  isProvedAbsent(before, seen);
