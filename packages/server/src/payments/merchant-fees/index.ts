export { selectFeeReservation, selectFeeReservations } from './fee-reservation.sql.ts';
export { type FeeFunds, type FeeReservation, feeToRaise, raise } from './fee-reservation.ts';
export { demandFeeFunds, followFee, readFeeFunds, reserveFee } from './fund-fees.ts';
