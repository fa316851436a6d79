import { merchantsWithDueWork } from './due.sql.ts';
import { type Delivery, type DeliveryDeps, openDelivery } from './delivery.ts';

/** Merchants asked for in one query. */
const page = 1_000;
const first = '00000000-0000-0000-0000-000000000000';

/** All merchants that have due work, asked for page by page. */
export async function* merchantsDue(
  { db, clock }: Pick<DeliveryDeps, 'db' | 'clock'>,
  due_by: Date,
): AsyncGenerator<string> {
  let after = first;
  for (;;) {
    const at = { now: due_by, real: clock.real() };
    const merchants = await merchantsWithDueWork(db, { at, after, limit: page });
    yield* merchants;
    const last = merchants.at(-1);
    if (last === undefined || merchants.length < page) return;
    after = last;
  }
}

/**
 * One pass: attempts what is due now, at most `limit` events, and waits until every result is stored. Safe beside
 * running workers and other passes.
 *
 * @returns how many attempts were made
 */
export async function onePass(
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
    // Whatever is still due waits for a place.
    await Promise.race(running);
  }
  await Promise.all(running);
  return made;
}

/** One pass with connections of its own. */
export async function deliverDue(deps: DeliveryDeps, options: { limit: number }): Promise<number> {
  const delivery = openDelivery(deps);
  try {
    return await onePass(delivery, deps, options);
  } finally {
    await delivery.close();
  }
}
