/** Deletes old requests. */
import { type Clock, days, later } from '../base/time/clock.ts';
import type { Database } from '../base/pg/index.ts';
import { ulidBefore } from '../base/ids.ts';
import { deleteRequests, selectSurplus } from './request.sql.ts';

const kept_ms = days(7);
/** Maximum number of requests that are kept for each merchant. */
const maxKept = 20_000;

/**
 * Deletes each merchant's requests that are old, and the oldest of a merchant that has too many; returns how many. Several
 * workers may call it at once.
 *
 * Invariant: a merchant with too many requests keeps 90 % of the limit (D-396). So a merchant whose requests never end is
 * not found at every call, and workers that continue until no work remains come to rest.
 */
export async function purgeOldRequests(
  { db, clock }: { db: Database; clock: Clock },
  { most = maxKept, limit = 1_000 }: { most?: number; limit?: number } = {},
): Promise<number> {
  const before = ulidBefore(later(clock.now(), -kept_ms));
  const kept = Math.floor(most * 0.9);
  let gone = 0;
  for (const { merchant_id, latest } of await selectSurplus(db, { before, most, kept }, 100)) {
    let batch = limit;
    while (batch === limit) {
      batch = await deleteRequests(db, merchant_id, latest, limit);
      gone += batch;
    }
  }
  return gone;
}
