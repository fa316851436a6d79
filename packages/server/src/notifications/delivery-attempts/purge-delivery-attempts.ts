/** Deletes old delivery attempts. */
import { type Clock, days, later } from '../../base/time/clock.ts';
import type { Database } from '../../base/pg/index.ts';
import { deleteForgottenReceivers } from '../receivers/index.ts';
import { deleteOldDeliveryAttempts, selectMerchantsWithOldDeliveryAttempts } from './delivery-attempt.sql.ts';

/** How long delivery attempts, and receivers that are no longer tried, are kept (D-193). Events and their status stay. */
const kept_ms = days(90);

/** Deletes a batch of old attempts for each merchant; returns how many. Several workers may call it at once. */
export async function purgeOldDeliveryAttempts(
  { db, clock }: { db: Database; clock: Clock },
  limit = 1_000,
): Promise<number> {
  const before = later(clock.now(), -kept_ms);
  let gone = 0;
  for (const merchant_id of await selectMerchantsWithOldDeliveryAttempts(db, before, 100)) {
    gone += await deleteOldDeliveryAttempts(db, merchant_id, before, limit);
    gone += await deleteForgottenReceivers(db, merchant_id, before);
  }
  return gone;
}
