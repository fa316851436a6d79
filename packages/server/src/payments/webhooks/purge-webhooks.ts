import { type Clock, days, later } from '../../base/time/clock.ts';
import type { Database } from '../../base/pg/index.ts';
import { deleteOldWebhooks } from './webhook.sql.ts';

/** How long the bodies of webhooks are kept (D-193). */
const keepFor_ms = days(90);

/** Maximum number of webhooks in one batch. */
const purgeBatch = 1_000;

/** Removes one batch of old, processed webhooks. Returns how many. Safe at any time. */
export function purgeOldWebhooks({ db, clock }: { db: Database; clock: Clock }): Promise<number> {
  return deleteOldWebhooks(db, later(clock.now(), -keepFor_ms), purgeBatch);
}
