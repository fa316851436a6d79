export {
  selectComplaintPage as listComplaints,
  selectComplaints as readComplaints,
} from './losses/complaint.sql.ts';
export { selectRefundPage as listRefunds, selectRefunds as readRefunds } from './losses/refund.sql.ts';
