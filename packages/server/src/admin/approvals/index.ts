/** Writes of money that wait for a second person. */
export { answerOf, answerOutcome } from './answer.ts';
export { countPendingApprovals } from './approval.sql.ts';
export { rejectAllOf } from './decide-approval.ts';
export { type GuardedWrite, type Requester, runAsStaff, runOrAsk } from './guarded-write.ts';
