-- compatible_from: 0.1.0
-- mode: statements
-- Narrower indexes of what every order and payment writes. Orders, transfers and payments of one moment are few, so PostgreSQL
-- sorts those by itself. A trade number that is "PTK:" and the order's own number follows from the order, and is found by it.
-- An order that is not paid has no event.

CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS collection_orders_foreign_trade
  ON collection_orders (merchant_id, provider_trade_no, payment_no) WHERE provider_trade_no <> 'PTK:' || order_no;
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS collection_orders_by_event ON collection_orders (merchant_id, event_id)
  WHERE event_id IS NOT NULL;
CREATE INDEX CONCURRENTLY IF NOT EXISTS collection_orders_by_creation ON collection_orders (merchant_id, created_at);
CREATE INDEX CONCURRENTLY IF NOT EXISTS ledger_transfers_by_time ON ledger_transfers (merchant_id, at)
  WHERE debit_account LIKE 'm:%' OR credit_account LIKE 'm:%';
CREATE INDEX CONCURRENTLY IF NOT EXISTS payment_attempts_by_payer ON payment_attempts (buyer_user_id, paid_at)
  WHERE buyer_user_id IS NOT NULL AND paid_at IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS collection_orders_by_time;
DROP INDEX CONCURRENTLY IF EXISTS ledger_transfers_statement;
DROP INDEX CONCURRENTLY IF EXISTS payment_attempts_by_buyer;
