export { selectFeeReservations as readFeeReservations } from './fee-reservation.sql.ts';
export {
  selectAttempts as readAttempts,
  selectOrdersWithAttempt as ordersWithAttempt,
  selectQuotes as readQuotes,
} from './payment.sql.ts';
