/** Runs due work of many merchants, so that one failure does not stop the rest. */
import { later } from '../../base/time/clock.ts';
import type { PaymentDeps } from './deps.ts';
import { claimDue, type DueRows, selectMerchantsWithDue } from './due-rows.sql.ts';

/** Due items of many merchants, and how to handle one. */
export interface DueItems<T> {
  rows: DueRows;
  /** The merchants with due items where the platform may have some too; absent: merchants are looked up. */
  books?: readonly string[];
  /** Maximum number of merchants, and of items of each. */
  limit: number;
  /** No other worker takes an item for this time after it was claimed. */
  claim_ms: number;
  handle: (item: T) => Promise<unknown>;
  /** Log line for an item that fails. */
  failure: string;
  idsOf: (item: T) => Record<string, string>;
}

/** Maximum number of items that are handled at once. After an outage all are due, and their calls share the pool with requests. */
const mostAtOnce = 100;

/**
 * Claims due items, merchant by merchant, handles some of them at the same time (D-1115), and waits for all of them. An item that
 * hangs or fails does not stop the others. An item is claimed when there is room for it. One that fails is due again when its claim
 * ends.
 *
 * @returns number of items handled
 */
export async function processDue<T>(
  { db, clock, log }: Pick<PaymentDeps, 'db' | 'clock' | 'log'>,
  { rows, books, limit, claim_ms, handle, failure, idsOf }: DueItems<T>,
): Promise<number> {
  const running = new Set<Promise<void>>();
  const claim = (merchant_id: string, most: number): Promise<T[]> =>
    db.transaction((tx) => {
      const now = clock.now();
      return claimDue<T>(tx, rows, { merchant_id, now, until: later(now, claim_ms), limit: most });
    });
  const handleOrLog = async (item: T): Promise<void> => {
    try {
      await handle(item);
    } catch (err) {
      log.error({ err, ...idsOf(item) }, failure);
    }
  };
  let handled = 0;
  for (const merchant_id of books ?? (await selectMerchantsWithDue(db, rows, clock.now(), limit))) {
    for (let left = limit; left > 0;) {
      while (running.size > mostAtOnce / 2) await Promise.race(running);
      const most = Math.min(left, mostAtOnce - running.size);
      const due = await claim(merchant_id, most);
      for (const item of due) {
        const run = handleOrLog(item).finally(() => running.delete(run));
        running.add(run);
      }
      handled += due.length;
      left = due.length < most ? 0 : left - most;
    }
  }
  await Promise.all(running);
  return handled;
}
