/** The kept sums of accounts that have no stored balance, for the list of accounts. */
export { keepAccountSums, readAccounts, rebuildAccountSums } from './account-sums.ts';
export {
  type AccountMark,
  type AccountRow,
  accountSumsSubject,
  type AccountSumsFault,
  selectAccountSumsFaults,
} from './account-sums.sql.ts';
