export { isAboutRequest, countsAsMoney } from './known-cases.ts';
export { describeSession } from './attempt-cases.ts';
export { payWithPtk } from './pay-with-ptk.ts';
export { settle, settleInTransaction } from './settle.ts';
