import { counts, selectAttempts } from '../attempts/index.ts';
import type { PaymentDeps, Payable } from '../engine/index.ts';

/**
 * Moves one order, under its lock, if its deadline has passed (T2, T3): to expired, or to review if an attempt counts.
 * Does not ask the provider (D-089). The deadline is never extended.
 *
 * @returns whether the order moved
 */
export function passDeadline(
  { db, clock, kindOf }: Pick<PaymentDeps, 'db' | 'clock' | 'kindOf'>,
  { merchant_id, order_no }: Pick<Payable, 'merchant_id' | 'order_no'>,
): Promise<boolean> {
  const kind = kindOf(order_no);
  return db.transaction(async (tx) => {
    const [order, attempts] = await Promise.all([
      kind.lock(tx, merchant_id, order_no),
      selectAttempts(tx, merchant_id, order_no),
    ]);
    if (order === null) return false;
    const writes = kind.moveAtDeadline(order, attempts.some(counts), clock.now());
    if (writes === null) return false;
    await tx.finish(writes);
    return true;
  });
}
