-- compatible_from: 0.1.0
-- mode: statements
-- Statements of a merchant's accounts that few transfers touch. Nearly all transfers touch only the available and the held
-- balance: payments and releases enter neither index.

CREATE INDEX CONCURRENTLY IF NOT EXISTS ledger_transfers_rare_debits
  ON ledger_transfers (merchant_id, split_part(debit_account, ':', 2), at, subject, posting, case_key, leg)
  WHERE debit_account LIKE 'm:%' AND split_part(debit_account, ':', 2) NOT IN ('available', 'held');
CREATE INDEX CONCURRENTLY IF NOT EXISTS ledger_transfers_rare_credits
  ON ledger_transfers (merchant_id, split_part(credit_account, ':', 2), at, subject, posting, case_key, leg)
  WHERE credit_account LIKE 'm:%' AND split_part(credit_account, ':', 2) NOT IN ('available', 'held');
