/** Fees that the merchant pays: reserved before a payment, taken when it is settled. */
export { selectFeeReservation, selectFeeReservations } from './fee-reservation.sql.ts';
export { type FeeFunds, splitFee } from './split-fee.ts';
export { type FeeReservation, feeToReserve } from './fee-reservation.ts';
export { demandFeeFunds, readFeeFunds } from './fee-funds.ts';
export { settleFee } from './settle-fee.ts';
export { reserveFee, takeFee } from './reserve-fee.ts';
