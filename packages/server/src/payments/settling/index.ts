export { isAboutRequest, countsAsMoney } from './known-cases.ts';
export { describeSession } from './attempt-cases.ts';
export { ptkPaymentWrites } from './ptk-payment.ts';
export { settle, settleInTransaction } from './settle.ts';
