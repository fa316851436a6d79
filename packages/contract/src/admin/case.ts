/** Cases: money or answers of a card provider that do not fit the books, and that an administrator resolves. */
import Type, { type Static } from 'typebox';
import { Digits, Json, OrNull, Reason, Stamp } from './scalars.ts';

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

/** What an administrator can decide. A case allows some of these actions; any other one is a 409. */
export const caseActions = ['accept', 'refund', 'void', 'absent', 'close'] as const;
export type CaseAction = (typeof caseActions)[number];

export const ResolutionOfCase = Type.Object({ action: Type.Enum([...caseActions]), reason: Reason });
export type ResolutionOfCase = Static<typeof ResolutionOfCase>;

/** Something that a person has to look at. Amounts are decimal strings in the currency, and in its minor units. */
export const CaseAnswer = Type.Object({
  case_id: Type.String(),
  kind: Type.Enum([...caseKinds]),
  state: Type.Enum([...caseStates]),
  /** Null for what stands in the platform's own book. */
  merchant_no: OrNull(Type.String()),
  order_no: Type.Optional(Type.String()),
  attempt_id: Type.Optional(Type.String()),
  payment_no: Type.Optional(Type.String()),
  session_id: Type.Optional(Type.String()),
  provider_payment_id: Type.Optional(Type.String()),
  /** What came in or is in question; without the decimal string where the currency is none of the platform's. */
  amount: Type.Optional(Type.String()),
  amount_minor: Type.Optional(Digits),
  currency: Type.Optional(Type.String()),
  test_mode: Type.Boolean(),
  /** Whether its money was booked to suspense. */
  booked: Type.Boolean(),
  opened_at: Stamp,
  paid_at: OrNull(Stamp),
  resolved_at: OrNull(Stamp),
  /** What was decided, or is being carried out; `cleared` where nobody had to. */
  resolution: OrNull(Type.Enum([...caseActions, 'cleared'])),
  reason: OrNull(Type.String()),
  refund: OrNull(
    Type.Object({
      status: Type.Enum(['pending', 'succeeded']),
      amount_minor: Digits,
      provider_refund_id: OrNull(Type.String()),
    }),
  ),
  /** What was asked of the provider, what it has, and why that is a case. */
  detail: Json,
});

/** A case with what it can be resolved by. */
export const CaseDetailAnswer = Type.Object({
  ...CaseAnswer.properties,
  /** What a decision may be now; empty where there is nothing to decide (yet, or any more). */
  allowed_actions: Type.Array(Type.Enum([...caseActions])),
});
