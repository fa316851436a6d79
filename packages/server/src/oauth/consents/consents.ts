import type { Database } from '../../base/pg/index.ts';
import type { LiveCache } from '../../base/live/live-cache.ts';
import { deleteConsent } from './consent.sql.ts';

/**
 * Takes back what a person let a client do, with every code and token that came of it; other processes refuse those
 * within a second (D-169).
 *
 * @returns whether there was a consent
 */
export async function revokeConsent(
  { db, cache }: { db: Database; cache: LiveCache },
  user_id: string,
  client_id: string,
): Promise<boolean> {
  const done = await db.transaction(async (tx) => {
    const gone = await deleteConsent(tx, user_id, client_id);
    await cache.announce(tx);
    return gone;
  });
  cache.clear();
  return done;
}
