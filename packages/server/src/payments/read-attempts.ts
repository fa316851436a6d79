export { selectFeeReservations as readFeeReservations } from './merchant-fees/fee-reservation.sql.ts';
export {
  selectAttempts as readAttempts,
  selectAttemptStates as readAttemptStates,
  selectOrdersWithAttempt as ordersWithAttempt,
  selectQuotes as readQuotes,
} from './attempts/attempt.sql.ts';
