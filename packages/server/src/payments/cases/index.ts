/** Cases: payments and losses that a person must decide. */
export {
  receiptEntry,
  caseRepaymentEntry,
  caseReturnEntry,
  lostPartEntry,
  suspenseOf,
} from './case-entries.ts';
export {
  caseRows,
  countUnmatched,
  hasCase,
  insertCase,
  insertCaseOnce,
  isBookedElsewhere,
  isRefundOfCase,
  lockCasesByKey,
  selectCase,
  selectCaseByKey,
  selectCaseByPayment,
  selectCaseForUpdate,
  selectCases,
  selectCasesOfOrder,
  updateCase,
} from './case.sql.ts';
export {
  hasLostTo,
  isPaidBack,
  isPartOfOrder,
  lostOf,
  type NewCase,
  type PaymentCase,
  type Resolution,
  newCase,
  refundedOfRest,
  resolved,
  takenOf,
  takenTo,
  type Taker,
  takerId,
  toldUnder,
} from './case.ts';
export { openCase, openReceipt } from './insert-case.ts';
