export { selectFeeReservations as readFeeReservations } from './merchant-fees/fee-reservation.sql.ts';
export {
  selectAttempts as readAttempts,
  selectAttemptStates as readAttemptStates,
  selectOrdersWithAttempt as ordersWithAttempt,
} from './attempts/attempt.sql.ts';
export { selectQuotes as readQuotes } from './quotes/quote.sql.ts';
