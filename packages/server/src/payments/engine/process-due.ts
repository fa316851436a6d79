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

/**
 * Claims due items, merchant by merchant, handles them at the same time, and waits for all of them. An item that hangs or
 * fails does not stop the others. An item that fails is due again when its claim ends.
 *
 * @returns number of items handled
 */
export async function processDue<T>(
  { db, clock, log }: Pick<PaymentDeps, 'db' | 'clock' | 'log'>,
  { rows, books, limit, claim_ms, handle, failure, idsOf }: DueItems<T>,
): Promise<number> {
  const running: Promise<void>[] = [];
  for (const merchant_id of books ?? (await selectMerchantsWithDue(db, rows, clock.now(), limit))) {
    const due = await db.transaction((tx) => {
      const now = clock.now();
      return claimDue<T>(tx, rows, { merchant_id, now, until: later(now, claim_ms), limit });
    });
    running.push(
      ...due.map(async (item) => {
        try {
          await handle(item);
        } catch (err) {
          log.error({ err, ...idsOf(item) }, failure);
        }
      }),
    );
  }
  await Promise.all(running);
  return running.length;
}
