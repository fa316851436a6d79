export { selectComplaints as readComplaints } from './complaint.sql.ts';
export { selectRefunds as readRefunds } from './refund.sql.ts';
