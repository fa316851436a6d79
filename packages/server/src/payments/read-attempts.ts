export { selectFeeReservations as readFeeReservations } from './fee-reservation.sql.ts';
export {
  selectAttempts as readAttempts,
  selectAttemptStates as readAttemptStates,
  selectOrdersWithAttempt as ordersWithAttempt,
  selectQuotes as readQuotes,
} from './payment.sql.ts';
