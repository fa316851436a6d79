/** What takes the payment of an order back: its refunds and complaints, how their losses are booked, and cases about them. */
export { bookDismissal, bookFreeze, bookLoss, bookRefund, type FinalLoss } from './book-loss.ts';
export {
  complaintRows,
  giveUpDispute,
  insertComplaint,
  selectComplaintById,
  selectComplaintPage,
  selectComplaints,
  updateComplaint,
} from './complaint.sql.ts';
export { type Complaint, sumOfLosses } from './complaint.ts';
export { complaintJson, refundJson } from './loss-json.ts';
export {
  openLossCase,
  tellOfChargeback,
  tellOfDispute,
  tellOfLateFailure,
  tellOfPart,
} from './open-loss-case.ts';
export {
  conflict,
  demandReachableBuyer,
  lockPaidOrder,
  lockStandingOrder,
  type PaidOrder,
} from './paid-order.ts';
export {
  insertRefund,
  refundRows,
  selectRefund,
  selectRefundPage,
  selectRefunds,
  updateRefund,
} from './refund.sql.ts';
export {
  failedAfterBooking,
  isUnderWay,
  mayBeForgotten,
  newRefund,
  nextRefundCheck,
  type Refund,
  refundEnded,
  refundPending,
  type RefundView,
  refundView,
} from './refund.ts';
