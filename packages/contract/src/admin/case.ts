/** Cases: money or answers of a card provider that do not fit the books, and that an administrator resolves. */
import Type, { type Static } from 'typebox';
import { DecimalAmount, Digits, Json, OrNull, Reason, Stamp } from './scalars.ts';

/** Why a case was opened. */
export const caseKinds = [
  'mismatch',
  'duplicate_payment',
  'unknown_creation',
  'unmatched_receipt',
  'partial_refund',
  'unfulfillable',
] as const;
export type CaseKind = (typeof caseKinds)[number];

/** `waiting`: it may still become clear by itself. `open`: an administrator decides. */
export const caseStates = ['waiting', 'open', 'resolved'] as const;
export type CaseState = (typeof caseStates)[number];

/**
 * What an administrator can decide. `adopt`: the unmatched receipt pays the order that its metadata names. `repay`: the provider has refused or failed to refund the money, and the platform has paid the buyer by bank. A case allows some of these actions; any other one is a 409.
 */
export const caseActions = ['accept', 'adopt', 'refund', 'repay', 'void', 'absent', 'close'] as const;
export type CaseAction = (typeof caseActions)[number];

/** `loss_amount`: for `close`, what a lost dispute in another currency has taken of the money; all of it by default. */
export const ResolutionOfCase = Type.Object({
  action: Type.Enum([...caseActions]),
  loss_amount: Type.Optional(DecimalAmount),
  reason: Reason,
});
export type ResolutionOfCase = Static<typeof ResolutionOfCase>;

/** A case. `amount` is a decimal string, `amount_minor` the same in minor units of the currency. */
export const CaseAnswer = Type.Object(
  {
    case_id: Type.String(),
    kind: Type.Enum([...caseKinds]),
    state: Type.Enum([...caseStates]),
    /** Null if the case belongs to the platform’s own book. */
    merchant_no: OrNull(Type.String()),
    order_no: Type.Optional(Type.String()),
    attempt_id: Type.Optional(Type.String()),
    payment_no: Type.Optional(Type.String()),
    session_id: Type.Optional(Type.String()),
    provider_payment_id: Type.Optional(Type.String()),
    /** The received or disputed amount. Without `amount` if the platform does not know the currency. */
    amount: Type.Optional(Type.String()),
    amount_minor: Type.Optional(Digits),
    currency: Type.Optional(Type.String()),
    /** What a refund or a repayment would return now; absent if there is nothing to return. Only the list and a case by itself have it. */
    left: Type.Optional(
      Type.Object({
        amount: Type.Optional(Type.String()),
        amount_minor: Digits,
        currency: Type.Optional(Type.String()),
      }),
    ),
    test_mode: Type.Boolean(),
    /** Whether the money is booked to suspense. */
    booked: Type.Boolean(),
    opened_at: Stamp,
    paid_at: OrNull(Stamp),
    resolved_at: OrNull(Stamp),
    /** The decision, also while it is being carried out; `cleared` if the case became clear by itself. */
    resolution: OrNull(Type.Enum([...caseActions, 'cleared'])),
    reason: OrNull(Type.String()),
    refund: OrNull(
      Type.Object({
        status: Type.Enum(['pending', 'succeeded']),
        amount_minor: Digits,
        provider_refund_id: OrNull(Type.String()),
      }),
    ),
    /** Why it is a case: what the provider was asked, and what the provider has. */
    detail: Json,
  },
  { title: 'PaymentCase' },
);

/** A case and the actions that can resolve it. */
export const CaseDetailAnswer = Type.Object({
  ...CaseAnswer.properties,
  /** The actions that are possible now; empty if there is nothing to decide. */
  allowed_actions: Type.Array(Type.Enum([...caseActions])),
});
