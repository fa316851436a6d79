import type { CaseAction, CaseKind } from '@paydesk/contract';
import type { PaymentCase } from '../cases/index.ts';
import { AppError } from '../../base/errors.ts';

/** What a case of each kind can be resolved by; whether it can now depends on what it holds. */
const actions: Record<CaseKind, readonly CaseAction[]> = {
  mismatch: ['accept', 'refund', 'void', 'close'],
  duplicate_payment: ['refund', 'close'],
  unknown_creation: ['absent'],
  unmatched_receipt: ['refund', 'close'],
  partial_refund: ['close'],
  unfulfillable: ['refund', 'close'],
};

/** What a case can be resolved by as it stands; whether the provider agrees is asked when it is decided. */
export function allowedActions({ kind, state, refund_status }: PaymentCase): readonly CaseAction[] {
  return state === 'open' && refund_status === null ? actions[kind] : [];
}

/** Throws AppError `payment_conflict` where a case cannot be resolved at all now, or not like this. */
export function demandAction({ kind, state, refund_status }: PaymentCase, action: CaseAction): void {
  // guard: case-decided-once
  if (state === 'resolved') throw refusal('The case has been resolved already.');
  if (state === 'waiting') throw refusal('The case may yet explain itself: it is looked at again for a day.');
  // guard: nothing-beside-a-cases-refund
  if (refund_status !== null) throw refusal('Its refund is under way at the provider.');
  if (!actions[kind].includes(action)) {
    throw refusal(`A case of kind ${kind} is resolved by ${actions[kind].join(', ')}.`);
  }
}

export const refusal = (description: string): AppError =>
  new AppError('payment_conflict', { field: 'action', description });
