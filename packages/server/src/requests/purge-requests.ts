/** Deletes old requests. */
import { type Clock, days, later } from '../base/time/clock.ts';
import type { Database } from '../base/pg/index.ts';
import { ulidBefore } from '../base/ids.ts';
import { deleteRequests, selectSurplus } from './request.sql.ts';

const kept_ms = days(7);
/** Maximum number of requests that are kept for each merchant. */
const maxKept = 20_000;

/**
 * Deletes a batch of each merchant's requests that are old or too many; returns how many. Several workers may call it
 * at once.
 */
export async function purgeOldRequests(
  { db, clock }: { db: Database; clock: Clock },
  { most = maxKept, limit = 1_000 }: { most?: number; limit?: number } = {},
): Promise<number> {
  const before = ulidBefore(later(clock.now(), -kept_ms));
  let gone = 0;
  for (const { merchant_id, latest } of await selectSurplus(db, { before, most }, 100)) {
    gone += await deleteRequests(db, merchant_id, latest, limit);
  }
  return gone;
}
