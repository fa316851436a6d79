export { selectFeeReservation, selectFeeReservations } from './fee-reservation.sql.ts';
export { type FeeFunds, raise } from './split-fee.ts';
export { type FeeReservation, feeToRaise } from './fee-reservation.ts';
export { demandFeeFunds, readFeeFunds } from './fee-funds.ts';
export { followFee } from './settle-fee.ts';
export { reserveFee } from './reserve-fee.ts';
