export { checkAccess, loginNeeded } from './check-access.ts';
export {
  type Claim,
  claimDueAttempts,
  insertAttempt,
  selectAttempt,
  selectAttemptByTrade,
  selectAttemptStates,
  selectAttempts,
  selectMerchantsToCheck,
  selectOrdersWithAttempt,
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
