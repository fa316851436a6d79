/** Refunds and complaints as administrators and the audit log see them. */
import {
  type Complaint,
  complaintJson as ownComplaintJson,
  type Refund,
  refundJson as ownRefundJson,
} from '../../payments/losses/index.ts';

/** A refund as the merchant sees it, plus the order and the provider's answer. */
export const refundJson = (refund: Refund) => ({
  ...ownRefundJson(refund),
  order_no: refund.order_no,
  provider_refund_id: refund.provider_refund_id,
  detail: refund.detail,
});

/** A complaint as the merchant sees it, plus the order, the dispute and the reason. */
export const complaintJson = (complaint: Complaint) => ({
  ...ownComplaintJson(complaint),
  order_no: complaint.order_no,
  dispute_id: complaint.dispute_id,
  reason: complaint.reason,
});
