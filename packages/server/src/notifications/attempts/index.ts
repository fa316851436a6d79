export {
  giveUpInterrupted,
  insertAttempts,
  leaseAttempts,
  markInterrupted,
  withdrawAttempts,
} from './delivery-attempt.sql.ts';
export { type AttemptDeps, type Claim, UnsentError, makeAttempt } from './delivery-attempt.ts';
export { purgeOldAttempts } from './purge-delivery-attempts.ts';
export { type AttemptEnds, attemptEnds } from './result-writer.ts';
export { nextAttempt } from './retry-schedule.ts';
