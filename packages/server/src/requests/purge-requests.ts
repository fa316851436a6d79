import { type Clock, days, later } from '../base/time/clock.ts';
import type { Database } from '../base/pg/index.ts';
import { ulidBefore } from '../base/ids.ts';
import { deleteRequests, selectSurplus } from './request.sql.ts';

/** How long requests are kept. */
const kept_ms = days(7);
/** How many of each merchant are kept at most. */
const mostKept = 20_000;

/** Removes requests that are old, or too many of one merchant, a batch at a time; says how many. Safe at any time. */
export async function purgeOldRequests(
  { db, clock }: { db: Database; clock: Clock },
  { most = mostKept, limit = 1_000 }: { most?: number; limit?: number } = {},
): Promise<number> {
  const before = ulidBefore(later(clock.now(), -kept_ms));
  let gone = 0;
  for (const { merchant_id, latest } of await selectSurplus(db, { before, most }, 100)) {
    gone += await deleteRequests(db, merchant_id, latest, limit);
  }
  return gone;
}
