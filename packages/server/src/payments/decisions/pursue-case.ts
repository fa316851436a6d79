import { later } from '../../base/time/clock.ts';
import { claimDueCases, type PaymentCase, selectBooksWithDueCases } from '../cases/index.ts';
import { processDue, type PaymentDeps } from '../engine/index.ts';
import { InvariantError } from '../../base/errors.ts';
import { examineUnmatchedReceipt } from './unmatched-receipts.ts';
import { askForCaseRefund, lookUpCaseRefund } from './case-refund.ts';
import { applyAnswer } from './apply-answer.ts';

/**
 * Carries a case on, outside any transaction: asks the provider for its refund, or asks after what it has, and
 * applies the answer; or looks at an unmatched receipt again. A refund is asked for under one key, however often
 * and by whomever; one that failed for certain sets the case free for another decision.
 *
 * @returns the case as it now stands
 */
export async function pursueCase(deps: PaymentDeps, open: PaymentCase): Promise<PaymentCase> {
  if (open.refund_status === null) return examineUnmatchedReceipt(deps, open);
  const channel = await deps.channels.find(open.payment_no ?? '');
  if (channel === null) throw new InvariantError('a receipt without a channel');
  const answer =
    open.refund_status === 'requested'
      ? await askForCaseRefund(deps, channel, open)
      : await lookUpCaseRefund(deps, channel, open);
  return applyAnswer(deps, open, answer);
}

/**
 * One pass over the cases that are due: refunds that are under way, and receipts that may yet be matched.
 *
 * @returns how many were looked at
 */
export async function pursueDueCases(deps: PaymentDeps, limit = 100): Promise<number> {
  return processDue(deps, {
    merchants: await selectBooksWithDueCases(deps.db, deps.clock.now(), limit),
    claim: (tx, merchant_id, now) =>
      claimDueCases(tx, merchant_id, now, later(now, 2 * deps.lease_ms), limit),
    handle: (open) => pursueCase(deps, open),
    failure: 'a case cannot be carried on',
    idsOf: ({ case_id }) => ({ case_id }),
  });
}
