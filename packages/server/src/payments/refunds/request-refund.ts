import { later } from '../../base/time/clock.ts';
import type { Tx } from '../../base/pg/index.ts';
import type { PaymentDeps } from '../engine/index.ts';
import {
  bookRefund,
  conflict,
  demandReachableBuyer,
  lockStandingOrder,
  newRefund,
  type Refund,
  refundEnded,
  insertRefund,
} from '../losses/index.ts';

/**
 * Refunds a paid order in full (R-136, D-075, D-077). PTK goes back at once. A card refund is only stored here;
 * `pursueRefund` requests it from the provider after the commit.
 *
 * @throws AppError `payment_conflict` if the order is not paid, its payment was taken back, a refund is under way,
 *   complaints have already taken a part of it, or the buyer of a PTK payment was erased (D-627)
 */
export async function requestRefund(
  deps: PaymentDeps,
  tx: Tx,
  merchant_id: string,
  order_no: string,
): Promise<Refund> {
  const paid = await lockStandingOrder(deps, tx, merchant_id, order_no);
  // guard: one-refund-at-a-time
  if (paid.refund !== null) throw conflict('A refund of the order is under way.');
  // guard: no-refund-of-what-is-lost-in-part
  if (paid.lost > 0n) throw conflict('A part of the payment has been lost already.');
  await demandReachableBuyer(tx, paid);
  const { attempt } = paid;
  const now = deps.clock.now();
  const refund = newRefund(deps, attempt, 'requested', now);
  if (attempt.provider !== 'ptk') {
    // If this process dies, a worker continues.
    const asked = { ...refund, check_at: later(now, 2 * deps.lease_ms) };
    await tx.write([insertRefund(asked)]);
    return asked;
  }
  const done = refundEnded(refund, 'succeeded', { now, detail: 'in the wallet' });
  await bookRefund(tx, paid, [insertRefund(done)], now);
  return done;
}
