export { receiptEntry, returnEntry, suspenseOf } from './case-entries.ts';
export {
  claimDueCases,
  insertCase,
  insertCaseOnce,
  selectBooksWithCases,
  selectCase,
  selectCaseByKey,
  selectCaseByPayment,
  selectCaseForUpdate,
  selectCases,
  selectCasesOf,
  updateCase,
} from './case.sql.ts';
export { type NewCase, type PaymentCase, type Resolution, newCase, resolved } from './case.ts';
export { openCase, openReceipt } from './open-case.ts';
