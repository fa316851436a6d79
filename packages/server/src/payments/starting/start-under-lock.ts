/** Decides the next step of a payment under the order's lock: pays in PTK, begins a card attempt, or resumes one. */
import { isSessionOf } from '../../identity/sessions/index.ts';
import { lockAvailable, lockFreeWallet, lockWallet } from '../../ledger/books/index.ts';
import type { Tx } from '../../base/pg/index.ts';
import {
  type Attempt,
  checkAccess,
  counts,
  effectiveState,
  type Method,
  nextSeq,
  selectAttempts,
  selectBuyer,
  selectMethod,
} from '../attempts/index.ts';
import type { Payable, PaymentDeps } from '../engine/index.ts';
import { totalOf } from '../quotes/index.ts';
import { ptkPaymentWrites } from '../settling/index.ts';
import { AppError, InvariantError } from '../../base/errors.ts';
import { beginCardAttempt } from './begin-card-attempt.ts';
import { claimRetry, demandKey } from '../card/index.ts';
import type { StartResult } from './start-result.ts';

export interface StartInput {
  merchant_id: string;
  order_no: string;
  method_id: string;
  /** The signed-in buyer; null for a guest. */
  user_id: string | null;
  /** The hash of the session that names the buyer; absent where an app does. */
  session_hash?: Buffer | null;
  /** The language of the buyer's page, which the provider's page takes over (D-261). */
  locale?: string;
  /**
   * Called in the transaction of a PTK payment before anything is booked, under all its locks. It may take further
   * locks and write; what it throws refuses the payment.
   */
  beforePtk?: (tx: Tx, payment: { order_no: string; amount: bigint; now: Date }) => Promise<void>;
}

/** A PTK payment that a request makes. */
export interface OwnPayment {
  attempt_id: string;
  /** Whether its writes were sent, so that a lost answer leaves open whether the buyer has paid. */
  sent: boolean;
}

/** The next step, decided under the order's lock. */
export type StartStep =
  | StartResult
  | { kind: 'refuse'; error: AppError }
  /** Another request is asking the provider. */
  | { kind: 'wait' }
  /** This request holds the attempt and must ask the provider. */
  | { kind: 'ask'; attempt: Attempt };

/**
 * Locks the order, then pays, begins or resumes, by values that are read after the locks (D-198). It checks again in
 * the order of every start: state and deadline, method, lock, and the rest (D-097). A refusal comes before an attempt is
 * stored, so it leaves neither an attempt nor a lock (D-125). A paid order is a conflict, so a second start in PTK
 * never debits again. After the deadline the order moves instead. An attempt that counts locks its method:
 * another is a conflict, and one that is not the order's is 422 (R-200, R-211, D-096). Only a definite refusal ends that
 * lock, never a time-out.
 */
export async function startUnderLock(
  deps: PaymentDeps,
  tx: Tx,
  input: StartInput,
  own: OwnPayment,
): Promise<StartStep> {
  const { merchant_id, order_no, method_id, user_id } = input;
  const kind = deps.kindOf(order_no);
  // Sent together, and run one after the other: everything is read after the lock was granted.
  const [order, attempts, known, buyer] = await Promise.all([
    kind.lock(tx, merchant_id, order_no),
    selectAttempts(tx, merchant_id, order_no),
    selectMethod(tx, merchant_id, order_no, method_id),
    user_id === null ? null : selectBuyer(tx, user_id),
  ]);
  if (order === null) throw new AppError('payment_not_found');
  const paysNow = known?.quote.provider === 'ptk' && user_id !== null && order.phase === 'open';
  const [method, isSignedIn] = paysNow
    ? await Promise.all([lockFunds(tx, order, { ...input, user_id }), isStillSignedIn(tx, input)])
    : [known, true];
  // After the last lock: what is decided now holds until the commit (R-196, D-024, D-169).
  const now = deps.clock.now();
  if (order.phase === 'settled') {
    // The answer to this request's own payment was lost.
    if (attempts.some(({ attempt_id }) => attempt_id === own.attempt_id)) return { kind: 'paid' };
    throw new AppError('payment_conflict');
  }
  const attempt = attempts.find(/* guard: one-attempt-at-a-time = () => false */ counts);

  const overdue = /* guard: deadline-before-payment = null */ kind.moveAtDeadline(
    order,
    attempt !== undefined,
    now,
  );
  if (overdue !== null) {
    await tx.write(overdue);
    return { kind: 'refuse', error: new AppError('payment_expired') };
  }
  // guard: only-open-orders-paid
  if (order.phase !== 'open') throw new AppError('payment_expired');

  if (method === null) throw new AppError('channel_unavailable');
  if (attempt !== undefined && attempt.method_id !== method_id) throw new AppError('payment_conflict');
  if ((buyer !== null && buyer.disabled_at !== null) || !isSignedIn) throw new AppError('login_required');
  // At each start and each resume (R-172, D-130): sign-in, grant, merchant (D-098), channel, and
  // the merchant's owners (R-214, D-085, D-197).
  checkAccess(method.channel, method.merchant, user_id);

  if (attempt !== undefined) return resumeAttempt(deps, tx, order, attempt);
  const { quote } = method;
  if (quote.provider === 'ptk') {
    if (user_id === null) throw new InvariantError('a PTK payment without a buyer');
    const { attempt_id } = own;
    const payment = { kind, order, quote, seq: nextSeq(attempts), attempt_id, user_id, now };
    await input.beforePtk?.(tx, { order_no, amount: totalOf(quote), now });
    own.sent = true;
    await tx.finish(...ptkPaymentWrites(payment));
    return { kind: 'paid' };
  }
  const channel = await demandKey(deps, quote.payment_no);
  const { locale } = input;
  const begin = { kind, order, quote, attempts, user_id, channel, locale, now };
  return { kind: 'ask', attempt: await beginCardAttempt(deps, tx, begin) };
}

/** A wallet pays nothing by a session that has ended while the payment waited for its locks (D-1102). */
const isStillSignedIn = async (tx: Tx, { user_id, session_hash }: StartInput): Promise<boolean> =>
  user_id === null || session_hash == null || isSessionOf(tx, user_id, session_hash);

/**
 * Takes the other locks of a PTK payment, the merchant's balance before the buyer's wallet, and reads the method again
 * under them. Held funds have a separate balance, so only an order without hold changes a shared one. That
 * balance is not held while the wallet is taken: other buyers' payments would wait for this one.
 */
async function lockFunds(
  tx: Tx,
  { merchant_id, order_no, hold_days }: Payable,
  { method_id, user_id }: StartInput & { user_id: string },
): Promise<Method | null> {
  const isShared = hold_days === 0;
  const [, , method] = await Promise.all([
    isShared ? lockAvailable(tx, merchant_id) : null,
    isShared ? lockFreeWallet(tx, user_id) : lockWallet(tx, user_id),
    selectMethod(tx, merchant_id, order_no, method_id),
  ]);
  return method;
}

/**
 * The same method again, such as a refresh, a double click or a second tab: uses the existing attempt (R-201, D-095).
 */
async function resumeAttempt(
  deps: PaymentDeps,
  tx: Tx,
  order: Payable,
  attempt: Attempt,
): Promise<StartStep> {
  switch (effectiveState(attempt, deps.clock.real())) {
    case 'open':
      if (attempt.session_url === null) throw new InvariantError('an open session without an address');
      return { kind: 'redirect', redirect_url: attempt.session_url };
    case 'creating':
      return { kind: 'wait' };
    case 'unknown':
      if (attempt.lease_until !== null && attempt.lease_until > deps.clock.real()) return { kind: 'wait' };
      await demandKey(deps, attempt.payment_no);
      return { kind: 'ask', attempt: await claimRetry(deps, tx, attempt) };
    case 'processing':
      return { kind: 'pending' };
    case 'mismatch':
      // Such a session pays nothing (R-217, D-104).
      throw new AppError('provider_result_mismatch');
    default:
      // The attempt has ended without payment: the buyer needs a new order (D-102).
      throw new AppError('payment_conflict', {
        description: `The payment of ${order.order_no} has ended; a new order is needed to pay.`,
      });
  }
}
