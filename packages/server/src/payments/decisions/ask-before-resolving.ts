import type { CaseAction } from '@paydesk/contract';
import { selectAttempt } from '../attempts/index.ts';
import { countsAsMoney, settle } from '../settling/index.ts';
import { isPartOfOrder, type PaymentCase, selectCase } from '../cases/index.ts';
import type { PaymentDeps } from '../engine/index.ts';
import { isSessionOver, lookUpSession } from '../card/index.ts';
import { AppError, InvariantError } from '../../base/errors.ts';
import { examineUnmatchedReceipt } from '../unmatched/index.ts';
import { applyAnswer, type CaseAnswer, findReturn } from '../case-money/index.ts';
import { demandAction, isRepayable, PassingRefusal, refusal } from './case-actions.ts';

/**
 * Asks the provider for the facts that a decision needs, before `resolveCase` and outside any transaction: to void an
 * attempt, its session has to be closed and unpaid; to close an unmatched receipt without money, its
 * session is looked up again and must not be open; to adopt one, its payment must be known; to pay money back by bank, the
 * provider must still have it; to close over money, a dispute in another currency must have been lost.
 *
 * @throws AppError `not_found`, or `payment_conflict` if the facts do not allow the decision
 */
export async function askBeforeResolving(
  deps: PaymentDeps,
  case_id: string,
  action: CaseAction,
): Promise<void> {
  const found = await selectCase(deps.db, case_id);
  if (found === null) throw new AppError('not_found');
  demandAction(found, action);
  if (action === 'void') await confirmSessionClosed(deps, found);
  if (action === 'repay' && isRepayable(found)) await demandMoneyThere(deps, found);
  if (action === 'adopt' && found.amount === null) await openReceiptNow(deps, found);
  if (action === 'close' && isRepayable(found)) await demandLostElsewhere(deps, found);
  if (action === 'close' && found.kind === 'unmatched_receipt' && found.amount === null) {
    const { detail } = await examineUnmatchedReceipt(deps, found);
    if (detail.last !== undefined) throw refusal(`The session could not be looked up: ${detail.last}.`);
    if (detail.seen?.status === 'open')
      throw refusal('The session can still be paid: close it at the provider.');
  }
}

/** Asks the provider for the payment of an unmatched receipt and books it, even in its first day. */
async function openReceiptNow(deps: PaymentDeps, found: PaymentCase): Promise<void> {
  const { state, detail, amount } = await examineUnmatchedReceipt(deps, found, { open_now: true });
  if (state === 'resolved') return;
  if (detail.last !== undefined)
    throw new PassingRefusal(`The session could not be looked up: ${detail.last}.`);
  if (amount === null) throw refusal('Nothing was received that could be adopted.');
}

/** Refuses to close over money, unless a lost dispute in another currency may have taken it all (D-874). */
async function demandLostElsewhere(deps: PaymentDeps, found: PaymentCase): Promise<void> {
  const answer = await askForReturn(deps, found);
  if (answer === null) throw refusal('The case holds money in suspense: refund it, or pay it back by bank.');
  if (!isInOtherCurrency(answer)) await refuseReturned(deps, found, answer);
  await applyAnswer(deps, found, answer);
}

/**
 * Refuses to pay money by bank that the provider has returned or may return (D-695). A dispute in another currency can be
 * the matter of the order alone that the receipt has paid (D-1256).
 */
async function demandMoneyThere(deps: PaymentDeps, found: PaymentCase): Promise<void> {
  const answer = await askForReturn(deps, found);
  const isOrders = answer !== null && isInOtherCurrency(answer) && isPartOfOrder(found);
  if (answer !== null && !isOrders) await refuseReturned(deps, found, answer);
}

const isInOtherCurrency = (answer: CaseAnswer): boolean =>
  answer.kind === 'noted' && answer.in_other_currency !== undefined;

async function askForReturn(deps: PaymentDeps, found: PaymentCase): Promise<CaseAnswer | null> {
  const channel = await deps.channels.find(found.payment_no ?? '');
  if (channel === null) throw new InvariantError('a receipt without a channel');
  return findReturn(deps, channel, found);
}

/** Books what the provider has returned, and refuses the decision: a person looks at the case again. */
async function refuseReturned(deps: PaymentDeps, found: PaymentCase, answer: CaseAnswer): Promise<never> {
  switch (answer.kind) {
    case 'returned':
      await applyAnswer(deps, found, answer);
      throw refusal('The provider has returned the money: look at the case again.');
    case 'pending':
      throw new PassingRefusal('A refund is under way at the provider: wait until it has ended.');
    case 'unclear':
      throw new PassingRefusal(`The provider could not be asked: ${answer.why}.`);
    case 'failed':
    case 'noted':
      if (answer.lost === undefined)
        throw answer.kind === 'noted'
          ? new PassingRefusal(answer.why)
          : refusal(`${answer.why}: return the rest at the provider.`);
      await applyAnswer(deps, found, answer);
      throw refusal(`${answer.why.replace(/^a/, 'A')}: look at the case again.`);
  }
}

async function confirmSessionClosed(
  deps: PaymentDeps,
  { merchant_id, attempt_id }: PaymentCase,
): Promise<void> {
  const attempt = await selectAttempt(deps.db, merchant_id, attempt_id ?? '');
  if (attempt?.state !== 'mismatch') throw refusal('No attempt waits for this decision.');
  const seen = await lookUpSession(deps, attempt, true);
  const session = 'session' in seen ? seen.session : null;
  if (session?.paid === true && countsAsMoney(session)) {
    await settle(deps, attempt, seen);
    throw refusal('The session has been paid: look at the case again.');
  }
  if (session !== null && (session.paid || (await isSessionOver(deps, attempt, session)))) return;
  throw refusal(`The provider does not confirm that the session is closed: ${seen.kind}.`);
}
