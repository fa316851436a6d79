import { counts, selectAttempts } from '../attempts/index.ts';
import type { PaymentDeps, Payable } from '../engine/index.ts';

/**
 * Moves one order, under its lock, if its deadline has passed by the time that is read there (T2, T3, R-196), once, however
 * many processes try: to expired, or to review if an attempt counts (D-090), also one whose creation is
 * unclear or whose session does not match (D-105). The result of the attempt is a second move (D-088). Does
 * not ask the provider (D-089). The deadline is never extended.
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
    // An order that is in review stays there, however much time passes.
    if (writes === null) return false;
    await tx.finish(writes);
    return true;
  });
}
