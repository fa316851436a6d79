import { rfc3339 } from '../../base/time/clock.ts';
import { formatMinor } from '../../base/money.ts';
import type { Complaint, Refund } from '../../payments/losses/index.ts';

const instant = (at: Date | null): string | null => (at === null ? null : rfc3339(at));

/** A refund as administrators see it: one that the provider has not confirmed is pending, whatever it waits for. */
export const refundJson = (refund: Refund) => ({
  refund_id: refund.refund_id,
  order_no: refund.order_no,
  amount: formatMinor(refund.amount, refund.currency_decimals),
  currency: refund.currency,
  status: refund.status === 'requested' ? 'pending' : refund.status,
  provider_refund_id: refund.provider_refund_id,
  detail: refund.detail,
  requested_at: rfc3339(refund.requested_at),
  ended_at: instant(refund.ended_at),
});

/** A complaint as administrators see it; amounts are decimal strings in the payment currency. */
export function complaintJson(complaint: Complaint) {
  const written = (minor: bigint | null): string | null =>
    minor === null ? null : formatMinor(minor, complaint.currency_decimals);
  return {
    complaint_id: complaint.complaint_id,
    order_no: complaint.order_no,
    source: complaint.source,
    dispute_id: complaint.dispute_id,
    reason: complaint.reason,
    status: complaint.status,
    currency: complaint.currency,
    loss_amount: written(complaint.loss_amount),
    external_cost: written(complaint.external_cost),
    opened_at: rfc3339(complaint.opened_at),
    decided_at: instant(complaint.decided_at),
  };
}
