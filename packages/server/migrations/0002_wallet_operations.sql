-- What administrators do to wallets: references that make it happen once, and withdrawals.

-- The references under which money was moved by hand, one row each, written in the transaction that posts. Whoever
-- comes second waits here for the first, so that one reference never stands for two entries, whatever their postings
-- and wallets. What was posted under a reference stands in ledger_transfers, subject "kind:reference".
CREATE TABLE posted_references (
  merchant_id uuid NOT NULL,
  kind text NOT NULL,
  reference text NOT NULL,
  PRIMARY KEY (merchant_id, kind, reference)
) /* by merchant_id */;

CREATE TABLE withdrawals (
  merchant_id uuid NOT NULL,
  withdrawal_id text NOT NULL,
  -- What whoever asked for it calls it: repeated, it is the same withdrawal.
  reference text NOT NULL,
  amount_ptk numeric(40,0) NOT NULL,
  -- What is paid out for it at the bank.
  payout_currency text NOT NULL,
  payout_decimals smallint NOT NULL,
  payout_amount numeric(40,0) NOT NULL,
  status text NOT NULL,
  requested_at timestamptz NOT NULL,
  decided_at timestamptz,
  PRIMARY KEY (merchant_id, withdrawal_id),
  CONSTRAINT withdrawals_reference UNIQUE (merchant_id, reference),
  CONSTRAINT withdrawals_status CHECK (status IN ('pending', 'paid', 'rejected')),
  CONSTRAINT withdrawals_decided CHECK ((status = 'pending') = (decided_at IS NULL)),
  CONSTRAINT withdrawals_positive CHECK (amount_ptk > 0 AND payout_amount > 0)
) /* by merchant_id */;
-- For administrators, who know only the number.
CREATE INDEX withdrawals_by_id ON withdrawals (withdrawal_id);
CREATE INDEX withdrawals_pending ON withdrawals (withdrawal_id) WHERE status = 'pending';
