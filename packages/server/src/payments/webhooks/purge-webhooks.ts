import { type Clock, days, later } from '../../base/time/clock.ts';
import type { Database } from '../../base/pg/index.ts';
import { deleteOldWebhooks } from './webhook.sql.ts';

/** How long the provider's webhooks are kept as they came (D-193). */
const keepFor_ms = days(90);

/** Removes webhooks that were followed up long ago, a batch at a time; says how many. Safe at any time. */
export function purgeOldWebhooks(
  { db, clock }: { db: Database; clock: Clock },
  limit = 1_000,
): Promise<number> {
  return deleteOldWebhooks(db, later(clock.now(), -keepFor_ms), limit);
}
