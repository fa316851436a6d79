-- compatible_from: 0.1.0
-- mode: statements
-- Test payments are found by themselves: in the lists of orders, and in what is held. They are few, so that the indexes
-- are small.

CREATE INDEX CONCURRENTLY IF NOT EXISTS collection_orders_tests
  ON collection_orders (merchant_id, created_at, order_no) WHERE test_mode;
CREATE INDEX CONCURRENTLY IF NOT EXISTS collection_orders_tests_by_no ON collection_orders (order_no) WHERE test_mode;
CREATE INDEX CONCURRENTLY IF NOT EXISTS ledger_transfers_tests
  ON ledger_transfers (merchant_id, subject) WHERE test_mode;
