/** Sums of the books that a worker keeps: for the list of accounts, and for what the platform owes. */
export { keepAccountSums, keepOwedSums, readAccounts, rebuildAccountSums } from './account-sums.ts';
export {
  type AccountMark,
  type AccountRow,
  accountSumsSubject,
  type AccountSumsFault,
  selectAccountSumsFaults,
} from './account-sums.sql.ts';
export { findOwedFaults, type Owed, owedSumsSubject, readOwed } from './owed.ts';
