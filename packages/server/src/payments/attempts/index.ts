export { checkAccess, loginNeeded } from './access.ts';
export {
  type Claim,
  claimDueAttempts,
  insertAttempt,
  selectAttempt,
  selectAttemptByTrade,
  selectAttemptStates,
  selectAttempts,
  selectMerchantsToCheck,
  updateAttempt,
} from './attempt.sql.ts';
export {
  type Attempt,
  type Observation,
  type Seen,
  afterObservation,
  counts,
  effectiveState,
  isOver,
  isPaid,
  nextSeq,
  tradeNo,
} from './attempt.ts';
export { type Method, selectMethod } from './method.sql.ts';
export { passDeadline } from './pass-deadline.ts';
export { type OverdueMark, sweepKind } from './sweep-overdue.ts';
