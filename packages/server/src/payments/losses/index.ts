/** Refunds, complaints and disputes of paid orders. */
export { complaintRows, giveUpDispute, selectComplaintPage, selectComplaints } from './complaint.sql.ts';
export { type Complaint, sumOfLosses } from './complaint.ts';
export {
  type ComplaintDecision,
  decideComplaint,
  type OpenDisputes,
  readAmount,
} from './decide-complaint.ts';
export { complaintJson, refundJson } from './loss-json.ts';
export { dismissDispute, type SeenDispute, settleDispute } from './settle-dispute.ts';
export { disputeCheck_ms, openComplaint } from './open-complaint.ts';
export { pursueDueRefunds, pursueRefund } from './pursue-refund.ts';
export { selectRefundPage, selectRefunds } from './refund.sql.ts';
export { failedAfterBooking, mayBeForgotten, type Refund, refundView } from './refund.ts';
export { requestRefund } from './request-refund.ts';
export { refundsOfOrder, settleRefund } from './settle-refund.ts';
