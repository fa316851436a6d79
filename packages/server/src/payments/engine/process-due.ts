import type { Tx } from '../../base/pg/index.ts';
import type { PaymentDeps } from './deps.ts';

/** What is due in the books of many merchants, and how to carry it on. */
export interface DueItems<T> {
  merchants: readonly string[];
  /** Takes some of a merchant's, put off so that no one else takes it. */
  claim: (tx: Tx, merchant_id: string, now: Date) => Promise<T[]>;
  handle: (item: T) => Promise<unknown>;
  /** What to log where that fails, and of what. */
  failure: string;
  idsOf: (item: T) => Record<string, string>;
}

/**
 * Takes up what is due, merchant by merchant, and waits for the end of all of it together: one that hangs or cannot
 * be carried on holds back no other. What failed is due again when its claim ends.
 *
 * @returns how many were taken up
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
