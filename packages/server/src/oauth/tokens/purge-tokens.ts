/**
 * Deletes a batch of expired tokens and other artifacts of the authorization server; returns how many. Several
 * workers may call it at once.
 */
import type { Clock } from '../../base/time/clock.ts';
import type { Database } from '../../base/pg/index.ts';
import { deleteExpiredTokens } from './token.sql.ts';

export function purgeExpiredTokens(deps: { db: Database; clock: Clock }, limit = 1_000): Promise<number> {
  return deleteExpiredTokens(deps.db, deps.clock.real(), limit);
}
