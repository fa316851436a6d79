/** Complaints about paid orders: opened, and decided by people. */
export {
  type ComplaintDecision,
  decideComplaint,
  type OpenDisputes,
  readAmount,
} from './decide-complaint.ts';
export { disputeCheck_ms, freezeForProvider, newComplaint, openComplaint } from './open-complaint.ts';
