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
import { claimRetry } from './begin-attempt.ts';
import { lookUpSession } from './look-up-session.ts';

/** How many of a merchant's attempts are taken up at a time. */
const claimSize = 25;

/**
 * Begins to look at attempts that are due: unclear creations are asked for again before the deadline and looked up
 * after it, overdue sessions are closed, payments under way are followed, and ended sessions are asked about for a
 * while (R-180, R-184, R-187, D-087 to D-093, D-101, D-111). What is due at a channel whose lane is full stays due.
 *
 * @returns how many were begun; they end in the slots
 */
export async function beginReconciliation(
  deps: PaymentDeps,
  slots: ChannelSlots,
  limit = 100,
): Promise<number> {
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
    for (const attempt of due) slots.run(attempt.payment_no, () => reconcileOrLog(deps, attempt));
    begun += due.length;
  }
  return begun;
}

/**
 * Looks at all attempts that are due, and waits for the end of it.
 *
 * @returns how many were looked at
 */
export const reconcileDue = (deps: PaymentDeps): Promise<number> =>
  runUntilNoneDue((slots) => beginReconciliation(deps, slots));

/** One attempt that cannot be looked at holds back no other; it is due again when its claim ends. */
async function reconcileOrLog(deps: PaymentDeps, attempt: Attempt): Promise<void> {
  try {
    await reconcileAttempt(deps, attempt);
  } catch (error) {
    deps.log.error({ err: error, attempt_id: attempt.attempt_id }, 'reconciliation failed');
  }
}

/** Looks at one attempt now and applies what is found. */
export async function reconcileAttempt(deps: PaymentDeps, attempt: Attempt): Promise<Attempt> {
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

type ReconcileStep =
  /** Somebody's request to the provider is under way. */
  | { kind: 'leave'; attempt: Attempt }
  | { kind: 'ask'; attempt: Attempt }
  | { kind: 'look'; attempt: Attempt; overdue: boolean };

/** What an attempt calls for, decided under its order's lock: a buyer's retry may have taken hold of it meanwhile. */
async function planUnderLock(
  deps: PaymentDeps,
  tx: Tx,
  { merchant_id, order_no, attempt_id }: Attempt,
): Promise<ReconcileStep> {
  const [order, attempt] = await Promise.all([
    deps.kindOf(order_no).lock(tx, merchant_id, order_no),
    selectAttempt(tx, merchant_id, attempt_id),
  ]);
  if (order === null || attempt === null) throw new InvariantError('an attempt without its order');
  const real = deps.clock.real();
  if (attempt.lease_until !== null && attempt.lease_until > real) return { kind: 'leave', attempt };
  const overdue = deps.clock.now() >= order.expires_at;
  if (effectiveState(attempt, real) === 'unknown' && !overdue) {
    return { kind: 'ask', attempt: await claimRetry(deps, tx, attempt) };
  }
  // A session of a paid order is closed at once: nobody is to pay it twice.
  return { kind: 'look', attempt, overdue: overdue || isPaid(attempt) };
}
