/** Deletes old requests. */
import { type Clock, days, later } from '../base/time/clock.ts';
import type { Database } from '../base/pg/index.ts';
import { lowestUuid, ulidBefore } from '../base/ids.ts';
import { deleteRequests, selectMerchantIds, selectSurplus } from './request.sql.ts';

const kept_ms = days(7);
/** Maximum number of requests that are kept for each merchant. */
const maxKept = 20_000;
/** Merchants of one statement, which counts up to `maxKept` requests of each (D-1227). */
const pageSize = 20;

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
  for (let after: string | undefined = lowestUuid; after !== undefined;) {
    const page: string[] = await selectMerchantIds(db, after, pageSize);
    for (const { merchant_id, latest } of await selectSurplus(db, { before, most, kept }, page)) {
      let batch = limit;
      while (batch === limit) {
        batch = await deleteRequests(db, merchant_id, latest, limit);
        gone += batch;
      }
    }
    after = page.at(-1);
  }
  return gone;
}
