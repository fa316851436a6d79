/** Closes the provider's payment page of an order, so that the buyer can choose another method. */
import type { Tx } from '../../base/pg/index.ts';
import { type Attempt, counts, effectiveState, type Seen, selectAttempts } from '../attempts/index.ts';
import type { Payable, PaymentDeps } from '../engine/index.ts';
import { settle } from '../settling/index.ts';
import { AppError } from '../../base/errors.ts';
import { demandKey } from './demand-key.ts';
import { lookUpSession } from './look-up-session.ts';

/**
 * Closes the open session of an order at the provider and takes its attempt back (D-258): the order then has no method,
 * as after a refusal, and its reserved fee is released. If the session turns out to be paid or under way, that
 * is applied instead. A session that could not be closed is looked up again. If there is no open session,
 * nothing happens.
 *
 * Invariant: the attempt is taken back only after the provider has confirmed that its session is closed and unpaid. So
 * an order never has two sessions that can be paid.
 *
 * @returns false if the provider did not confirm the state of the session: it may still be paid
 * @throws AppError `payment_not_found`
 */
export async function withdrawAttempt(
  deps: PaymentDeps,
  of: Pick<Payable, 'merchant_id' | 'order_no'>,
): Promise<boolean> {
  const attempt = await deps.db.transaction((tx) => openAttemptUnderLock(deps, tx, of));
  if (attempt === null) return true;
  const seen = await lookUpSession(deps, attempt, true);
  await settle(deps, attempt, asWithdrawn(seen));
  return seen.kind !== 'failed_lookup';
}

const asWithdrawn = (seen: Seen): Seen => (seen.kind === 'closed' ? { ...seen, kind: 'withdrawn' } : seen);

/** The attempt whose session can be closed; null if the order waits for none, or its deadline has passed. */
async function openAttemptUnderLock(
  deps: PaymentDeps,
  tx: Tx,
  { merchant_id, order_no }: Pick<Payable, 'merchant_id' | 'order_no'>,
): Promise<Attempt | null> {
  const [order, attempts] = await Promise.all([
    deps.kindOf(order_no).lock(tx, merchant_id, order_no),
    selectAttempts(tx, merchant_id, order_no),
  ]);
  if (order === null) throw new AppError('payment_not_found');
  const attempt = attempts.find(counts);
  if (order.phase !== 'open' || deps.clock.now() >= order.expires_at || attempt === undefined) return null;
  if (effectiveState(attempt, deps.clock.real()) !== 'open') return null;
  // A key that does not open is our own fault, and no answer of the provider (D-199).
  await demandKey(deps, attempt.payment_no);
  return attempt;
}
