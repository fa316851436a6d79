/** What is due and what was given up, for operators. */
import { ulidBefore } from '../../base/ids.ts';
import { type Clock, days, later } from '../../base/time/clock.ts';
import type { Database, Queryable } from '../../base/pg/index.ts';
import { selectGivenUpCount } from './given-up.sql.ts';
import { type MerchantBacklog, selectBacklog, selectTotalBacklog } from './backlog.sql.ts';

/** The due notifications of all merchants. */
export interface Backlog {
  /** Counted up to `maxCounted` for each merchant. */
  due: number;
  merchants: number;
  /** How long the oldest has been due; whole seconds. */
  oldest_s: number;
}

/** The count of each merchant stops here, so that a long backlog stays cheap to count. */
export const maxCounted = 10_000;

/** Counts what is due now. Events with an attempt under way are leased and not counted. */
export async function totalBacklog({ db, clock }: { db: Database; clock: Clock }): Promise<Backlog> {
  const at = { now: clock.now(), real: clock.real() };
  const { due, merchants, oldest_at } = await selectTotalBacklog(db, at, maxCounted);
  const oldest_ms = oldest_at === null ? 0 : at.now.getTime() - oldest_at.getTime();
  return { due, merchants, oldest_s: Math.floor(oldest_ms / 1_000) };
}

/** The merchants with due notifications, the longest overdue first. */
export function backlogByMerchant(db: Queryable, clock: Clock, limit: number): Promise<MerchantBacklog[]> {
  return selectBacklog(db, { now: clock.now(), real: clock.real() }, { most: maxCounted, limit });
}

/** As long as the records of their attempts are kept. */
const worriesFor_ms = days(90);

/**
 * Counts the notifications that were given up, up to 1000 for each merchant, with the creation time of the oldest. Those of a
 * receiver that is gone for good do not count for ever (D-1374).
 */
export const totalGivenUp = (db: Queryable, now: Date): Promise<{ due: number; oldest_at: Date | null }> =>
  selectGivenUpCount(db, `ne_${ulidBefore(later(now, -worriesFor_ms))}`, 1_000);
