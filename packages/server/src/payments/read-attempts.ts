export { selectFeeReservations as readFeeReservations } from './fee-reservation.sql.ts';
export { selectAttempts as readAttempts, selectQuotes as readQuotes } from './payment.sql.ts';
