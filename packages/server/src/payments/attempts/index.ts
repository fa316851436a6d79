/** Payment attempts: their states, who may start one, and what the provider's observations change. */
export { checkAccess } from './who-may-pay.ts';
export {
  type Claim,
  claimDueAttempts,
  insertAttempt,
  selectAttempt,
  selectAttemptByTrade,
  selectAttemptStates,
  selectAttempts,
  selectMerchantsWithDueAttempts,
  selectOrdersWithAttempt,
  updateAttempt,
} from './attempt.sql.ts';
export { type Attempt, effectiveState, endedUnpaid, isPaid, nextSeq } from './attempt.ts';
export { counts } from './method-lock.ts';
export type { Observation, Seen } from './observation.ts';
export { afterObservation } from './attempt-states.ts';
export { type BuyerPaymentRow, selectPaymentsOf } from './buyer-payments.sql.ts';
export { type Method, selectMethod } from './chosen-method.sql.ts';
export { selectBuyer } from './lock-buyer.ts';
