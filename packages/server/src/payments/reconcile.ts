import { later } from '../base/clock.ts';
import { type Attempt, effectiveState } from './attempt.ts';
import { askForSession, retryClaim } from './card-session.ts';
import type { PaymentDeps } from './deps.ts';
import { lookUp } from './look-up.ts';
import { claimDueAttempts, selectMerchantsToCheck } from './payment.sql.ts';
import { settle } from './settle.ts';

/**
 * One pass over the attempts that are due to be looked at: unclear creations are asked for again before the
 * deadline and looked up after it, overdue sessions are closed, payments under way are followed, and ended sessions
 * are asked about for a while (R-180, R-184, R-187, D-087 to D-093, D-101, D-111).
 *
 * @returns how many attempts were looked at
 */
export async function reconcileDue(deps: PaymentDeps, limit = 100): Promise<number> {
  let done = 0;
  for (const merchant_id of await selectMerchantsToCheck(deps.db, deps.clock.now(), limit)) {
    const due = await deps.db.transaction((tx) => {
      const now = deps.clock.now();
      return claimDueAttempts(tx, merchant_id, now, later(now, 2 * deps.lease_ms), limit);
    });
    const results = await Promise.allSettled(due.map((attempt) => reconcileAttempt(deps, attempt)));
    for (const [i, result] of results.entries()) {
      // One attempt that cannot be looked at holds back no other; it is due again when its claim ends.
      if (result.status === 'rejected') {
        deps.log.error(
          { err: result.reason as Error, attempt_id: due[i]?.attempt_id },
          'reconciliation failed',
        );
      }
    }
    done += due.length;
  }
  return done;
}

/** Looks at one attempt now and applies what is found. */
export async function reconcileAttempt(deps: PaymentDeps, attempt: Attempt): Promise<Attempt> {
  const real = deps.clock.real();
  const state = effectiveState(attempt, real);
  if (state === 'creating' || (attempt.lease_until !== null && attempt.lease_until > real)) return attempt;
  const overdue = await isOverdue(deps, attempt);
  if (state === 'unknown' && !overdue && attempt.session_id === null) {
    const claimed = await deps.db.transaction((tx) => retryClaim(deps, tx, attempt));
    return settle(deps, claimed, await askForSession(deps, claimed));
  }
  return settle(deps, attempt, await lookUp(deps, attempt, overdue));
}

async function isOverdue(deps: PaymentDeps, { merchant_id, order_no }: Attempt): Promise<boolean> {
  return deps.db.transaction(async (tx) => {
    const order = await deps.kindOf(order_no).lock(tx, merchant_id, order_no);
    return order === null || deps.clock.now() >= order.expires_at;
  });
}
