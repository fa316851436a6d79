/** Refunds and complaints as a merchant's people see them. Administrators see the same and more. */
import { rfc3339, rfc3339OrNull } from '../../base/time/clock.ts';
import { formatMinor } from '../../base/money.ts';
import type { Complaint } from './complaint.ts';
import type { Refund } from './refund.ts';

/** A refund is `pending` until the provider has confirmed it. */
export const refundJson = (refund: Refund) => ({
  refund_id: refund.refund_id,
  status: refund.status === 'requested' ? 'pending' : refund.status,
  amount: formatMinor(refund.amount, refund.currency_decimals),
  currency: refund.currency,
  requested_at: rfc3339(refund.requested_at),
  ended_at: rfc3339OrNull(refund.ended_at),
});

/** A complaint without the reason, which administrators write for themselves. Amounts are in the payment currency. */
export function complaintJson(complaint: Complaint) {
  const written = (minor: bigint | null): string | null =>
    minor === null ? null : formatMinor(minor, complaint.currency_decimals);
  return {
    complaint_id: complaint.complaint_id,
    source: complaint.source,
    status: complaint.status,
    currency: complaint.currency,
    loss_amount: written(complaint.loss_amount),
    external_cost: written(complaint.external_cost),
    opened_at: rfc3339(complaint.opened_at),
    decided_at: rfc3339OrNull(complaint.decided_at),
  };
}
