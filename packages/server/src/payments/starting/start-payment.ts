/** Starts or resumes the payment of an order. */
import { setTimeout as pause } from 'node:timers/promises';
import { later } from '../../base/time/clock.ts';
import { answerWithin_ms, inTime } from '../../base/time/in-time.ts';
import { lockWallet } from '../../ledger/books/index.ts';
import { OutcomeUnknownError, type Tx } from '../../base/pg/index.ts';
import type { PaymentDeps } from '../engine/index.ts';
import { AppError } from '../../base/errors.ts';
import { openSession } from './open-session.ts';
import { type OrderSnapshot, payFromSnapshot } from './pay-from-snapshot.ts';
import type { StartResult } from './start-result.ts';
import { type OwnPayment, type StartInput, startUnderLock } from './start-under-lock.ts';

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
 * @throws AppError in the order of D-097, `payment_conflict` for a paid order; `service_unavailable` only if
 *   this request has charged nothing
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
  const pending: StartResult = { kind: 'pending' };
  // What the second look cannot find out in time, or at all, is pending.
  const found = startLocked(deps, input, own).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'service_unavailable') return pending;
    throw error;
  });
  return inTime(found, answerWithin_ms - (performance.now() - begun_ms), () => pending);
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

/**
 * Decides under the order's lock, again while another request asks the provider. Only the step `ask` calls the provider: a
 * resumed payment has its link already, after access was checked again (D-095).
 */
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
