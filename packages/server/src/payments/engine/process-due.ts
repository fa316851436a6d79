/** Runs due work of many merchants, so that one failure does not stop the rest. */
import type { Tx } from '../../base/pg/index.ts';
import type { PaymentDeps } from './deps.ts';

/** Due items of many merchants, and how to handle one. */
export interface DueItems<T> {
  merchants: readonly string[];
  /** Claims items of a merchant, so that no other worker takes them. */
  claim: (tx: Tx, merchant_id: string, now: Date) => Promise<T[]>;
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
  deps: Pick<PaymentDeps, 'db' | 'clock' | 'log'>,
  { merchants, claim, handle, failure, idsOf }: DueItems<T>,
): Promise<number> {
  const running: Promise<void>[] = [];
  for (const merchant_id of merchants) {
    const due = await deps.db.transaction((tx) => claim(tx, merchant_id, deps.clock.now()));
    running.push(
      ...due.map(async (item) => {
        try {
          await handle(item);
        } catch (err) {
          deps.log.error({ err, ...idsOf(item) }, failure);
        }
      }),
    );
  }
  await Promise.all(running);
  return running.length;
}
