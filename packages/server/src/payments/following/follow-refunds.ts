/** Follows the refunds of a payment to the case or the order that holds it. Never call these functions inside a transaction. */
import type { CardRefund } from '../../channels/card/index.ts';
import { isPartOfOrder, type PaymentCase, selectCaseByPayment } from '../cases/index.ts';
import { unfinished, finished, type HintResult, type PaymentDeps } from '../engine/index.ts';
import { readCaseRefunds, applyAnswer, openIfReturnedBeside } from '../case-money/index.ts';
import { selectAttemptByTrade } from '../attempts/index.ts';
import { settleRefund } from '../refunds/index.ts';
import { followUnknownPayment } from './follow-unknown-payment.ts';

/**
 * Applies the refunds of a payment to the case that holds it (D-082). It does not matter who requested them. Those that
 * contradict what was booked, such as one that has failed since, open a case for a person (D-696, D-732, D-840).
 *
 * @returns null if no case holds the payment, or if an order owns a part of it too
 */
export async function followCaseRefunds(
  deps: PaymentDeps,
  payment_no: string,
  payment_id: string,
  refunds: readonly CardRefund[],
): Promise<HintResult | null> {
  const found = await selectCaseByPayment(deps.db, payment_no, payment_id);
  if (found === null) return null;
  const held = found.state === 'open' ? await followOpenCase(deps, found, refunds) : found;
  await openIfReturnedBeside(deps, held, refunds);
  return isPartOfOrder(held) ? null : finished(`part of case ${held.case_id}`);
}

/** @returns the case after it */
async function followOpenCase(
  deps: PaymentDeps,
  open: PaymentCase,
  refunds: readonly CardRefund[],
): Promise<PaymentCase> {
  const answer = readCaseRefunds(open, refunds, '');
  // A list of refunds proves nothing about a request that is still under way.
  if (answer.kind === 'returned' || answer.kind === 'pending') return applyAnswer(deps, open, answer);
  if (answer.why === '' || open.refund_status !== null) return open;
  return applyAnswer(deps, open, { kind: 'noted', why: answer.why });
}

/** Looks up all refunds of a payment and applies them. */
export async function followRefunds(
  deps: PaymentDeps,
  payment_no: string,
  payment_id: string,
): Promise<HintResult> {
  const [channel, attempt] = await Promise.all([
    deps.channels.find(payment_no),
    selectAttemptByTrade(deps.db, payment_no, payment_id),
  ]);
  if (channel === null) return finished('no such channel');
  const found = await deps.cards.refundsOf(channel, payment_id);
  if (found.kind === 'failed') return unfinished(`look-up failed: ${found.reason}`);
  const refunds = found.kind === 'found' ? found.value : [];
  const ofCase = await followCaseRefunds(deps, payment_no, payment_id, refunds);
  // guard: refunds-of-cases-applied-to-cases
  if (ofCase !== null) return ofCase;
  if (attempt === null) return followUnknownPayment(deps, channel, payment_id);
  return settleRefund(deps, attempt, { refunds });
}
