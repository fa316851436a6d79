-- compatible_from: 0.1.0
-- mode: statements
-- Finds the orders that have changed after they had ended. Most orders never do.

CREATE INDEX CONCURRENTLY IF NOT EXISTS collection_orders_late_changes ON collection_orders (merchant_id, changed_xact)
  WHERE changed_xact IS NOT NULL;
