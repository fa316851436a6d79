/** Checks due attempts at the provider, so that no payment depends on a webhook. */
import { later } from '../../base/time/clock.ts';
import type { Tx } from '../../base/pg/index.ts';
import {
  type Attempt,
  effectiveState,
  isPaid,
  claimDueAttempts,
  selectAttempt,
  selectMerchantsWithDueAttempts,
} from '../attempts/index.ts';
import { type PaymentDeps, type ChannelSlots, runUntilNoneDue } from '../engine/index.ts';
import { settle } from '../settling/index.ts';
import { InvariantError } from '../../base/errors.ts';
import { askForSession } from './create-session.ts';
import { claimRetry } from './claim-retry.ts';
import { demandKey } from './demand-key.ts';
import { lookUpSession } from './look-up-session.ts';

/** Attempts of a merchant claimed at a time. */
const claimSize = 25;

/**
 * Starts the checks of due attempts: asks about open sessions, so that no payment needs a webhook, requests unclear
 * creations again before the deadline (D-092) and looks them up after it (R-184, D-093), closes overdue sessions (R-180,
 * R-225), follows payments under way (D-101), and checks ended sessions for two days (D-111). Attempts of a channel
 * without a free slot stay due.
 *
 * Invariant: no due attempt is lost. A claim only postpones `check_at`, so an attempt is due again if its check fails
 * or the process dies.
 *
 * @returns number of checks started; they run in `slots`
 */
export async function beginDueChecks(deps: PaymentDeps, slots: ChannelSlots, limit = 100): Promise<number> {
  let begun = 0;
  for (const merchant_id of await selectMerchantsWithDueAttempts(
    deps.db,
    deps.clock.now(),
    slots.full(),
    limit,
  )) {
    const due = await deps.db.transaction((tx) => {
      const now = deps.clock.now();
      const until = later(now, 2 * deps.lease_ms);
      return claimDueAttempts(tx, { merchant_id, now, until, except: slots.full(), limit: claimSize });
    });
    for (const attempt of due) slots.run(attempt.payment_no, () => checkOrLog(deps, attempt));
    begun += due.length;
  }
  return begun;
}

/**
 * Checks all due attempts and waits for the end.
 *
 * @returns number of attempts checked
 */
export const checkDueAttempts = (deps: PaymentDeps): Promise<number> =>
  runUntilNoneDue((slots) => beginDueChecks(deps, slots));

/** Checks one attempt. A failure does not stop the others; the attempt is due again when its claim ends. */
async function checkOrLog(deps: PaymentDeps, attempt: Attempt): Promise<void> {
  try {
    await checkAttempt(deps, attempt);
  } catch (error) {
    deps.log.error(
      { err: error, attempt_id: attempt.attempt_id },
      'an attempt could not be checked at the provider; it is retried when its claim ends',
    );
  }
}

/**
 * Checks one attempt now and applies the answer: a session that was paid before it could be closed pays the order
 * and one that could not be closed is looked up again. An order in review expires once no attempt
 * can be paid (D-087); until then it stays in review.
 */
async function checkAttempt(deps: PaymentDeps, attempt: Attempt): Promise<Attempt> {
  const step = await deps.db.transaction((tx) => planUnderLock(deps, tx, attempt));
  switch (step.kind) {
    case 'leave':
      return step.attempt;
    case 'ask':
      return settle(deps, step.attempt, await askForSession(deps, step.attempt));
    case 'look':
      return settle(deps, step.attempt, await lookUpSession(deps, step.attempt, step.overdue));
  }
}

type CheckStep =
  /** Another request is asking the provider. */
  | { kind: 'leave'; attempt: Attempt }
  | { kind: 'ask'; attempt: Attempt }
  | { kind: 'look'; attempt: Attempt; overdue: boolean };

/** Decides how to check an attempt, under the order's lock, because a buyer's retry can hold the attempt by now. */
async function planUnderLock(
  deps: PaymentDeps,
  tx: Tx,
  { merchant_id, order_no, attempt_id }: Attempt,
): Promise<CheckStep> {
  const [order, attempt] = await Promise.all([
    deps.kindOf(order_no).lock(tx, merchant_id, order_no),
    selectAttempt(tx, merchant_id, attempt_id),
  ]);
  if (order === null || attempt === null) throw new InvariantError('an attempt without its order');
  const real = deps.clock.real();
  if (attempt.lease_until !== null && attempt.lease_until > real) return { kind: 'leave', attempt };
  const overdue = deps.clock.now() >= order.expires_at;
  if (effectiveState(attempt, real) === 'unknown' && !overdue) {
    await demandKey(deps, attempt.payment_no);
    return { kind: 'ask', attempt: await claimRetry(deps, tx, attempt) };
  }
  // Another session can have paid: this one is closed at once, so that the buyer cannot pay twice.
  const isPaidAlready = isPaid(attempt) || order.phase === 'settled';
  return { kind: 'look', attempt, overdue: overdue || isPaidAlready };
}
