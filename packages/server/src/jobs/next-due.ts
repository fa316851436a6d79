/** When the next work of any kind is due, so that background work may rest until then (D-420). */
import type { Queryable } from '../base/pg/index.ts';
import { selectNextOfMerchants, selectNextOfPlatform } from './next-due.sql.ts';

export { countShards } from './next-due.sql.ts';

/**
 * When the next work of any kind is due, or was; null if nothing waits.
 *
 * @param mails whether mails are sent; else waiting mails do not count as work
 */
export async function findNextDue(db: Queryable, mails: boolean): Promise<Date | null> {
  const all = await Promise.all([selectNextOfMerchants(db), selectNextOfPlatform(db, mails)]);
  return all.reduce((first, at) => (first === null || (at !== null && at < first) ? at : first), null);
}
