export {
  claimDueComplaints,
  selectComplaintPage,
  selectComplaints,
  selectMerchantsDisputed,
} from './complaint.sql.ts';
export type { Complaint } from './complaint.ts';
export { decideComplaint } from './decide-complaint.ts';
export { settleDispute } from './settle-dispute.ts';
export { disputeLook_ms, openComplaint } from './open-complaint.ts';
export { pursueDueRefunds, pursueRefund } from './pursue-refund.ts';
export { selectRefundPage, selectRefunds } from './refund.sql.ts';
export { type Refund, viewOf } from './refund.ts';
export { requestRefund } from './request-refund.ts';
export { settleRefund } from './settle-refund.ts';
