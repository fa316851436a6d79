/** Refunds and complaints, as administrators request, decide and read them. */
import Type, { type Static } from 'typebox';
import { DecimalAmount, OrNull, Reason, Stamp } from './scalars.ts';

/** A full refund: its amount is always the buyer’s total. */
export const RefundRequest = Type.Object({ reason: Reason });
export type RefundRequest = Static<typeof RefundRequest>;

export const ComplaintRequest = Type.Object({ reason: Reason });
export type ComplaintRequest = Static<typeof ComplaintRequest>;

/** Amounts in the payment currency. `loss_amount` defaults to the rest of the buyer’s total. */
export const DecisionOnComplaint = Type.Object({
  decision: Type.Enum(['dismiss', 'confirm']),
  loss_amount: Type.Optional(DecimalAmount),
  external_cost: Type.Optional(DecimalAmount),
  reason: Reason,
});
export type DecisionOnComplaint = Static<typeof DecisionOnComplaint>;

export const RefundAnswer = Type.Object(
  {
    refund_id: Type.String({ pattern: '^rf_' }),
    order_no: Type.String(),
    amount: Type.String(),
    currency: Type.String(),
    /** `partial`: the provider refunded another amount than was paid, without a request of the service. */
    status: Type.Enum(['pending', 'succeeded', 'failed', 'partial']),
    provider_refund_id: OrNull(Type.String()),
    detail: Type.String(),
    requested_at: Stamp,
    ended_at: OrNull(Stamp),
  },
  { title: 'Refund' },
);

export const ComplaintAnswer = Type.Object(
  {
    complaint_id: Type.String({ pattern: '^cp_' }),
    order_no: Type.String(),
    source: Type.Enum(['platform', 'provider']),
    dispute_id: OrNull(Type.String()),
    reason: Type.String(),
    status: Type.Enum(['open', 'dismissed', 'confirmed', 'closed']),
    currency: Type.String(),
    loss_amount: OrNull(Type.String()),
    external_cost: OrNull(Type.String()),
    opened_at: Stamp,
    decided_at: OrNull(Stamp),
  },
  { title: 'Complaint' },
);

/** The merchant of a refund or complaint, and whether the order was paid by a test payment. */
const ofOrder = { merchant_no: Type.String(), test_mode: Type.Boolean() };

export const ListedRefund = Type.Object({ ...ofOrder, ...RefundAnswer.properties });

export const ListedComplaint = Type.Object({ ...ofOrder, ...ComplaintAnswer.properties });
