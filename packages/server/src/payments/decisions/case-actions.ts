/** The actions that a person can take on a case. */
import type { CaseAction, CaseKind } from '@paydesk/contract';
import { lostOf, type PaymentCase } from '../cases/index.ts';
import { AppError } from '../../base/errors.ts';

/** The actions for each kind of case. What the case holds can rule some of them out. */
const actions: Record<CaseKind, readonly CaseAction[]> = {
  mismatch: ['accept', 'refund', 'repay', 'void', 'close'],
  duplicate_payment: ['refund', 'repay', 'close'],
  unknown_creation: ['absent'],
  unmatched_receipt: ['adopt', 'refund', 'repay', 'close'],
  partial_refund: ['close'],
  unfulfillable: ['refund', 'repay', 'close'],
};

/** The actions that a case allows now. The provider is asked only when a person decides. */
export function allowedActions(about: PaymentCase): readonly CaseAction[] {
  const { kind, state, refund_status } = about;
  if (state === 'waiting') return ['adopt'];
  if (state !== 'open' || refund_status !== null) return [];
  return actions[kind].filter(
    (action) => (action !== 'repay' || isRepayable(about)) && !(isPartLost(about) && paysOrder(action)),
  );
}

/** An order is paid by a whole receipt only (D-725). */
const isPartLost = (about: PaymentCase): boolean => lostOf(about) > 0n;
const paysOrder = (action: CaseAction): boolean => action === 'accept' || action === 'adopt';

/** Whether the platform may pay the money back by bank: a refund at the provider was refused or has failed (D-668). */
export const isRepayable = ({ booked, refund_seq }: PaymentCase): boolean => booked && refund_seq > 0;

/** @throws AppError `payment_conflict` if the case cannot be resolved now, or not by this action */
export function demandAction(about: PaymentCase, action: CaseAction): void {
  const { kind, state, refund_status } = about;
  // guard: case-decided-once
  if (state === 'resolved') throw refusal('The case has been resolved already.');
  // After a restore a lost attempt is not waited for.
  if (state === 'waiting' && action !== 'adopt')
    throw refusal('The case is still waiting: for a day, Paydesk keeps looking for its payment attempt.');
  // guard: nothing-beside-a-cases-refund
  if (refund_status !== null) throw refusal('The refund of the case is under way at the provider.');
  if (!actions[kind].includes(action)) {
    throw refusal(`A case of kind ${kind} is resolved by ${actions[kind].join(', ')}.`);
  }
  if (isPartLost(about) && paysOrder(action))
    throw refusal('A part of the money has gone back at the provider: refund the rest.');
}

export const refusal = (description: string): AppError =>
  new AppError('payment_conflict', { field: 'action', description });

/** A refusal that can disappear by itself: the provider could not be asked, or what is under way there has not ended. */
export class PassingRefusal extends AppError {
  constructor(description: string) {
    super('payment_conflict', { field: 'action', description });
  }
}
