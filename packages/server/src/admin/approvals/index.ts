/** Writes of money that wait for a second person. */
export { answerOf, answerOutcome } from './answer.ts';
export { countPendingApprovals } from './approval.sql.ts';
export { rejectAllOf } from './decide-approval.ts';
export { demandMayAsk, type GuardedWrite, type Requester, runOrAsk } from './guarded-write.ts';
