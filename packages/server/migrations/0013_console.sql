-- What the consoles of merchants list, and who may open them.

-- A merchant's orders by time, and by the number that a provider gave the payment. Not concurrently: a migration is one
-- transaction, and nothing is released yet.
CREATE INDEX collection_orders_by_time ON collection_orders (merchant_id, created_at, order_no);
CREATE INDEX collection_orders_by_trade ON collection_orders (merchant_id, provider_trade_no)
  WHERE provider_trade_no IS NOT NULL;
-- What was paid, by when.
CREATE INDEX collection_orders_by_payment ON collection_orders (merchant_id, occurred_at)
  WHERE occurred_at IS NOT NULL;
-- Orders in states that few ever take are listed without a walk through all others.
CREATE INDEX collection_orders_rare ON collection_orders (merchant_id, status, created_at, order_no)
  WHERE status IN ('review', 'refunded', 'chargeback');

-- The statement of a merchant's wallet: what touches one of its own accounts, by time.
CREATE INDEX ledger_transfers_statement ON ledger_transfers (merchant_id, at, subject, posting, case_key, leg)
  WHERE debit_account LIKE 'm:%' OR credit_account LIKE 'm:%';

-- People who work for a merchant beside the person who holds it (merchants.owner_user_id), who is always an owner and
-- stands in no row here: so a merchant is never without one.
CREATE TABLE merchant_members (
  merchant_id uuid NOT NULL,
  user_id uuid NOT NULL,
  role text NOT NULL,
  added_by text NOT NULL,
  added_at timestamptz NOT NULL,
  PRIMARY KEY (merchant_id, user_id),
  CONSTRAINT merchant_members_role CHECK (role IN ('owner', 'finance', 'developer', 'read-only'))
) /* by merchant_id */;
CREATE INDEX merchant_members_by_user ON merchant_members (user_id);
