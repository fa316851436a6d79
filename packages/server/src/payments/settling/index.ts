/** Settles a verified payment into the books, or opens a case for it. */
export { isAboutRequest, countsAsMoney } from './known-cases.ts';
export { describeSession } from './open-cases.ts';
export { orderOfPtkTrade, ptkPaymentWrites } from './ptk-payment.ts';
export { settle, settleInTransaction } from './settle.ts';
