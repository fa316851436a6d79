export { isAboutRequest, countsAsMoney } from './known-cases.ts';
export { describeSession } from './attempt-cases.ts';
export { orderOfPtkTrade, ptkPaymentWrites } from './ptk-payment.ts';
export { settle, settleInTransaction } from './settle.ts';
