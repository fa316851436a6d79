/** Starts or resumes the payment of an order. */
import { setTimeout as pause } from 'node:timers/promises';
import { later, minutes, seconds } from '../../base/time/clock.ts';
import { lockAvailable, lockFreeWallet, lockWallet } from '../../ledger/books/index.ts';
import { OutcomeUnknownError, type Tx } from '../../base/pg/index.ts';
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
import { beginCardAttempt, claimRetry, demandKey } from './begin-attempt.ts';
import { openSession } from './create-session.ts';
import type { StartResult } from './start-result.ts';

export interface StartInput {
  merchant_id: string;
  order_no: string;
  method_id: string;
  /** The signed-in buyer; null for a guest. */
  user_id: string | null;
  /** The language of the buyer's page, which the provider's page takes over (D-261). */
  locale?: string;
  /**
   * Called in the transaction of a PTK payment before anything is booked, under all its locks. It may take further
   * locks and write; what it throws refuses the payment.
   */
  beforePtk?: (tx: Tx, payment: { order_no: string; amount: bigint; now: Date }) => Promise<void>;
}

/** An order and the chosen method as they were read without a lock. They can be outdated. */
export interface OrderSnapshot {
  order: Payable;
  /** Null if the order has no such method. */
  method: Method | null;
}

/** The next step, decided under the order's lock. */
type StartStep =
  | StartResult
  | { kind: 'refuse'; error: AppError }
  /** Another request is asking the provider. */
  | { kind: 'wait' }
  /** This request holds the attempt and must ask the provider. */
  | { kind: 'ask'; attempt: Attempt };

/** Reads the chosen method for an `OrderSnapshot`. Call it together with the read of the order. */
export const readMethod = (
  { db }: Pick<PaymentDeps, 'db'>,
  { merchant_id, order_no, method_id }: Omit<StartInput, 'user_id'>,
): Promise<Method | null> => selectMethod(db.lookups, merchant_id, order_no, method_id);

/** A PTK payment that a request makes. */
interface OwnPayment {
  attempt_id: string;
  /** Whether its writes were sent, so that a lost answer leaves open whether the buyer has paid. */
  sent: boolean;
}

/**
 * Starts or resumes the payment of an order by one of its methods. PTK is debited at once; a card payment
 * gets a session at the provider. No merchant's server is asked: checks, confirmation and settlement happen here
 * (R-010).
 *
 * Invariant: at most one attempt of an order counts, and it gets at most one session. The order's lock decides who
 * begins the attempt, its lease decides who asks, and every request for a session has the attempt's idempotency key
 * . The provider is asked outside the transaction (D-099). A refusal before that leaves no attempt and no lock
 * (D-125).
 *
 * If the answer to a PTK payment is lost, the request continues under the order's lock: it finds its own payment, or
 * pays. Only if that fails too is the result pending (H-25).
 *
 * Database round trips: three for PTK, one if `seen` is still true; for a card two before the provider is asked and two
 * after, three if it is already paid; two for a resume.
 *
 * @param seen the order as it was just read; with it PTK mostly needs no lock
 * @throws AppError in the order of D-097; `service_unavailable` only if this request has charged nothing
 */
export async function startPayment(
  deps: PaymentDeps,
  input: StartInput,
  seen?: OrderSnapshot,
): Promise<StartResult> {
  const begun_ms = performance.now();
  const own: OwnPayment = { attempt_id: `pa_${deps.ids.ulid(deps.clock.now())}`, sent: false };
  try {
    // The checks under the locks need them.
    const mayPayAtOnce = seen !== undefined && input.beforePtk === undefined;
    if (mayPayAtOnce && (await payFromSnapshot(deps, seen, input.user_id, own))) return { kind: 'paid' };
    return await startLocked(deps, input, own);
  } catch (error) {
    if (!own.sent || !(error instanceof OutcomeUnknownError)) throw withNothingCharged(error);
  }
  return lookAgain(startLocked(deps, input, own), answerWithin_ms - (performance.now() - begun_ms));
}

/** A buyer whose payment is unclear has an answer within this time. */
const answerWithin_ms = seconds(9.5);

/** Waits for the second look at a payment. What it cannot find out in time, or at all, is pending. */
async function lookAgain(look: Promise<StartResult>, within_ms: number): Promise<StartResult> {
  const pending: StartResult = { kind: 'pending' };
  const found = look.catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'service_unavailable') return pending;
    throw error;
  });
  const stop = new AbortController();
  const late = pause(within_ms, pending, { signal: stop.signal });
  late.catch(() => undefined);
  return Promise.race([found, late]).finally(() => {
    stop.abort();
  });
}

/** The same error; if it says that the service is unavailable, it also says that nothing was charged. */
function withNothingCharged(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'service_unavailable') return error;
  const certain = new AppError('service_unavailable', {
    ...error.detail,
    description: 'The service is temporarily unavailable. This request charged nothing. Retry later.',
  });
  certain.cause = error.cause;
  return certain;
}

/** Decides under the order's lock, again while another request asks the provider. */
async function startLocked(deps: PaymentDeps, input: StartInput, own: OwnPayment): Promise<StartResult> {
  const giveUpAt = later(deps.clock.real(), deps.wait_ms);
  const { user_id } = input;
  const waitFirst = async (tx: Tx): Promise<void> => {
    if (user_id !== null) await lockWallet(tx, user_id);
  };
  for (;;) {
    const step = await deps.db.transaction((tx) => startUnderLock(deps, tx, input, own), { waitFirst });
    switch (step.kind) {
      case 'refuse':
        throw step.error;
      case 'ask':
        return openSession(deps, step.attempt);
      case 'wait':
        if (deps.clock.real() >= giveUpAt) return { kind: 'pending' };
        await pause(200);
        break;
      default:
        return step;
    }
  }
}

/**
 * Pays an order in PTK without locking it first (D-198). The writes check that the order is still as it was read, and
 * do not wait for a lock.
 *
 * @returns false if nothing has happened: the caller decides again under the locks
 */
async function payFromSnapshot(
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

/**
 * Locks the order, then pays, begins or resumes. A paid order is a conflict. After the deadline the order
 * moves instead. An attempt that counts locks its method: another is a conflict, an unknown one is 422
 * (R-200, D-096). Only a definite refusal ends that lock, never a time-out.
 */
async function startUnderLock(
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
  const method = paysNow ? await lockFunds(tx, order, { ...input, user_id }) : known;
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
  if (buyer !== null && buyer.disabled_at !== null) throw new AppError('login_required');
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
