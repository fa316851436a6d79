export { countPendingWithdrawals } from '../wallets/withdrawals.sql.ts';
export {
  type AccountSum,
  selectAccountSums as listAccounts,
  selectTransferPage as listTransfers,
  type TransferFilter,
  type TransferMark,
} from './browse.sql.ts';
