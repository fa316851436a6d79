/** One pass over all due notifications. */
import { merchantsWithDueWork } from './due.sql.ts';
import type { Delivery, DeliveryDeps } from './start-deliveries.ts';

/** Merchants in one query. */
const pageSize = 1_000;
const firstId = '00000000-0000-0000-0000-000000000000';

/** All merchants with due notifications, read page by page. */
export async function* merchantsDue(
  { db, clock }: Pick<DeliveryDeps, 'db' | 'clock'>,
  due_by: Date,
): AsyncGenerator<string> {
  let after = firstId;
  for (;;) {
    const at = { now: due_by, real: clock.real() };
    const merchants = await merchantsWithDueWork(db, { at, after, limit: pageSize });
    yield* merchants;
    const last = merchants.at(-1);
    if (last === undefined || merchants.length < pageSize) return;
    after = last;
  }
}

/**
 * Makes an attempt for each event that is due now, at most `limit`, and waits until every result is stored. Workers and
 * other passes may run at the same time.
 *
 * @returns the number of attempts
 */
export async function runPass(
  delivery: Delivery,
  deps: Pick<DeliveryDeps, 'db' | 'clock'>,
  { limit }: { limit: number },
): Promise<number> {
  const due_by = deps.clock.now();
  const running = new Set<Promise<void>>();
  let made = 0;
  while (made < limit) {
    let begun = 0;
    for await (const merchant_id of merchantsDue(deps, due_by)) {
      const { attempts } = await delivery.start(merchant_id, limit - made, due_by);
      for (const attempt of attempts) {
        running.add(attempt);
        void attempt.finally(() => running.delete(attempt));
      }
      begun += attempts.length;
      made += attempts.length;
      if (made >= limit) break;
    }
    if (begun > 0) continue;
    if (running.size === 0) break;
    // The events that are still due wait for a place.
    await Promise.race(running);
  }
  await Promise.all(running);
  return made;
}
