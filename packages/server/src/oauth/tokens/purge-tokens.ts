import type { Clock } from '../../base/time/clock.ts';
import type { Database } from '../../base/pg/index.ts';
import { deleteExpired } from './token.sql.ts';

/** Removes tokens and other artifacts whose time is over, a batch at a time; says how many. Safe at any time. */
export function purgeExpiredTokens(deps: { db: Database; clock: Clock }, limit = 1_000): Promise<number> {
  return deleteExpired(deps.db, deps.clock.real(), limit);
}
