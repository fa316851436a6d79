/** What moves money into and out of wallets: top-ups, guarantees, repayments, payouts and withdrawals. */
export { type BankMoney, type TopUp, topUp, topUpEntry } from './top-up.ts';
export {
  type Payout,
  type WalletOperation,
  creditRepayment,
  guaranteeDeposit,
  guaranteeReturn,
  providerPayout,
  recoveryRepayment,
  recoveryWriteOff,
} from './wallet-operations.ts';
export { countPendingWithdrawals, selectWithdrawal, selectWithdrawals } from './withdrawals.sql.ts';
export {
  type Withdrawal,
  type WithdrawalDecision,
  type WithdrawalStatus,
  decideWithdrawal,
  requestWithdrawal,
} from './withdrawals.ts';
