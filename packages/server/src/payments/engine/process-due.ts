/** Runs due work of many merchants, so that one failure does not stop the rest. */
import { later, seconds } from '../../base/time/clock.ts';
import type { PaymentDeps } from './deps.ts';
import { claimDue, type DueRows, selectMerchantsWithDue } from './due-rows.sql.ts';

/** Due items of many merchants, and how to handle one. */
export interface DueItems<T> {
  rows: DueRows;
  /** The merchants with due items where the platform may have some too; absent: merchants are looked up. */
  books?: readonly string[];
  /** Maximum number of merchants, and of items of each, in a pass. */
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

/** Items of a merchant in its turn, so that one whose provider is slow does not take all places (D-1185). */
const turn = 10;

/** A pass claims items for this time, so that it ends soon also where a provider is slow (D-1185). */
const claims_ms = seconds(10);

/**
 * Claims due items of the merchants in turn, handles some of them at the same time (D-1115), and waits for all of them. An item that
 * hangs or fails does not stop the others. An item is claimed when there is room for it, for ten seconds: the next pass goes on
 * (D-1185). One that fails is due again when its claim ends.
 *
 * @returns number of items handled
 */
export async function processDue<T>(
  { db, clock, log }: Pick<PaymentDeps, 'db' | 'clock' | 'log'>,
  { rows, books, limit, claim_ms, handle, failure, idsOf }: DueItems<T>,
): Promise<number> {
  const ends_ms = performance.now() + claims_ms;
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
  const merchants = books ?? (await selectMerchantsWithDue(db, rows, clock.now(), limit));
  const left = new Map(merchants.map((merchant_id) => [merchant_id, limit]));
  let handled = 0;
  while (left.size > 0 && performance.now() < ends_ms) {
    for (const [merchant_id, more] of left) {
      while (running.size > mostAtOnce - turn) await Promise.race(running);
      if (performance.now() >= ends_ms) break;
      const most = Math.min(more, turn);
      const due = await claim(merchant_id, most);
      for (const item of due) {
        const run = handleOrLog(item).finally(() => running.delete(run));
        running.add(run);
      }
      handled += due.length;
      if (due.length < most || most === more) left.delete(merchant_id);
      else left.set(merchant_id, more - most);
    }
  }
  await Promise.all(running);
  return handled;
}
