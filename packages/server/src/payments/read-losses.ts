export {
  selectComplaintPage as listComplaints,
  selectComplaints as readComplaints,
} from './complaint.sql.ts';
export { selectRefundPage as listRefunds, selectRefunds as readRefunds } from './refund.sql.ts';
