import { caseRows, type PaymentCase } from '../cases/index.ts';
import { processDue, type PaymentDeps, selectBooksWithDue } from '../engine/index.ts';
import { InvariantError } from '../../base/errors.ts';
import { examineUnmatchedReceipt } from '../unmatched/index.ts';
import { askForCaseRefund, lookUpCaseRefund } from './case-refund.ts';
import { applyAnswer } from './apply-provider-answer.ts';

/**
 * Takes the next step of a case, outside any transaction: requests its refund from the provider, looks up a refund under
 * way, or examines an unmatched receipt again.
 *
 * Invariant: one decision returns the money at most once. Every request of one decision has the same idempotency key. A new
 * decision is allowed only after the refund has definitely failed.
 *
 * @returns the case after it
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
 * Takes the next step of every due case.
 *
 * @returns number of cases handled
 */
export async function pursueDueCases(deps: PaymentDeps, limit = 100): Promise<number> {
  return processDue(deps, {
    rows: caseRows,
    books: await selectBooksWithDue(deps.db, caseRows, deps.clock.now(), limit),
    limit,
    claim_ms: 2 * deps.lease_ms,
    handle: (open: PaymentCase) => pursueCase(deps, open),
    failure: 'a case could not be processed; it is retried when its claim ends',
    idsOf: ({ case_id }) => ({ case_id }),
  });
}
