/** Closes a case: without money, or over what a lost dispute in another currency has taken. */
import type { Tx } from '../../base/pg/index.ts';
import { lockBalance } from '../../ledger/books/index.ts';
import { isPartOfOrder, type PaymentCase, resolved, suspenseOf } from '../cases/index.ts';
import type { PaymentDeps } from '../engine/index.ts';
import { readAmount } from '../complaints/index.ts';
import { isAboutRequest } from '../settling/index.ts';
import { invalid } from '../../base/errors.ts';
import { bookLostPart, bookReturn, endWaitingAttempt } from '../case-money/index.ts';
import { isRepayable, refusal } from './case-actions.ts';
import type { Decision, Outcome } from './case-decision.ts';

/**
 * Closes a case that holds no money of the platform, or over money that a lost dispute in another currency has taken (D-874).
 * A case about a receipt on a merchant's own account, whose refund the provider has refused, can be closed too; its waiting
 * attempt is closed with it (D-726).
 *
 * @throws AppError `payment_conflict` if the case holds money, or an attempt waits for another decision
 */
export async function closeCase(deps: PaymentDeps, tx: Tx, decision: Decision): Promise<Outcome> {
  const { before, attempt, reason } = decision;
  const { lost_in_other_currency: dispute_id } = before.detail;
  if (isRepayable(before) && dispute_id !== undefined) return closeAsLost(deps, tx, decision, dispute_id);
  if (/* guard: closed-where-nothing-is-booked = false */ before.booked)
    throw refusal('The case holds money in suspense: refund it, or accept it if the order can be paid.');
  const isWaitedFor = attempt?.state === 'mismatch' && isAboutRequest(before, attempt);
  // What a merchant's own account has is not ours. If the provider refuses its refund, the merchant settles it (D-726).
  if (isWaitedFor && before.refund_seq === 0) {
    throw refusal('The attempt still waits for a decision: accept, refund or void.');
  }
  const endsAttempt = isWaitedFor || before.kind === 'duplicate_payment';
  const writes = endsAttempt ? await endWaitingAttempt(deps, tx, before) : [];
  return { after: resolved(before, 'close', reason, deps.clock.now()), writes };
}

/**
 * A person says that a lost dispute in another currency has taken all that the case holds, which ends it (D-874, P10r), or
 * a part, which leaves the rest to another decision (D-907).
 */
async function closeAsLost(
  deps: PaymentDeps,
  tx: Tx,
  { before, reason, loss_amount }: Decision,
  dispute_id: string,
): Promise<Outcome> {
  const now = deps.clock.now();
  if (loss_amount !== undefined) {
    const { lost_in_other_currency: _, ...detail } = before.detail;
    const held = await lockBalance(tx, before.merchant_id, suspenseOf(before));
    const amount = readLoss(before, loss_amount, held);
    const lost = { dispute_id, amount, of_rest: isPartOfOrder(before) };
    if (amount < held) return bookLostPart(tx, { ...before, detail }, lost, now);
  }
  const { left, writes } = await bookReturn(deps, tx, before, now);
  const charged_back = { dispute_id, amount: left.toString() };
  const after = resolved(before, 'close', reason, now);
  return { after: { ...after, detail: { ...before.detail, charged_back } }, writes };
}

function readLoss({ currency, currency_decimals }: PaymentCase, text: string, held: bigint): bigint {
  if (currency === null || currency_decimals === null)
    throw invalid('loss_amount', 'Paydesk does not keep the currency of the case: close it over all of it.');
  const loss = readAmount('loss_amount', text, { currency, currency_decimals });
  if (loss > held) throw invalid('loss_amount', 'The loss must not exceed what the case holds.');
  return loss;
}
