/** Payment attempts: their states, who may start one, and what the provider's observations change. */
export { checkAccess, methodNeedsLogin } from './check-access.ts';
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
  selectTestOrders,
  updateAttempt,
} from './attempt.sql.ts';
export { type Attempt, counts, effectiveState, endedUnpaid, isPaid, nextSeq } from './attempt.ts';
export type { Observation, Seen } from './observation.ts';
export { afterObservation } from './attempt-states.ts';
export { type BuyerPaymentRow, selectPaymentsOf } from './buyer-payments.sql.ts';
export { type Method, selectMethod } from './method.sql.ts';
export { selectBuyer } from './select-buyer.ts';
