/** Pays an order in PTK as it was read, without a lock. */
import { later, minutes } from '../../base/time/clock.ts';
import { checkAccess, type Method, nextSeq, selectMethod } from '../attempts/index.ts';
import type { Payable, PaymentDeps } from '../engine/index.ts';
import { ptkPaymentWrites } from '../settling/index.ts';
import type { OwnPayment, StartInput } from './start-under-lock.ts';

/** An order and the chosen method as they were read without a lock. They can be outdated. */
export interface OrderSnapshot {
  order: Payable;
  /** Null if the order has no such method. */
  method: Method | null;
}

/** Reads the chosen method for an `OrderSnapshot`. Call it together with the read of the order. */
export const readMethod = (
  { db }: Pick<PaymentDeps, 'db'>,
  { merchant_id, order_no, method_id }: Omit<StartInput, 'user_id'>,
): Promise<Method | null> => selectMethod(db.lookups, merchant_id, order_no, method_id);

/**
 * Pays an order in PTK without locking it first (D-198). The writes check that the order is still as it was read, and
 * do not wait for a lock.
 *
 * @returns false if nothing has happened: the caller decides again under the locks
 */
export async function payFromSnapshot(
  deps: PaymentDeps,
  { order, method }: OrderSnapshot,
  user_id: string | null,
  own: OwnPayment,
): Promise<boolean> {
  const kind = deps.kindOf(order.order_no);
  const now = deps.clock.now();
  if (user_id === null || method?.quote.provider !== 'ptk' || method.tried) return false;
  if (order.phase !== 'open' || kind.moveAtDeadline(order, false, now) !== null) return false;
  checkAccess(method.channel, method.merchant, user_id);
  // Close to the deadline only the lock can tell which comes first.
  if (later(now, decidedUnderLock_ms) >= order.expires_at) return false;
  const { attempt_id } = own;
  const payment = { kind, order, quote: method.quote, seq: nextSeq([]), attempt_id, user_id, now };
  own.sent = true;
  return deps.db.finish(...ptkPaymentWrites(payment));
}

/** Longer than a payment can take that does not wait for locks. */
const decidedUnderLock_ms = minutes(1);
