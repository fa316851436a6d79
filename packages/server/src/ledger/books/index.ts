/** The books: accounts, entries, posting and balances. */
export { type AccountKind, aboutAccount, growthOf, kindOfAccount } from './account-kinds.ts';
export {
  type Account,
  bank,
  buyerFeeIncome,
  exchange,
  issuedPtk,
  lossExpense,
  merchantAvailable,
  merchantCreditDrawn,
  merchantFeeIncome,
  merchantFeeReserved,
  merchantFrozen,
  merchantGuarantee,
  merchantHeld,
  merchantRecovery,
  merchantWithdrawalPending,
  providerClearing,
  providerCost,
  suspense,
  userAvailable,
} from './accounts.ts';
export { type TransferMark, selectTransferPage } from './transfer-page.sql.ts';
export { type Entry, type Transfer, transfer } from './entry.ts';
export { type Funds, lockFunds, readFunds } from './merchant-funds.ts';
export {
  type TransferRow,
  lockAvailable,
  lockFreeWallet,
  lockOrOpenWallet,
  lockWallet,
  selectRecovery,
  selectSettledAt,
} from './ledger.sql.ts';
export { type ReferencedEntry, postOnce } from './post-once.ts';
export { post } from './post.ts';
export { type Leg, type Posting, isPosting, postings, type WhatCode } from './postings.ts';
export {
  type HeldFunds,
  type MerchantBalances,
  lockBalance,
  lockHeldFunds,
  lockOrderFunds,
  readBalances,
  readBalancesOfMerchants,
  readMerchantBalances,
  readTransfers,
  readUserBalance,
} from './read-balances.ts';
export { selectWalletLines, type WalletLineKey, type WalletLineRow } from './wallet-lines.sql.ts';
export {
  type StatementMark,
  type StatementTotals,
  ofTests,
  selectBalancesBefore,
  selectHeldOfTests,
  selectStatement,
  selectStatementForward,
  selectStatementStart,
  selectTestSubjects,
} from './statement.sql.ts';
export { type AccountInSpan, trialBalance } from './trial-balance.ts';
export { selectTransferSums, type TransferSum } from './trial-balance.sql.ts';
