import { type Clock, days, later } from '../../base/time/clock.ts';
import type { Database } from '../../base/pg/index.ts';
import { deleteOldAttempts, selectMerchantsWithOldAttempts } from './delivery-attempt.sql.ts';

/** How long the single attempts at a delivery are kept (D-193). Events and what became of them stay. */
const kept_ms = days(90);

/** Removes old attempts, merchant by merchant and a batch at a time; says how many. Safe at any time. */
export async function purgeOldAttempts(
  { db, clock }: { db: Database; clock: Clock },
  limit = 1_000,
): Promise<number> {
  const before = later(clock.now(), -kept_ms);
  let gone = 0;
  for (const merchant_id of await selectMerchantsWithOldAttempts(db, before, 100)) {
    gone += await deleteOldAttempts(db, merchant_id, before, limit);
  }
  return gone;
}
