/** Writes of money that wait until another person approves them. */
import Type, { type Static } from 'typebox';
import { Digits, Json, OrNull, Reason, Stamp } from './scalars.ts';

/** `failed`: a person approved it, but the state had changed so that it can never be booked. */
export const approvalStates = ['pending', 'approved', 'rejected', 'failed'] as const;
export type ApprovalState = (typeof approvalStates)[number];

/** The answer of a write that now waits for another person. Nothing is booked yet. */
export const ApprovalPendingAnswer = Type.Object({
  error: Type.Literal('approval_pending'),
  error_description: Type.String(),
  status: Type.Literal('approval_pending'),
  approval_id: Type.String({ pattern: '^ap_' }),
});

export const ApprovalAnswer = Type.Object({
  approval_id: Type.String({ pattern: '^ap_' }),
  status: Type.Enum([...approvalStates]),
  /** The write, by its name in the audit log, such as `order.refund`. */
  action: Type.String(),
  /** The object that it changes, such as `order:mp_…`. */
  target: Type.String(),
  /** The gross amount; null if there is no rate for the currency. */
  amount_ptk: OrNull(Digits),
  /** The members of the request that the write runs with. */
  request: Json,
  reason: OrNull(Type.String()),
  /** `user:` and the person’s id, or the key that asked. */
  asked_by: Type.String(),
  asked_at: Stamp,
  decided_by: OrNull(Type.String()),
  decided_at: OrNull(Stamp),
  decision_reason: OrNull(Type.String()),
  /** The error of the write, if the approval failed. */
  failure: OrNull(Type.Object({ error: Type.String(), error_description: Type.String() })),
});

/** The approval after it, and the answer of the write that was booked. */
export const ApprovedAnswer = Type.Object({ ...ApprovalAnswer.properties, result: Json });

export const ApprovalConsent = Type.Object({ reason: Type.Optional(Reason) });
export type ApprovalConsent = Static<typeof ApprovalConsent>;

export const ApprovalRejection = Type.Object({ reason: Reason });
export type ApprovalRejection = Static<typeof ApprovalRejection>;
