import type { Clock } from '../../base/time/clock.ts';
import type { Database, Queryable } from '../../base/pg/index.ts';
import { selectGivenUpCount } from './given-up.sql.ts';
import { type MerchantBacklog, selectBacklog, selectTotalBacklog } from './backlog.sql.ts';

/** What is due and not attempted yet, over all merchants. */
export interface Backlog {
  /** At most `mostCounted` of each merchant are counted. */
  due: number;
  merchants: number;
  /** Whole seconds. */
  oldest_s: number;
}

/** Of one merchant so many are counted, so that a long backlog does not make the figure dear. */
export const mostCounted = 10_000;

/** What is due now. An attempt under way is not: it is leased. */
export async function totalBacklog({ db, clock }: { db: Database; clock: Clock }): Promise<Backlog> {
  const at = { now: clock.now(), real: clock.real() };
  const { due, merchants, oldest_at } = await selectTotalBacklog(db, at, mostCounted);
  const oldest_ms = oldest_at === null ? 0 : at.now.getTime() - oldest_at.getTime();
  return { due, merchants, oldest_s: Math.floor(oldest_ms / 1_000) };
}

/** The merchants with due notifications, the one that waits longest first. */
export function backlogByMerchant(db: Queryable, clock: Clock, limit: number): Promise<MerchantBacklog[]> {
  return selectBacklog(db, { now: clock.now(), real: clock.real() }, { most: mostCounted, limit });
}

/** Notifications of all merchants that were given up, at most 1000 of each, and when the oldest was written. */
export const failedTotal = (db: Queryable): Promise<{ due: number; oldest_at: Date | null }> =>
  selectGivenUpCount(db, 1_000);
